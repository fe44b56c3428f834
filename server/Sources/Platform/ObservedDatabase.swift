internal import Synchronization

/// Hears of every transaction.
public protocol TransactionObserving: Sendable {
  func began(isWrite: Bool)
  /// Its body could start: it waits no longer.
  func started(isWrite: Bool)
  /// How long its body took: nobody else wrote meanwhile where there is one writer. On the thread of the database, so
  /// that nothing else is in it. Once for each time that a body was run.
  func held(isWrite: Bool, for duration: Duration)
  /// `waited`: until the body could start; nil if it never did. `took`: with that and the commit.
  func ended(isWrite: Bool, waited: Duration?, took: Duration, failed: Bool)
}

/// A database whose transactions are observed, and after whose commits things can be done (`AfterCommit`).
public struct ObservedDatabase: Database {
  private let real: any Database
  private let observer: (any TransactionObserving)?
  private let changes: FeedChanges?

  public init(
    _ real: any Database, observer: (any TransactionObserving)? = nil, changes: FeedChanges? = nil
  ) {
    self.real = real
    self.observer = observer
    self.changes = changes
  }

  public func read<Value: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws -> Value {
    try await reading(body, by: real.read)
  }

  public func readOnce<Value: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws -> Value {
    try await reading(body, by: real.readOnce)
  }

  private typealias Body<Value> = @Sendable (any Transaction) throws -> Value

  private func reading<Value: Sendable>(
    _ body: @escaping Body<Value>, by read: (@escaping Body<Value>) async throws -> Value
  ) async throws -> Value {
    guard let observer else { return try await read(body) }
    return try await observing(observer, isWrite: false) { began in
      try await read { transaction in
        began()
        return try Self.holding(observer, isWrite: false) { try body(transaction) }
      }
    }
  }

  @discardableResult
  public func write<Value: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws -> Value {
    let later = AfterCommit.Pending()
    let noting: @Sendable (any Transaction) throws -> Value = { transaction in
      // What a body wanted that was rolled back, and is run again, it will want again.
      later.works.withLock { $0 = [] }
      let noting =
        changes == nil
        ? transaction : NotingTransaction(transaction) { later.changesFeed.store(true, ordering: .relaxed) }
      return try AfterCommit.$pending.withValue(later) { try body(noting) }
    }
    // Also if it failed: a commit may have been kept whose answer was lost.
    defer { if later.changesFeed.load(ordering: .relaxed) { changes?.tell() } }
    let value: Value
    if let observer {
      value = try await observing(observer, isWrite: true) { began in
        try await real.write { transaction in
          began()
          return try Self.holding(observer, isWrite: true) { try noting(transaction) }
        }
      }
    } else {
      value = try await real.write(noting)
    }
    for work in later.works.withLock({ $0 }) { work() }
    return value
  }

  private static func holding<Value>(
    _ observer: any TransactionObserving, isWrite: Bool, _ body: () throws -> Value
  ) rethrows -> Value {
    let start = ContinuousClock.now
    defer { observer.held(isWrite: isWrite, for: ContinuousClock.now - start) }
    return try body()
  }

  private func observing<Value>(
    _ observer: any TransactionObserving, isWrite: Bool,
    _ work: (_ began: @escaping @Sendable () -> Void) async throws -> Value
  ) async throws -> Value {
    let start = ContinuousClock.now
    let waited = Waited()
    observer.began(isWrite: isWrite)
    var failed = true
    defer {
      observer.ended(
        isWrite: isWrite, waited: waited.duration.withLock { $0 }, took: ContinuousClock.now - start,
        failed: failed)
    }
    let value = try await work {
      let isFirst = waited.duration.withLock { duration in
        defer { duration = duration ?? ContinuousClock.now - start }
        return duration == nil
      }
      // A body may be run again.
      if isFirst { observer.started(isWrite: isWrite) }
    }
    failed = false
    return value
  }

  private final class Waited: Sendable {
    let duration = Mutex<Duration?>(nil)
  }
}

/// What is to be done once the present transaction has become true, and not if it does not: to tell others of it.
public enum AfterCommit {
  @TaskLocal fileprivate static var pending: Pending?

  fileprivate final class Pending: Sendable {
    let works = Mutex<[@Sendable () -> Void]>([])
    let changesFeed = Atomic(false)
  }

  /// It must be short, and may be lost: a process can end in between. Without an observed database nothing is done.
  public static func add(_ work: @escaping @Sendable () -> Void) {
    pending?.works.withLock { $0.append(work) }
  }
}
