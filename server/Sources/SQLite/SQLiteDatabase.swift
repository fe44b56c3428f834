internal import Contract
public import Foundation
internal import GRDB
internal import GRDBSQLite
internal import NIOPosix
public import Platform
internal import Synchronization

/// The Database port on SQLite: write-ahead log (readers never wait for the writer), foreign keys, one
/// writer.
public final class SQLiteDatabase: Platform.Database {
  /// How long a writer waits for another process's transaction. They are all short; a wait this long is a
  /// fault.
  static let busyTimeoutSeconds = 10.0
  /// How often it looks meanwhile.
  private static let busyLookSeconds = 0.001

  /// Of the file, seen as memory: what the kernel has read already costs no call of it. SQLite takes less if
  /// it allows less.
  static let mappedBytes = 1 << 31
  private static let readers = 4

  /// In a data folder.
  public static let fileName = "clipfeed.sqlite"

  private let pool: DatabasePool
  private let commits: GroupCommit
  /// Of whom read, one for each connection: GRDB's own way from one queue to the next costs as much as a
  /// small read.
  private let threads = NIOThreadPool(numberOfThreads: readers)
  private let places = ColumnPlaces()

  public init(fileAt url: URL) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    // NB: SQLite itself looks every 100 ms only, and would hardly ever find a gap between the commits of a
    // busy process.
    configuration.busyMode = .callback { tries in
      usleep(UInt32(Self.busyLookSeconds * 1_000_000))
      return Double(tries) * Self.busyLookSeconds < Self.busyTimeoutSeconds
    }
    configuration.maximumReaderCount = Self.readers
    configuration.label = "clipfeed"
    configuration.prepareDatabase { connection in
      try connection.execute(sql: "PRAGMA mmap_size = \(Self.mappedBytes)")
    }
    do {
      pool = try DatabasePool(path: url.path, configuration: configuration)
      // FULL, not NORMAL: what was answered must survive a power cut. NB: GRDB sets NORMAL once it has
      // prepared the writer, so it cannot be said there.
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
      throw AppError(.storageFull)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      throw AppError(
        .unavailable, "another program has locked \(url.lastPathComponent), as clipfeed move does")
    }
    commits = GroupCommit(pool: pool)
    threads.start()
  }

  deinit { threads.shutdownGracefully { _ in } }

  public func read<Value: Sendable>(
    _ body: @escaping @Sendable (any Platform.Transaction) throws -> Value
  ) async throws -> Value {
    try await reading(body) { try $0.read($1) }
  }

  /// Without BEGIN and COMMIT: what a statement sees is one state.
  public func readOnce<Value: Sendable>(
    _ body: @escaping @Sendable (any Platform.Transaction) throws -> Value
  ) async throws -> Value {
    try await reading(body) { try $0.unsafeRead($1) }
  }

  private func reading<Value: Sendable>(
    _ body: @escaping @Sendable (any Platform.Transaction) throws -> Value,
    by read: @escaping @Sendable (DatabasePool, (GRDB.Database) throws -> Value) throws -> Value
  ) async throws -> Value {
    try await telling { [places] in
      try await threads.runIfActive { [pool] in
        try read(pool) { try Connection(database: $0, places: places).run(body) }
      }
    }
  }

  @discardableResult
  public func write<Value: Sendable>(
    _ body: @escaping @Sendable (any Platform.Transaction) throws -> Value
  ) async throws -> Value {
    let isCancelled = Cancelled()
    return try await telling { [places] in
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          commits.add(Write(body, places: places, unless: isCancelled, continuation))
        }
      } onCancel: {
        isCancelled.value.store(true, ordering: .relaxed)
      }
    }
  }

  var waitingWrites: Int { commits.waiting }

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

private final class Cancelled: Sendable {
  let value = Atomic(false)
}

/// What `write` was asked for.
///
/// NB: unchecked, since one thread after the other has it, the last one of which is the writer's.
private final class Write<Value: Sendable>: PendingWrite, @unchecked Sendable {
  private let body: @Sendable (any Platform.Transaction) throws -> Value
  private let places: ColumnPlaces
  private let isCancelled: Cancelled
  private let continuation: CheckedContinuation<Value, any Error>
  private var done: (value: Value, works: WorksAfterCommit)?
  private(set) var hasWritten = false

  init(
    _ body: @escaping @Sendable (any Platform.Transaction) throws -> Value, places: ColumnPlaces,
    unless isCancelled: Cancelled,
    _ continuation: CheckedContinuation<Value, any Error>
  ) {
    self.body = body
    self.places = places
    self.isCancelled = isCancelled
    self.continuation = continuation
  }

  func attempt(on database: GRDB.Database) throws {
    (done, hasWritten) = (nil, false)
    // Nobody waits for it any more; what has begun comes to its end.
    guard !isCancelled.value.load(ordering: .relaxed) else { throw CancellationError() }
    let connection = Connection(database: database, places: places)
    defer { hasWritten = connection.hasWritten }
    let value = try connection.run(body)
    done = (value, connection.works)
  }

  func finish(throwing error: (any Error)?) {
    guard error == nil, let done else {
      return continuation.resume(throwing: error ?? AppError(.unavailable))
    }
    done.works.run()
    continuation.resume(returning: done.value)
  }
}

/// Our portable statements on one connection of GRDB.
private final class Connection: Platform.Transaction {
  private let database: GRDB.Database
  private let places: ColumnPlaces
  /// What ended the transaction. SQLite would go on after it; a body must not rely on that.
  private var failure: (any Error)?
  /// What is to be done after the commit.
  private(set) var works = WorksAfterCommit()
  /// Whether a statement was begun that changes anything.
  private(set) var hasWritten = false

  init(database: GRDB.Database, places: ColumnPlaces) {
    self.database = database
    self.places = places
  }

  var engine: DatabaseEngine { .sqlite }

  func run<Value>(_ body: (any Platform.Transaction) throws -> Value) throws -> Value {
    let value = try body(self)
    if let failure { throw failure }
    return value
  }

  func execute(_ sql: String, _ values: [SQLValue]) throws -> Int {
    try failing {
      let statement = try database.cachedStatement(sql: sql)
      hasWritten = hasWritten || !statement.isReadonly
      try statement.execute(arguments: arguments(values))
      return database.changesCount
    }
  }

  func query(_ sql: String, _ values: [SQLValue], each body: (any RowInPlace) throws -> Void) throws {
    try failing {
      let statement = try database.cachedStatement(sql: sql)
      hasWritten = hasWritten || !statement.isReadonly
      try step(through: statement, values) { try body(SteppedRow(handle: $0)) }
    }
  }

  func query(_ sql: String, _ values: [SQLValue]) throws -> [Platform.Row] {
    try failing {
      let statement = try database.cachedStatement(sql: sql)
      // What changes something goes by GRDB, which has to know of it.
      guard statement.isReadonly else {
        hasWritten = true
        let places = ColumnPlaces.places(of: statement)
        return try GRDB.Row.fetchAll(statement, arguments: arguments(values)).map { row in
          Platform.Row(places, row.databaseValues.map { SQLValue($0) })
        }
      }
      return try rows(of: statement, sql, values)
    }
  }

  private func rows(of statement: Statement, _ sql: String, _ values: [SQLValue]) throws -> [Platform.Row] {
    let (places, columns) = (places.of(statement, sql), sqlite3_column_count(statement.sqliteStatement))
    var rows: [Platform.Row] = []
    try step(through: statement, values) { handle in
      rows.append(Platform.Row(places, (0..<columns).map { Self.value(handle, $0) }))
    }
    return rows
  }

  /// Past GRDB's rows, which cost more than reading them does.
  private func step(
    through statement: Statement, _ values: [SQLValue], _ body: (OpaquePointer) throws -> Void
  ) throws {
    try SQLValue.requireStorable(values)
    let handle = statement.sqliteStatement
    sqlite3_reset(handle)
    // NB: values are copied, and forgotten with the end of this: a statement that waits for its next use
    // holds nothing, and no lock.
    defer {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }
    guard sqlite3_bind_parameter_count(handle) == values.count else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE, message: "\(values.count) values for another number of places")
    }
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      let code =
        switch value {
        case .null: sqlite3_bind_null(handle, place)
        case .integer(let number): sqlite3_bind_int64(handle, place, number)
        case .text(var text):
          text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
              // An empty text has no address, and would be taken for nothing.
              sqlite3_bind_text(handle, place, $0.baseAddress ?? Self.empty, Int32($0.count), Self.copied)
            }
          }
        }
      guard code == SQLITE_OK else { throw failure(code) }
    }
    while true {
      let code = sqlite3_step(handle)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw failure(code) }
      try body(handle)
    }
  }

  /// NB: `SQLITE_TRANSIENT`, which is a macro that Swift does not see.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  private nonisolated(unsafe) static let empty = UnsafePointer(strdup("")!)

  private static func value(_ handle: OpaquePointer, _ column: Int32) -> SQLValue {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_TEXT:
      let start = sqlite3_column_text(handle, column)
      let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
      return .text(String(decoding: bytes, as: UTF8.self))
    case SQLITE_FLOAT:
      return .integer(Int64(clamping: sqlite3_column_double(handle, column).rounded(.towardZero)))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(handle, column)
      return .text(
        Data(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
          .base64EncodedString())
    default: return .null
    }
  }

  private func failure(_ code: Int32) -> DatabaseError {
    // The connection knows more than the code, unless it speaks of another call.
    DatabaseError(
      resultCode: ResultCode(
        rawValue: sqlite3_extended_errcode(database.sqliteConnection) & 0xFF == code & 0xFF
          ? sqlite3_extended_errcode(database.sqliteConnection) : code),
      message: database.sqliteConnection.map { String(cString: sqlite3_errmsg($0)) })
  }

  // There is one writer at a time, who has locked everything.
  func query(_ sql: String, _ values: [SQLValue], locking: RowLock) throws -> [Platform.Row] {
    try query(sql, values)
  }

  func lock(_ name: String) throws {}

  func mark(_ name: String, _ number: Int64) throws {}

  // Whoever asks is the writer: no other transaction has anything on its way.
  func lowestMark(_ name: String) throws -> Int64? { nil }

  func allowLongStatements() throws {}

  func afterCommit(_ name: String, _ work: @escaping @Sendable () -> Void) { works.add(name, work) }

  private func failing<Value>(_ work: () throws -> Value) throws -> Value {
    if let failure { throw failure }
    do {
      return try work()
    } catch {
      let known = (error as? DatabaseError).flatMap(ConstraintViolation.init) ?? error
      failure = known
      throw known
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

/// The row that a statement stands on.
private struct SteppedRow: RowInPlace {
  let handle: OpaquePointer

  func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
    guard sqlite3_column_type(handle, Int32(column)) == SQLITE_TEXT else { return nil }
    let start = sqlite3_column_text(handle, Int32(column))
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column))))
  }

  func integer(_ column: Int) -> Int64? {
    guard sqlite3_column_type(handle, Int32(column)) == SQLITE_INTEGER else { return nil }
    return sqlite3_column_int64(handle, Int32(column))
  }
}

/// Where the columns of a statement stand. Looked up once for all connections: there are few statements that
/// read, and each is used for as long as the process runs.
private final class ColumnPlaces: Sendable {
  private let known = Mutex<[String: [String: Int]]>([:])

  func of(_ statement: Statement, _ sql: String) -> [String: Int] {
    known.withLock { known in
      if let places = known[sql] { return places }
      if known.count >= 1000 { known = [:] }
      let places = Self.places(of: statement)
      known[sql] = places
      return places
    }
  }

  static func places(of statement: Statement) -> [String: Int] {
    Dictionary(statement.columnNames.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
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
  init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let number): self = .integer(number)
    case .double(let number): self = .integer(Int64(clamping: number.rounded(.towardZero)))
    case .string(let text): self = .text(text)
    case .blob(let data): self = .text(data.base64EncodedString())
    }
  }
}
