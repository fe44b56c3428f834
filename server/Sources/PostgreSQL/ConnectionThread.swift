internal import Foundation
internal import Platform

/// A thread with one connection, which is made when it is needed. It does one transaction after the other.
///
/// NB: of one thread alone, so that it is not to be handed around.
final class ConnectionThread {
  enum Kind: Sendable {
    /// On one snapshot, and the server sees to it that nothing is changed.
    case read
    /// Of one statement, which has a snapshot and an end by itself.
    case readOnce
    case write

    /// Told with the first statement. Nil: nothing is begun.
    fileprivate var begin: String? {
      switch self {
      case .readOnce: nil
      case .read: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
      case .write: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
      }
    }
  }

  /// How often a transaction is begun that others were in the way of.
  private static let conflicts = 10

  private let pool: Pool
  private var connection: Connection?

  init(_ pool: Pool) {
    self.pool = pool
  }

  deinit { drop() }

  var isConnected: Bool { connection != nil }

  /// Takes what came after the answer, and the connection away if it is good for nothing.
  func settle() {
    connection?.settle()
    if connection?.isUsable == false { drop() }
  }

  /// Throws `Unreachable` if there is no connection and none can be made; then nothing was done.
  func transaction<Value>(
    _ kind: Kind, _ body: (OpenTransaction) throws -> Value
  ) throws -> Value {
    var (lost, stale, conflicts) = (false, false, 0)
    while true {
      do {
        return try once(kind, body)
      } catch let trouble as TransactionFailure {
        if trouble.concernsOperator { pool.tell(trouble) }
        switch trouble {
        // The server was started anew since, or is going down: a new connection shows which.
        case .lost where !lost:
          lost = true
          drop()
        // Another server writes now; several may be named in the address.
        case .refused(let failure) where failure.isReadOnly && kind == .write:
          drop()
          guard !lost else { throw AppError.databaseUnavailable }
          lost = true
        case .refused(let failure) where failure.isConflict && conflicts < Self.conflicts:
          conflicts += 1
          // Longer each time and never the same, so that those who met do not meet again.
          Thread.sleep(forTimeInterval: .random(in: 0.2...1) * min(0.3, 0.01 * Double(1 << conflicts)))
        case .refused(let failure) where failure.isStalePlan && !stale:
          stale = true
          do { try connection?.forgetPrepared() } catch { drop() }
        default:
          settle()
          throw trouble.publicError
        }
      }
    }
  }

  private func once<Value>(_ kind: Kind, _ body: (OpenTransaction) throws -> Value) throws -> Value {
    let connection = try connected()
    defer { connection.isPatient = false }
    if let begin = kind.begin { connection.beginWithNext(begin) }
    let open = OpenTransaction(connection, isOnce: kind == .readOnce)
    let value: Value
    do {
      value = try body(open)
      // A body that caught it must not be taken for one that succeeded.
      if let failure = open.failure { throw failure }
    } catch {
      let hasBegun = connection.hasBegun()
      if kind != .readOnce, hasBegun, open.failure?.isLost != true {
        _ = try? connection.control("ROLLBACK")
      }
      // Why it came to nothing counts more than what the body made of it, if the same again can do.
      if let failure = open.failure {
        if failure.isRepeatable { throw failure }
        if failure.concernsOperator { pool.tell(failure) }
      }
      throw error
    }
    guard connection.hasBegun() else {
      // Nothing was written; what was asked for is done all the same.
      if kind == .write { open.works.run() }
      return value
    }
    switch kind {
    case .readOnce: break
    case .read: connection.controlLater("COMMIT")
    case .write:
      do {
        // NB: PostgreSQL answers a COMMIT of what has failed with success, and the word of what it did
        // instead.
        let done = try connection.control("COMMIT")
        guard done == "COMMIT" else {
          throw TransactionFailure.refused(
            SQLFailure(state: "25P02", message: "answered \(done)", isFatal: false))
        }
      } catch TransactionFailure.lost(let reason) {
        // NB: never again from here: it may have been kept.
        open.works.run()
        throw TransactionFailure.inDoubt(reason)
      }
      open.works.run()
    }
    return value
  }

  private func connected() throws -> Connection {
    connection?.settle()
    if let connection, connection.isUsable { return connection }
    drop()
    let made = try pool.connect()
    connection = made
    return made
  }

  private func drop() {
    guard connection != nil else { return }
    connection = nil
    pool.connectionEnded()
  }
}

/// The statements of a transaction that has begun.
final class OpenTransaction: Transaction {
  /// A statement that has no transaction around it would be kept, whatever it does.
  private struct NotOneRead: Error {}

  private let connection: Connection
  private let isOnce: Bool
  private var asked = 0
  fileprivate private(set) var failure: TransactionFailure?
  /// What is to be done after the commit.
  fileprivate private(set) var works = WorksAfterCommit()

  fileprivate init(_ connection: Connection, isOnce: Bool) {
    self.connection = connection
    self.isOnce = isOnce
  }

  var engine: DatabaseEngine { .postgreSQL }

  @discardableResult
  func execute(_ sql: String, _ values: [SQLValue]) throws -> Int {
    try failing(sql, values) { try connection.run(sql, values).changed }
  }

  func query(_ sql: String, _ values: [SQLValue]) throws -> [Row] {
    try failing(sql, values) { try connection.run(sql, values).rows() }
  }

  func query(_ sql: String, _ values: [SQLValue], each body: (any RowInPlace) throws -> Void) throws {
    try failing(sql, values) { try connection.run(sql, values).each(body) }
  }

  func query(_ sql: String, _ values: [SQLValue], locking: RowLock) throws -> [Row] {
    // NO KEY: who only refers to the row, as a comment to its clip, need not wait.
    let lock = locking == .skip ? "FOR NO KEY UPDATE SKIP LOCKED" : "FOR NO KEY UPDATE"
    return try query("\(sql)\n\(lock)", values)
  }

  func lock(_ name: String) throws {
    _ = try query("SELECT pg_advisory_xact_lock(?)", [.integer(LockName.number(name))])
  }

  // Two numbers of 32 bits each are a space of locks beside that of one number of 64. Shared ones exclude
  // nobody here, and are there for all to see until what their transaction did is visible.
  func mark(_ name: String, _ number: Int64) throws {
    _ = try query(
      "SELECT pg_advisory_xact_lock_shared(CAST(? AS INTEGER), CAST(? AS INTEGER))",
      [
        .integer(Int64(Int32(bitPattern: LockName.shortNumber(name)))),
        .integer(Int64(Int32(truncatingIfNeeded: number))),
      ])
  }

  func lowestMark(_ name: String) throws -> Int64? {
    try query(
      """
      SELECT MIN(CAST(objid AS BIGINT)) AS lowest FROM pg_locks
      WHERE locktype = 'advisory' AND objsubid = 2 AND CAST(classid AS BIGINT) = ?
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """, [.integer(Int64(LockName.shortNumber(name)))]
    ).first?.optionalInteger("lowest")
  }

  func allowLongStatements() throws {
    connection.isPatient = true
    _ = try execute("SET LOCAL statement_timeout = 0", [])
    _ = try execute("SET LOCAL lock_timeout = 0", [])
  }

  func afterCommit(_ name: String, _ work: @escaping @Sendable () -> Void) { works.add(name, work) }

  /// Rows of a table, in the order of these columns. After `allowLongStatements`.
  /// NB: a statement in `fill` would be one in the middle of another.
  func load(_ table: String, _ columns: String, _ fill: (RowLoading) throws -> Void) throws {
    let sql = "COPY \(table) (\(columns)) FROM STDIN (FORMAT binary)"
    try failing(sql, []) { try connection.load(sql, fill) }
  }

  private func failing<Value>(_ sql: String, _ values: [SQLValue], _ work: () throws -> Value) throws -> Value
  {
    if let failure { throw failure.publicError }
    do {
      asked += 1
      guard !isOnce || (asked == 1 && (sql.hasPrefix("SELECT ") || sql.hasPrefix("WITH "))) else {
        throw NotOneRead()
      }
      try SQLValue.requireStorable(values)
      return try work()
    } catch let trouble as TransactionFailure {
      failure = trouble
      throw trouble.publicError
    } catch {
      failure = .unasked(error)
      throw error
    }
  }
}

/// The number under which PostgreSQL knows a lock.
enum LockName {
  static func shortNumber(_ name: String) -> UInt32 { UInt32(truncatingIfNeeded: number(name)) }

  /// Two names with one number would only wait for each other.
  static func number(_ name: String) -> Int64 { Int64(bitPattern: FNV1a.hash(name)) }
}
