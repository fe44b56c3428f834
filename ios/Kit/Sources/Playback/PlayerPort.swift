public import CoreTypes
public import Foundation

/// One player of the pool, as the session's host sees it: AVPlayer on the phone, a child process in `phone`,
/// a list of calls in tests.
///
/// The host makes as many as the core's pool has, once, numbers them 0, 1, 2 … and uses them again for clip
/// after clip; a player is never made while somebody swipes. Whoever implements this carries out and
/// reports; what plays when is the core's to say. Obligations:
///
/// - Each call returns at once; what takes time goes on behind it. A call replaces what an earlier one began:
///   after `release` or another `load` nothing of the clip before is shown, heard or reported.
/// - Whatever happens, at most one clip is attached, and no decoder is held without one.
/// - Reports come on the main actor, in the order in which things happened, and never from inside a call of
///   this protocol that caused them only by being made (`pause` reports the position, nothing else).
/// - A report names the clip that it is about, which is the one attached when it is made.
@MainActor public protocol PlayerPort: AnyObject {
  /// Where reports go. Set by the host before its first call; nothing is reported while it is `nil`.
  var report: ((PlayerReport) -> Void)? { get set }

  /// Attaches a clip: reads its playlist, asks for its first segment and makes its first frame ready, without
  /// playing and without a sound, then reports `firstFrameReady`.
  ///
  /// The frame may be long in coming: the address answers when bytes are there. Nothing black is shown
  /// meanwhile (the poster lies under the player until the frame is on its layer).
  func load(_ media: PlayerMedia)

  /// Plays from where it stands, looping without a gap, until `pause`, `release` or another `load`.
  ///
  /// Before the first frame is ready this is a wish that holds. Reports `playbackAdvanced` when the picture
  /// has really moved; `playbackStalled` when it wants to move and has no data, and `playbackAdvanced` again
  /// when it goes on; `looped` at each new beginning. A player that cannot loop by itself reports
  /// `playbackEnded` instead and stands at the end. Without a clip this does nothing.
  func play()

  /// Stands still, keeps picture and position, and reports `positionChanged` if it was to play.
  func pause()

  /// Goes to a position, exactly. Right behind `load` it is where the clip starts, and the frame there is its
  /// first one. Reports `positionChanged` when it is there. Beyond the end is the end.
  func seek(to position: Milliseconds)

  /// Detaches the clip and gives decoder and buffers back. The player is kept for the next `load`.
  func release()

  /// Whether nobody hears it. Holds over `load` and `release`; a player begins muted.
  func setMuted(_ isMuted: Bool)
}

/// What a player is to play.
public struct PlayerMedia: Equatable, Sendable {
  public let item: ItemID
  /// The clip on this device: a playlist of the loopback proxy, written for this load alone. The segments
  /// behind it are those that the core has decided for.
  public let address: URL
  /// The clip's own HLS address, for a receiver that plays by itself and cannot reach this device's loopback
  /// (AirPlay).
  public let origin: URL
  /// Length of the video track; a loop starts again exactly here.
  public let duration: Milliseconds
  /// Frames a second, as the server says: any number.
  public let frameRate: Double

  public init(item: ItemID, address: URL, origin: URL, duration: Milliseconds, frameRate: Double) {
    self.item = item
    self.address = address
    self.origin = origin
    self.duration = duration
    self.frameRate = frameRate
  }
}

/// What a player found out, about the clip that was attached then.
public struct PlayerReport: Equatable, Sendable {
  public enum Event: Equatable, Sendable {
    /// The first frame of the clip can be shown now, and nothing of another clip. Once for each `load`.
    case firstFrameReady
    /// The picture really moves: after `play`, after a stall.
    case playbackAdvanced
    /// It is to play and has no data.
    case playbackStalled
    /// About four times a second while it plays, after a seek, and when it pauses.
    case positionChanged(Milliseconds)
    /// The position has passed from the end to the start.
    case looped
    /// It stands at its end, since it cannot loop by itself.
    case playbackEnded
    /// The clip cannot be decoded, or its playlist is refused. Not for bytes that are late.
    case failed
    /// The system refused to start it.
    case autoplayRefused
    /// The system shows it in a window of its own.
    case pictureInPictureBegan
    /// That window is gone; `returns`: the person came back by it.
    case pictureInPictureEnded(returns: Bool)
    /// The window's own button.
    case pictureInPicturePlayed(isOn: Bool)
    /// What became of its frames since this was said last, in a picture with this shorter side, px: how many
    /// were seen, and how many the decoder brought too late. Only while the clip plays as fast as it is; from
    /// players that cannot tell, never.
    case framesShown(shortEdge: Int32, shown: Int32, dropped: Int32)
  }

  public let item: ItemID
  public let event: Event

  public init(item: ItemID, event: Event) {
    self.item = item
    self.event = event
  }
}
