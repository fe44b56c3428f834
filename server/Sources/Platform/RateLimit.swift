internal import Synchronization

/// Token buckets by key: `burst` at once, then one per `intervalMs`.
///
/// A bucket is kept as the instant at which it will be full again, so a full one need not be kept at all. Memory is
/// bounded: keys for which there is no room share one bucket.
public final class RateLimit: Sendable {
  private let burst: Int64
  private let intervalMs: Int64
  private let capacity: Int
  private let time: any TimeSource
  private let state = Mutex<State>(State())

  private struct State {
    var fullAtMs: [String: Int64] = [:]
    /// Looking through all buckets for full ones is worth it once in an interval.
    var sweptAtMs: Int64 = .min
  }

  public init(burst: Int64, intervalMs: Int64, capacity: Int = 10_000, time: any TimeSource) {
    self.burst = burst
    self.intervalMs = intervalMs
    self.capacity = capacity
    self.time = time
  }

  /// Takes a token: nil, or the milliseconds until there is one.
  public func take(_ key: String) -> Int64? {
    let nowMs = time.nowMs
    return state.withLock { state in
      let key = room(for: key, at: nowMs, in: &state)
      let emptyMs = burst * intervalMs
      // NB: a clock that was set back must not lock anybody out for longer than an empty bucket does.
      let fullAtMs = min(max(state.fullAtMs[key] ?? nowMs, nowMs), nowMs + emptyMs)
      let waitMs = fullAtMs + intervalMs - nowMs - emptyMs
      state.fullAtMs[key] = waitMs > 0 ? fullAtMs : fullAtMs + intervalMs
      return waitMs > 0 ? waitMs : nil
    }
  }

  /// What was taken under this key was no misuse.
  func refill(_ key: String) { _ = state.withLock { $0.fullAtMs.removeValue(forKey: key) } }

  private func room(for key: String, at nowMs: Int64, in state: inout State) -> String {
    guard state.fullAtMs[key] == nil, state.fullAtMs.count >= capacity else { return key }
    if nowMs >= state.sweptAtMs + intervalMs || nowMs < state.sweptAtMs {
      state.sweptAtMs = nowMs
      state.fullAtMs = state.fullAtMs.filter { $0.value > nowMs }
    }
    return state.fullAtMs.count < capacity ? key : Self.shared
  }

  private static let shared = "everybody else"
}
