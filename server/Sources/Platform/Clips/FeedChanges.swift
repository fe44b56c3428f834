internal import Synchronization

/// Tells whoever keeps something made of clips or authors that this process has changed one. Counts have rows
/// of their own and are not told of.
public final class FeedChanges: Sendable {
  private let listeners = Mutex<[@Sendable () -> Void]>([])

  public init() {}

  /// For as long as this lives. `body` must be short; it is called behind the commit, before whoever wrote is
  /// answered.
  public func listen(_ body: @escaping @Sendable () -> Void) { listeners.withLock { $0.append(body) } }

  /// A statement that changes a clip or an author: it is told of behind the commit, once for all of a
  /// transaction.
  @discardableResult
  public func execute(_ sql: String, _ values: [SQLValue], in transaction: any Transaction) throws -> Int {
    transaction.afterCommit("feed") { self.tell() }
    return try transaction.execute(sql, values)
  }

  /// Also by who hears of what another process has changed.
  public func tell() {
    for listener in listeners.withLock({ $0 }) { listener() }
  }
}
