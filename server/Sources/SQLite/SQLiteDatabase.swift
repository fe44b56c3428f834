internal import Contract
public import Foundation
internal import GRDB
public import Platform

/// The Database port on SQLite: write-ahead log (readers never wait for the writer), foreign keys, one writer.
public final class SQLiteDatabase: Platform.Database {
  /// How long a writer waits for another process's transaction. They are all short; a wait this long is a fault.
  static let busyTimeoutSeconds = 10.0

  private let pool: DatabasePool

  public init(fileAt url: URL) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .timeout(Self.busyTimeoutSeconds)
    configuration.maximumReaderCount = 4
    configuration.label = "clipfeed"
    configuration.prepareDatabase { connection in
      // NB: FULL, not NORMAL: a published clip must survive a power cut, and writes are few.
      try connection.execute(sql: "PRAGMA synchronous = FULL")
    }
    pool = try DatabasePool(path: url.path, configuration: configuration)
  }

  public func read<Value: Sendable>(
    _ body: @escaping @Sendable (any Platform.Transaction) throws -> Value
  ) async throws -> Value {
    try await telling { try await pool.read { try body(Connection(database: $0)) } }
  }

  @discardableResult
  public func write<Value: Sendable>(
    _ body: @escaping @Sendable (any Platform.Transaction) throws -> Value
  ) async throws -> Value {
    // IMMEDIATE: a transaction that reads first and writes later would fail if another process wrote in between.
    try await telling {
      try await pool.writeWithoutTransaction { connection in
        var value: Value?
        try connection.inTransaction(.immediate) {
          value = try body(Connection(database: connection))
          return .commit
        }
        return value!
      }
    }
  }

  /// What passes by itself, or with the operator's help, becomes an error that a client can act on.
  private func telling<Value>(_ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_FULL: throw AppError(.storageFull, "The database has no room: \(error.message ?? "")")
      case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY:
        throw AppError(.unavailable, "The database cannot be used now: \(error.message ?? "")")
      default: throw error
      }
    }
  }

  /// The library's version, for `clipfeed doctor`.
  public func version() async throws -> String {
    try await read { try $0.query("SELECT sqlite_version() AS version")[0].text("version") }
  }
}

/// Our portable statements on one connection of GRDB.
private struct Connection: Platform.Transaction {
  let database: GRDB.Database

  func execute(_ sql: String, _ values: [SQLValue]) throws -> Int {
    try database.cachedStatement(sql: sql).execute(arguments: arguments(values))
    return database.changesCount
  }

  func query(_ sql: String, _ values: [SQLValue]) throws -> [Platform.Row] {
    let rows = try GRDB.Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments(values))
    return rows.map { row in
      Platform.Row(
        Dictionary(
          row.map { column, value in (column, SQLValue(value)) }, uniquingKeysWith: { first, _ in first }))
    }
  }

  private func arguments(_ values: [SQLValue]) -> StatementArguments {
    StatementArguments(
      values.map { value -> (any DatabaseValueConvertible)? in
        switch value {
        case .null: nil
        case .integer(let number): number
        case .text(let text): text
        }
      })
  }
}

extension SQLValue {
  fileprivate init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let number): self = .integer(number)
    case .double(let number): self = .integer(Int64(number))
    case .string(let text): self = .text(text)
    case .blob(let data): self = .text(data.base64EncodedString())
    }
  }
}
