internal import Synchronization

/// What was looked up a moment ago. It is bounded, so that nobody can fill memory by asking for ever new
/// things, and short, since what it holds may change elsewhere.
public final class TTLCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Many threads look things up at once, and a thread that is stopped in the middle must not hold up all
  /// others.
  private final class Stripe: Sendable {
    let held = Mutex(Held())
  }

  private struct Held {
    var entries: [Key: (value: Value, atMs: Int64)] = [:]
    /// Counts how often all was forgotten.
    var forgotten = 0
  }

  private static var stripeCount: Int { 16 }

  private let lifeMs: Int64
  private let limit: Int
  private let time: any TimeSource
  private let stripes = (0..<stripeCount).map { _ in Stripe() }

  /// `limit`: how many things are remembered at most.
  public init(lifeMs: Int64, limit: Int, time: any TimeSource) {
    self.lifeMs = lifeMs
    self.limit = max(1, limit / Self.stripeCount)
    self.time = time
  }

  public func value(
    _ key: Key, orFind find: @Sendable () async throws -> Value
  ) async throws -> Value {
    let nowMs = time.nowMs
    let stripe = stripes[Int(UInt(bitPattern: key.hashValue) % UInt(Self.stripeCount))]
    let (known, forgotten) = stripe.held.withLock { ($0.entries[key], $0.forgotten) }
    if let known, (0..<lifeMs).contains(nowMs - known.atMs) { return known.value }
    let value = try await find()
    stripe.held.withLock { held in
      // What was looked up before all was forgotten may be what had to be forgotten.
      guard held.forgotten == forgotten else { return }
      if held.entries.count >= limit { held.entries.removeAll(keepingCapacity: true) }
      held.entries[key] = (value, nowMs)
    }
    return value
  }

  public func forget() {
    for stripe in stripes {
      stripe.held.withLock {
        $0.entries.removeAll(keepingCapacity: true)
        $0.forgotten += 1
      }
    }
  }
}
