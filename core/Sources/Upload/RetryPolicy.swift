internal import CoreTypes

/// When to try again after a failure, and when to leave it.
///
/// Delays are drawn from zero up to a bound that doubles ("full jitter", Brooker: "Exponential Backoff
/// And Jitter", 2015): uploads that a server dropped together spread over the whole time.
struct RetryPolicy: Sendable {
  static let limit: Int32 = 10
  private static let first = Milliseconds(1_000)
  private static let longest = Milliseconds(60_000)
  /// A full disk is not emptied within a second.
  static let storage = Milliseconds(10_000)
  /// What a server may ask for; beyond, it is tried anyway.
  private static let longestAsked = Milliseconds(600_000)

  /// Failures since the last progress.
  private(set) var failures: Int32 = 0
  private var drawn: Instant?
  private var asked: Instant?

  var isExhausted: Bool { failures >= Self.limit }

  /// Until then nothing is tried.
  var until: Instant? {
    guard let drawn, let asked else { return drawn ?? asked }
    return max(drawn, asked)
  }

  /// The first failure after progress may be `cheap`: what went wrong is known, and a wait mends nothing.
  mutating func failed(at now: Instant, cheap: Bool, _ generator: inout SeededGenerator) {
    failures = min(failures + 1, Self.limit)
    if cheap, failures == 1 { return }
    let bound = min(Self.longest, Self.first * (Int64(1) << Int64(failures - 1)))
    drawn = now + Milliseconds(1 + generator.next(below: bound.rawValue))
  }

  /// The server wants to be left alone for so long. Neither progress nor impatience shortens that.
  mutating func wait(_ time: Milliseconds, at now: Instant) {
    guard time > .zero else { return }
    let due = now + min(time, Self.longestAsked)
    asked = asked.map { max($0, due) } ?? due
  }

  mutating func progressed() { failures = 0 }

  /// The network came back.
  mutating func skipWait() { drawn = nil }

  /// The person asks for another try.
  mutating func restart() {
    failures = 0
    drawn = nil
  }

  mutating func passed(_ now: Instant) {
    if let drawn, now >= drawn { self.drawn = nil }
    if let asked, now >= asked { self.asked = nil }
  }
}
