internal import Synchronization

/// What was looked up a moment ago. It is bounded, so that nobody can fill memory by asking for ever new things, and
/// short, since what it holds may change elsewhere.
public final class ShortMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Held {
    var entries: [Key: (value: Value, atMs: Int64)] = [:]
    /// Counts how often all was forgotten.
    var forgotten = 0
  }

  private let lifeMs: Int64
  private let limit: Int
  private let time: any TimeSource
  private let held = Mutex(Held())

  public init(lifeMs: Int64, limit: Int, time: any TimeSource) {
    self.lifeMs = lifeMs
    self.limit = limit
    self.time = time
  }

  public func value(
    _ key: Key, orFind find: @Sendable () async throws -> Value
  ) async throws -> Value {
    let nowMs = time.nowMs
    let (known, forgotten) = held.withLock { ($0.entries[key], $0.forgotten) }
    if let known, (0..<lifeMs).contains(nowMs - known.atMs) { return known.value }
    let value = try await find()
    held.withLock { held in
      // What was looked up before all was forgotten may be what had to be forgotten.
      guard held.forgotten == forgotten else { return }
      if held.entries.count >= limit { held.entries.removeAll(keepingCapacity: true) }
      held.entries[key] = (value, nowMs)
    }
    return value
  }

  public func forget() {
    held.withLock {
      $0.entries.removeAll(keepingCapacity: true)
      $0.forgotten += 1
    }
  }
}
