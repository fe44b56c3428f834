public import CoreTypes

/// What one session was like.
///
/// Invariant: `played + waited + stalled + paused` is the whole time on the clock.
public struct Measures: Equatable, Sendable {
  /// The picture of the clip that the person is at moves.
  public var played = Milliseconds.zero
  /// From the opening of the app, or from the release of a swipe, until the picture of the clip moves.
  public var waited = Milliseconds.zero
  /// It has moved, and stands for want of bytes.
  public var stalled = Milliseconds.zero
  /// By the person's own will, with the player's start afterwards.
  public var paused = Milliseconds.zero
  public var stalls = 0
  /// From the opening of the app to the first picture that moves.
  public var start = Milliseconds.zero
  /// Of each swipe, from its release to the first picture that moves, or until the person goes on without
  /// having seen one.
  public var swipeWaits: [Milliseconds] = []
  /// Clips that the person left without having seen a picture move.
  public var unseen = 0
  /// Clips that were seen, and the sum of the short edges with which they began.
  public var seen = 0
  public var startEdges: Int64 = 0
  /// Short edge of what was shown times its time.
  public var edgeTime: Int64 = 0
  /// Nominal kbit/s of what was shown times its time.
  public var kilobitTime: Int64 = 0
  /// Changes of rendition within a clip.
  public var switches = 0
  /// What the product's measure needs besides.
  public var comfort = Comfort()
  /// Sum of the jumps in nominal kbit/s from one second that is shown to the next, across clips too.
  public var jumps: Int64 = 0
  /// All bytes that the link delivered, of cancelled requests too, and those of which something was shown.
  public var bytes: Int64 = 0
  public var usefulBytes: Int64 = 0
  public var requests = 0
  public var peakStored: Int64 = 0
  /// Time in which the radio was busy or waited for an answer.
  public var radio = Milliseconds.zero

  public init() {}

  public var wall: Milliseconds { played + waited + stalled + paused }
  public var wastedBytes: Int64 { bytes - usefulBytes }

  /// The challenge's score (ACM Multimedia 2022, short-video streaming): rendition in Mbit/s for each
  /// second shown, less 1.85 for each second without a picture, less the jumps in Mbit/s, less a half for
  /// each Mbit fetched.
  public var score: Double {
    let quality = Double(kilobitTime) / 1e6
    let waiting = Double((waited + stalled).rawValue) / 1_000
    return quality - 1.85 * waiting - Double(jumps) / 1_000 - 0.5 * Double(bytes) * 8 / 1e6
  }
}
