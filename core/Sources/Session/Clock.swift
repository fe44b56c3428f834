internal import CoreTypes

/// The time as the machines see it: it starts at 0, never runs backwards and takes no leap out of
/// this world, whatever the host's clock does.
///
/// A clock that was set back goes on from where it stood (or every deadline would wait until the old
/// time is reached again), and one that jumped to the end of time does not stay there.
struct Clock: Sendable {
  /// More than this between two events tells nobody anything.
  private static let longestStep = Milliseconds(24 * 3_600_000)

  private(set) var now = Instant(0)
  private var host: Instant?

  /// Returns whether the host's clock went back, so that what it was asked to do at a time is late.
  mutating func advance(to time: Instant) -> Bool {
    defer { host = time }
    guard let host else { return false }
    now = now + min(max(time - host, .zero), Self.longestStep)
    return time < host
  }

  /// When that is on the host's clock.
  func onHost(_ instant: Instant) -> Instant { (host ?? Instant(0)) + (instant - now) }
}
