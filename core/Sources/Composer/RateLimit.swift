import CoreTypes

/// A bucket of tokens: `burst` at once, then one per `interval`.
struct RateLimit: Sendable {
  private let burst: Int32
  private let interval: Milliseconds
  private var tokens: Int32
  /// When the next token comes; `nil` while the bucket is full.
  private var refillAt: Instant?

  init(burst: Int32, interval: Milliseconds) {
    self.burst = burst
    self.interval = interval
    tokens = burst
  }

  var isOpen: Bool { tokens > 0 }

  /// When a closed limit opens again.
  var opensAt: Instant? { isOpen ? nil : refillAt }

  mutating func refill(at now: Instant) {
    guard let due = refillAt, now >= due else { return }
    let grown = (now - due).rawValue / interval.rawValue
    if grown >= Int64(burst - tokens) - 1 {
      tokens = burst
      refillAt = nil
    } else {
      tokens += Int32(grown) + 1
      refillAt = due + interval * (grown + 1)
    }
  }

  /// Takes a token if there is one.
  mutating func take(at now: Instant) -> Bool {
    refill(at: now)
    guard tokens > 0 else { return false }
    tokens -= 1
    if refillAt == nil { refillAt = now + interval }
    return true
  }
}
