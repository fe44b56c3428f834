/// When to try again after a failure: delays that double up to a limit, each cut by up to half at
/// random, so that clients which failed together do not come back together ("equal jitter",
/// Brooker: "Exponential Backoff And Jitter", 2015).
public struct Backoff: Sendable {
  /// Failures since the last success.
  public private(set) var failures: Int32 = 0
  /// Until then nothing is tried; `nil` when nothing has failed.
  public private(set) var until: Instant?
  private let first: Milliseconds
  private let limit: Milliseconds

  public init(first: Milliseconds, limit: Milliseconds) {
    self.first = first
    self.limit = limit
  }

  public mutating func failed(at now: Instant, generator: inout SeededGenerator) {
    let doublings = min(failures, 16)
    let delay = min(limit, first * (Int64(1) << Int64(doublings)))
    let jitter = generator.next(below: delay.rawValue / 2)
    until = now + (delay - Milliseconds(jitter))
    failures = min(failures + 1, 1_000)
  }

  public mutating func succeeded() {
    failures = 0
    until = nil
  }

  /// Allows a try now, while the count of failures stays (the network came back, the person asked).
  public mutating func skipWait() { until = nil }

  public func allows(at now: Instant) -> Bool {
    guard let until else { return true }
    return now >= until
  }
}
