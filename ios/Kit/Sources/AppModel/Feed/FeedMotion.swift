public import CoreTypes

/// Where the pages stand, in millionths of a page, and how they get where they go: a value, so that whoever
/// draws asks it for a place at each frame and applies one transform.
public struct FeedMotion: Equatable, Sendable {
  /// Millionths of a page.
  public static let page: Int64 = 1_000_000

  public let from: Int64
  public let to: Int64
  public let began: Instant
  /// Zero: it is there.
  public let duration: Milliseconds
  /// The page that the core hears of at the end; `nil` where it does not wait.
  public let settlesOn: Int32?

  public init(
    from: Int64, to: Int64, began: Instant, duration: Milliseconds = .zero, settlesOn: Int32? = nil
  ) {
    self.from = from
    self.to = to
    self.began = began
    self.duration = max(duration, .zero)
    self.settlesOn = settlesOn
  }

  /// Stands still.
  public init(at position: Int64, since now: Instant = Instant(0)) {
    self.init(from: position, to: position, began: now)
  }

  public var end: Instant { began + duration }

  public func isOver(at now: Instant) -> Bool { now >= end }

  /// The pager's own curve (easeOutCubic), by which it knows where a finger catches the page.
  public func position(at now: Instant) -> Int64 {
    guard duration > .zero, now < end else { return to }
    let elapsed = max((now - began).rawValue, 0)
    let left = 1 - Double(elapsed) / Double(duration.rawValue)
    let place = Double(to) - (Double(to) - Double(from)) * left * left * left
    return Int64(min(max(place, -9e18), 9e18).rounded())
  }
}
