public import CoreTypes

/// Tells one tap on the clip from two quick ones.
///
/// A single tap pauses and a double tap likes, so the first of two must not pause: it waits until no second
/// one can come any more. While the clip is paused there is nothing to wait for: a tap lets it play at once,
/// and a second one likes.
///
/// It refuses to know what a tap is good for.
///
/// Invariants:
/// - Each touch is part of exactly one `tapped` or `doubleTapped`, or was `interrupted`.
/// - A single tap counts within `doubleTapInterval`.
/// - Two touches that are a double tap never count as `tapped`, unless the first one let a paused clip play.
public struct Taps: Sendable {
  public enum Event: Sendable {
    /// A finger or pointer touched the clip and left it, at this place in px. `countsAtOnce`: the clip is
    /// paused.
    case touched(x: Int64, y: Int64, countsAtOnce: Bool)
    /// Something else began: a drag, another clip.
    case interrupted
    case woke
  }

  public enum Command: Equatable, Sendable {
    case tapped
    /// Where the second touch was. A third quick one is another double tap.
    case doubleTapped(x: Int64, y: Int64)
  }

  /// Two touches this close in time are one double tap. Quick ones take 100 to 200 ms; a pause that comes
  /// later than a quarter of a second feels late.
  public static let doubleTapInterval = Milliseconds(225)
  /// …and this close in place, in px: Android's `ViewConfiguration` allows 100 dp, browsers about 40 px.
  public static let doubleTapReach: Int64 = 48

  private struct Touch: Sendable {
    let x: Int64
    let y: Int64
    let at: Instant
  }

  /// The last touch, which another one may follow.
  private var last: Touch?
  /// When the last touch counts as a single tap; `nil` if it has counted.
  private var due: Instant?

  public init() {}

  public var nextWake: Instant? { due }

  public mutating func handle(_ event: Event, at now: Instant, emit: (Command) -> Void) {
    switch event {
    case .touched(let x, let y, let countsAtOnce):
      let touch = Touch(x: x, y: y, at: now)
      let isSecond = last.map { isDouble($0, touch) } ?? false
      last = touch
      if isSecond {
        due = nil
        emit(.doubleTapped(x: x, y: y))
        return
      }
      // Elsewhere, or too late: what came before was a tap of its own.
      if due != nil { emit(.tapped) }
      due = countsAtOnce ? nil : now + Self.doubleTapInterval
      if countsAtOnce { emit(.tapped) }
    case .interrupted:
      last = nil
      due = nil
    case .woke:
      guard let due, now >= due else { return }
      self.due = nil
      emit(.tapped)
    }
  }

  private func isDouble(_ first: Touch, _ second: Touch) -> Bool {
    guard second.at - first.at < Self.doubleTapInterval else { return false }
    let (x, isFarX) = second.x.subtractingReportingOverflow(first.x)
    let (y, isFarY) = second.y.subtractingReportingOverflow(first.y)
    let reach = Self.doubleTapReach.magnitude
    guard !isFarX, !isFarY, x.magnitude <= reach, y.magnitude <= reach else { return false }
    return x * x + y * y <= Self.doubleTapReach * Self.doubleTapReach
  }
}
