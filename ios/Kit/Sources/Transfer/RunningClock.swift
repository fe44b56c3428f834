public import CoreTypes
public import Playback

/// Counts the time in which this app runs. While the system has put it to sleep, bytes go on by themselves
/// and nothing of it is heard; so that time is nobody's silence.
@MainActor public final class RunningClock: HostClock {
  /// It looks at the time at least so often, so that what lies longer between two looks was sleep.
  static let tick = Milliseconds(1_000)
  static let longestGap = Milliseconds(3_000)

  private let source: any HostClock
  private var last: Instant
  private var passed = Instant(0)

  /// `source` goes on while the app sleeps.
  public init(_ source: any HostClock) {
    self.source = source
    last = source.now
  }

  public var now: Instant {
    let now = source.now
    passed = passed + min(max(now - last, .zero), Self.longestGap)
    last = now
    return passed
  }

  public func wake(at instant: Instant, _ ring: @escaping @MainActor () -> Void) {
    let left = max(instant - now, .zero)
    source.wake(at: source.now + min(left, Self.tick)) { [weak self] in
      guard let self else { return }
      if now >= instant { ring() } else { wake(at: instant, ring) }
    }
  }
}
