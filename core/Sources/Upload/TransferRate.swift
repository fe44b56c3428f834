internal import CoreTypes

/// How fast bytes leave, and how large the next part should be.
///
/// Time counts while something is being sent, so that a pause does not look like a slow link.
struct TransferRate: Sendable {
  /// Before that much time with bytes under way a rate says more about buffers than about the link.
  static let honestAfter = Milliseconds(2_000)
  /// A part should take about that long: a cut costs little then, and the round trips even less.
  static let partTime = Milliseconds(4_000)
  static let firstPart = Bytes(1 << 20)
  static let smallestPart = Bytes(256 << 10)
  static let largestPart = Bytes(8 << 20)
  /// Rates over less time jump with every packet.
  private static let window = Milliseconds(500)
  /// A stall longer than this is one fact, not many.
  private static let longestWindow = Milliseconds(60_000)
  /// ms; what was measured this long ago counts half.
  private static let memory: Int64 = 3_000

  private(set) var rate = BitsPerSecond.zero
  private(set) var part = firstPart
  private var measured = Milliseconds.zero
  private var countedBytes: Int64 = 0
  private var countedTime: Int64 = 0
  private var since: Instant?
  private var moved = Bytes.zero

  /// `nil` until it is honest.
  var speed: BitsPerSecond? { measured >= Self.honestAfter ? rate : nil }

  /// Sending begins, or goes on.
  mutating func begin(at now: Instant) { if since == nil { since = now } }

  mutating func move(_ bytes: Bytes, at now: Instant) {
    guard let since else { return }
    moved += bytes
    if now - since >= Self.window { fold(at: now) }
  }

  /// Nothing is being sent any more.
  mutating func end(at now: Instant) {
    if moved > .zero { fold(at: now) }
    since = nil
    moved = .zero
  }

  /// A part arrived whole: the next may be a step larger or smaller.
  mutating func adapt() {
    let expected = part.transferTime(at: rate)
    guard rate > .zero else { return }
    if expected * 3 <= Self.partTime * 2 { part = min(part * 2, Self.largestPart) }
    if expected * 2 >= Self.partTime * 3 { halve() }
  }

  /// What is lost in a cut should be half as much next time.
  mutating func halve() { part = max(Bytes(part.rawValue / 2), Self.smallestPart) }

  /// What was measured before counts less with every window, in bytes and in time alike.
  private mutating func fold(at now: Instant) {
    guard let since else { return }
    let time = min(max(now - since, Milliseconds(1)), Self.longestWindow).rawValue
    countedBytes = countedBytes * Self.memory / (Self.memory + time) + moved.rawValue
    countedTime = countedTime * Self.memory / (Self.memory + time) + time
    rate = BitsPerSecond(countedBytes * 8_000 / countedTime)
    measured += Milliseconds(time)
    self.since = now
    moved = .zero
  }
}
