internal import Synchronization

/// Hears of every transaction.
public protocol TransactionObserving: Sendable {
  func began(isWrite: Bool)
  /// Its body could start: it waits no longer.
  func started(isWrite: Bool)
  /// How long its body took: nobody else wrote meanwhile where there is one writer. On the thread of the
  /// database, so that nothing else is in it. Once for each time that a body was run.
  func held(isWrite: Bool, for duration: Duration)
  /// `waited`: until the body could start; nil if it never did. `took`: with that and the commit.
  func ended(isWrite: Bool, waited: Duration?, took: Duration, failed: Bool)
}

/// A database whose transactions are observed.
public struct ObservedDatabase: Database {
  private let real: any Database
  private let observer: any TransactionObserving

  public init(_ real: any Database, observer: any TransactionObserving) {
    self.real = real
    self.observer = observer
  }

  public func read<Value: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws -> Value {
    try await observing(isWrite: false, body, by: real.read)
  }

  public func readOnce<Value: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws -> Value {
    try await observing(isWrite: false, body, by: real.readOnce)
  }

  @discardableResult
  public func write<Value: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws -> Value {
    try await observing(isWrite: true, body, by: real.write)
  }

  private typealias Body<Value> = @Sendable (any Transaction) throws -> Value

  private func observing<Value: Sendable>(
    isWrite: Bool, _ body: @escaping Body<Value>, by run: (@escaping Body<Value>) async throws -> Value
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
    let value = try await run { [observer] transaction in
      let isFirst = waited.duration.withLock { duration in
        defer { duration = duration ?? ContinuousClock.now - start }
        return duration == nil
      }
      // A body may be run again.
      if isFirst { observer.started(isWrite: isWrite) }
      return try Self.holding(observer, isWrite: isWrite) { try body(transaction) }
    }
    failed = false
    return value
  }

  private static func holding<Value>(
    _ observer: any TransactionObserving, isWrite: Bool, _ body: () throws -> Value
  ) rethrows -> Value {
    let start = ContinuousClock.now
    defer { observer.held(isWrite: isWrite, for: ContinuousClock.now - start) }
    return try body()
  }

  private final class Waited: Sendable {
    let duration = Mutex<Duration?>(nil)
  }
}
