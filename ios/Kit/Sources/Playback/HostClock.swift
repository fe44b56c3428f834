public import CoreTypes

/// The host's clock. It never goes back, and goes on while the device sleeps or not, as it likes.
@MainActor public protocol HostClock: AnyObject {
  var now: Instant { get }

  /// Calls `ring` once, at that time or soon after; at once, but not from inside this call, if it has passed.
  /// A later call replaces an earlier one.
  func wake(at instant: Instant, _ ring: @escaping @MainActor () -> Void)
}

/// The system's clock.
@MainActor public final class SystemClock: HostClock {
  private let clock = ContinuousClock()
  private let zero: ContinuousClock.Instant
  private var alarm: Task<Void, Never>?

  public init() { zero = clock.now }

  public var now: Instant {
    let passed = (clock.now - zero).components
    return Instant(passed.seconds * 1_000 + passed.attoseconds / 1_000_000_000_000_000)
  }

  public func wake(at instant: Instant, _ ring: @escaping @MainActor () -> Void) {
    alarm?.cancel()
    // What lies beyond this is asked for again when it comes near.
    let left = min(max((instant - now).rawValue, 0), 24 * 3_600_000)
    alarm = Task { [clock] in
      try? await clock.sleep(for: .milliseconds(left))
      if !Task.isCancelled { ring() }
    }
  }
}
