import CoreTypes
import Playback
import Session

/// What a scripted person does: how long they stay with a clip, and which way they flick then. The same seed
/// is the same person, whatever phone they hold.
struct Person {
  private var generator: SeededGenerator
  /// How long they stay, against what they would.
  private let pace: Double

  init(seed: UInt64, pace: Double) {
    generator = SeededGenerator(seed: seed)
    self.pace = pace
  }

  /// Two in five clips are left within a second; the others are watched for a while.
  mutating func dwell() -> Duration {
    let isQuick = generator.next(below: 5) < 2
    let milliseconds = isQuick ? 250 + generator.next(below: 750) : 1_000 + generator.next(below: 5_000)
    return .milliseconds(Int64(Double(milliseconds) * pace))
  }

  /// A flick up, to the next clip; now and then one down.
  mutating func flicksUp() -> Bool { generator.next(below: 8) != 0 }

  /// A finger that flicks.
  @MainActor static func flick(up: Bool, on host: SessionHost) {
    let direction: Int64 = up ? -1 : 1
    host.report(.dragBegan)
    for step in 1...4 as ClosedRange<Int64> { host.report(.dragMoved(translation: direction * step * 60)) }
    host.report(.dragEnded(translation: direction * 260, velocity: direction * 1_400))
  }
}
