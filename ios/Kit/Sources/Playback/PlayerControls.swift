public import CoreTypes

/// What a person can do to players beside what the core commands: the pool on the phone, a list of calls in
/// tests.
///
/// - Each call returns at once and does nothing for a player without a clip.
/// - `setSpeed` holds for all players and for what they load next.
/// - `setCaptions` holds for the clip that is attached; `nil` is none. A language that the clip does not have
///   is none too.
/// - `setHeard` says whether clips are heard at all: until then other apps' sound goes on.
/// - `setLargest` is for receivers that choose renditions by themselves: none larger than this, from what is
///   loaded next on. On the device the core chooses.
@MainActor public protocol PlayerControls: AnyObject {
  /// Whether this device has windows of the system's for clips.
  var hasWindows: Bool { get }
  /// Whether another app is heard now.
  var othersAreHeard: Bool { get }
  /// What plays should stand: a call came, or the headphones went.
  var onStopped: (() -> Void)? { get set }
  /// A window that somebody asked for did not come.
  var onWindowRefused: (() -> Void)? { get set }
  /// `false`: there is no picture for a window yet.
  func toggleWindow(of player: PlayerID) -> Bool
  func setSpeed(_ rate: Double)
  func setCaptions(_ language: String?, on player: PlayerID)
  func setHeard(_ isHeard: Bool)
  func setLargest(shortEdge: Int32)
}
