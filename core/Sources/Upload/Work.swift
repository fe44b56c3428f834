import CoreTypes

/// How far a piece of work on this device is, and when it will be done at the pace so far.
struct Work: Sendable {
  /// Before that much time a pace says more about how it began.
  static let honestAfter = Milliseconds(2_000)

  private(set) var permille: Int32 = 0
  /// `nil` until it is honest.
  private(set) var remaining: Milliseconds?
  private var began: (at: Instant, permille: Int32)?

  mutating func note(_ permille: Int32, at now: Instant) {
    self.permille = min(max(permille, 0), 1_000)
    guard let began else { return self.began = (now, self.permille) }
    let (time, done) = (now - began.at, Int64(self.permille) - Int64(began.permille))
    guard time >= Self.honestAfter, done > 0, time < Milliseconds(1 << 40) else { return }
    remaining = Milliseconds(time.rawValue * Int64(1_000 - self.permille) / done)
  }
}

extension Upload {
  /// Of an uplink that nobody has measured yet: what a mobile network gives.
  static let typicalUplink = BitsPerSecond(5_000_000)

  mutating func noteWork(_ call: CallID, _ permille: Int32, at now: Instant, _ emit: (Command) -> Void) {
    guard isWork(call) else { return }
    work.note(permille, at: now)
    guard case .compressing = stage, let candidate, let uplink, let remaining = work.remaining else { return }
    let saved = (candidate.source.size - SizeGate.compressedFrom).transferTime(at: uplink)
    guard remaining > saved else { return }
    // The bytes are sent sooner than spared.
    emit(.stopWork(call))
    takeNoResult(of: call, at: now, emit)
  }
}
