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
    try await telling { try await pool.read { try Connection(database: $0).run(body) } }
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
          value = try Connection(database: connection).run(body)
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
}

/// Our portable statements on one connection of GRDB.
private final class Connection: Platform.Transaction {
  private let database: GRDB.Database
  /// What ended the transaction. SQLite would go on after it; a body must not rely on that.
  private var failure: (any Error)?

  init(database: GRDB.Database) {
    self.database = database
  }

  var engine: DatabaseEngine { .sqlite }

  func run<Value>(_ body: (any Platform.Transaction) throws -> Value) throws -> Value {
    let value = try body(self)
    if let failure { throw failure }
    return value
  }

  func execute(_ sql: String, _ values: [SQLValue]) throws -> Int {
    try failing {
      try database.cachedStatement(sql: sql).execute(arguments: arguments(values))
      return database.changesCount
    }
  }

  func query(_ sql: String, _ values: [SQLValue]) throws -> [Platform.Row] {
    try failing {
      let statement = try database.cachedStatement(sql: sql)
      let places = Dictionary(
        statement.columnNames.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      return try GRDB.Row.fetchAll(statement, arguments: arguments(values)).map { row in
        Platform.Row(places, row.databaseValues.map { SQLValue($0) })
      }
    }
  }

  // There is one writer at a time, who has locked everything.
  func query(_ sql: String, _ values: [SQLValue], locking: RowLock) throws -> [Platform.Row] {
    try query(sql, values)
  }

  func lock(_ name: String) throws {}

  func allowLongStatements() throws {}

  private func failing<Value>(_ work: () throws -> Value) throws -> Value {
    if let failure { throw failure }
    do {
      return try work()
    } catch {
      let told = (error as? DatabaseError).flatMap(ConstraintViolation.init) ?? error
      failure = told
      throw told
    }
  }

  private func arguments(_ values: [SQLValue]) throws -> StatementArguments {
    try SQLValue.requireStorable(values)
    return StatementArguments(
      values.map { value -> (any DatabaseValueConvertible)? in
        switch value {
        case .null: nil
        case .integer(let number): number
        case .text(let text): text
        }
      })
  }
}

extension ConstraintViolation {
  fileprivate init?(_ error: DatabaseError) {
    let rule: Rule? =
      switch error.extendedResultCode {
      case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID: .unique
      case .SQLITE_CONSTRAINT_FOREIGNKEY: .reference
      case .SQLITE_CONSTRAINT_NOTNULL: .notNull
      case .SQLITE_CONSTRAINT_CHECK: .check
      default: nil
      }
    guard let rule else { return nil }
    // Names columns, never values.
    self.init(rule, error.message ?? rule.rawValue)
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
