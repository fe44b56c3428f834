internal import Synchronization

/// Tells whoever keeps something made of clips or authors that this process has changed one.
///
/// NB: it is told by the database and not by the stores: nobody who changes a clip can forget to say so
/// (`ObservedDatabase`). Counts have rows of their own and are not told of.
public final class FeedChanges: Sendable {
  private let listeners = Mutex<[@Sendable () -> Void]>([])

  public init() {}

  /// For as long as this lives. `body` must be short; it is called behind the commit, before whoever wrote is answered.
  public func listen(_ body: @escaping @Sendable () -> Void) { listeners.withLock { $0.append(body) } }

  /// Also by who hears of what another process has changed.
  public func tell() {
    for listener in listeners.withLock({ $0 }) { listener() }
  }

  private static let beginnings = [
    "UPDATE clips ", "DELETE FROM clips ", "UPDATE authors ", "DELETE FROM authors ",
  ]

  static func isOne(_ sql: String) -> Bool { beginnings.contains { sql.starts(withBytesOf: $0) } }
}

/// A transaction that notes whether it changes clips or authors.
final class NotingTransaction: Transaction {
  private let real: any Transaction
  private let note: () -> Void

  init(_ real: any Transaction, note: @escaping () -> Void) {
    self.real = real
    self.note = note
  }

  var engine: DatabaseEngine { real.engine }

  func execute(_ sql: String, _ values: [SQLValue]) throws -> Int {
    look(sql)
    return try real.execute(sql, values)
  }

  func query(_ sql: String, _ values: [SQLValue]) throws -> [Row] {
    look(sql)
    return try real.query(sql, values)
  }

  func query(_ sql: String, _ values: [SQLValue], each body: (any RowInPlace) throws -> Void) throws {
    look(sql)
    try real.query(sql, values, each: body)
  }

  func query(_ sql: String, _ values: [SQLValue], locking: RowLock) throws -> [Row] {
    try real.query(sql, values, locking: locking)
  }

  func lock(_ name: String) throws { try real.lock(name) }
  func mark(_ name: String, _ number: Int64) throws { try real.mark(name, number) }
  func lowestMark(_ name: String) throws -> Int64? { try real.lowestMark(name) }
  func allowLongStatements() throws { try real.allowLongStatements() }

  private func look(_ sql: String) { if FeedChanges.isOne(sql) { note() } }
}
