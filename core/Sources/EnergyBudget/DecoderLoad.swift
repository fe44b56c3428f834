internal import CoreTypes

/// Whether the decoder keeps up with what it is given: frames that it drops cost bytes and energy, and
/// nobody sees them.
///
/// Decides by what was on the screen, a sample of one size after the other, so that what one size costs is
/// never blamed on another. Where a smaller size drops nearly as much, size is not the reason (a screen that
/// draws fewer frames than the clip has): then nothing is held against any, for as long.
struct DecoderLoad: Sendable {
  /// Frames, eight seconds of most clips. A seek, a start and a busy moment drop some; so short a sample of
  /// nothing else would say little.
  static let sample: Int32 = 240
  /// Of a hundred. As in dash.js's rule for dropped frames.
  static let most: Int32 = 15
  /// The smallest that is made: below it there is nothing to choose.
  static let smallest: Int32 = 360

  /// Nothing sharper is decoded in time.
  private(set) var maxShortEdge = Int32.max
  /// When sharper ones are tried again.
  private(set) var reliefAt: Instant?
  private var shortEdge: Int32 = 0
  private var frames: Int32 = 0
  private var dropped: Int32 = 0
  /// What the size that is held back dropped, of a hundred.
  private var worst: Int32 = 0

  /// More frames at once than a sample has, or fewer than none, are no count.
  mutating func note(_ shortEdge: Int32, shown: Int32, dropped: Int32, at now: Instant) {
    guard (0...Self.sample).contains(shown), (0...Self.sample).contains(dropped) else { return }
    if shortEdge != self.shortEdge {
      self.shortEdge = shortEdge
      (frames, self.dropped) = (0, 0)
    }
    frames += shown + dropped
    self.dropped += dropped
    guard frames >= Self.sample else { return }
    let share = self.dropped * 100 / frames
    (frames, self.dropped) = (0, 0)
    // What was stored before may go on in a size that is held back.
    if share > Self.most, shortEdge <= maxShortEdge { judge(share, at: now) }
  }

  private mutating func judge(_ share: Int32, at now: Instant) {
    if reliefAt != nil {
      guard maxShortEdge < .max else { return }
      if share * 4 >= worst * 3 {
        maxShortEdge = .max
        return
      }
    }
    guard shortEdge > Self.smallest else { return }
    maxShortEdge = shortEdge - 1
    worst = share
    reliefAt = now + EnergyBudget.decoderPatience
  }

  mutating func pass(_ now: Instant) {
    guard let reliefAt, now >= reliefAt else { return }
    maxShortEdge = .max
    self.reliefAt = nil
  }
}
