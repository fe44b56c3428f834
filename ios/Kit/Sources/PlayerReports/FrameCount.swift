internal import CoreTypes

/// Frames of one unbroken movement of a clip, from how far it went and what the player says that it dropped.
///
/// Only the core knows what is too many. A count that is none (a server's rate, a player's total that went
/// back) begins anew.
struct FrameCount: Sendable {
  /// Two seconds of most clips.
  private static let fewest = 60
  /// The core takes no more at once.
  private static let most = 240
  /// A position further off was gone to, not played.
  private static let longestStep = Milliseconds(1_000)
  private static let rates = 1.0...240.0

  private var position: Milliseconds?
  private var moved = Milliseconds.zero
  private var dropped: Int?

  mutating func move(to position: Milliseconds) {
    if let before = self.position, position > before, position - before <= Self.longestStep {
      moved += position - before
    }
    self.position = position
  }

  /// `nil`: too few yet, or nothing to compare with.
  mutating func count(dropped total: Int, frameRate: Double) -> (shown: Int32, dropped: Int32)? {
    guard Self.rates.contains(frameRate), let dropped, total >= dropped else {
      begin(total)
      return nil
    }
    let frames = Int(Double(moved.rawValue) * frameRate / 1_000)
    guard frames >= Self.fewest else { return nil }
    let lost = min(total - dropped, frames)
    begin(total)
    return (Int32(min(frames - lost, Self.most)), Int32(min(lost, Self.most)))
  }

  private mutating func begin(_ total: Int) {
    dropped = total
    moved = .zero
  }
}
