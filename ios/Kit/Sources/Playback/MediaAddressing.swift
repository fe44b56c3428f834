public import Foundation

/// Where players find a clip's bytes on this device: the loopback proxy.
///
/// - The address of a load answers from `open` to `close`, also while bytes are still coming, and nothing
///   else does.
/// - What it serves are the segments that the core has decided for, in the rendition in which they are stored
///   or coming. It fetches nothing.
@MainActor public protocol MediaAddressing: AnyObject {
  /// Called when a load cannot go on: the player has begun a segment, and the core has taken that rendition
  /// back and decided for another; or nobody was there to answer it. The host loads the player anew, where it
  /// stands.
  var onStale: ((MediaLoad) -> Void)? { get set }

  /// A playlist of this clip for one load.
  func open(_ clip: FeedClip) -> MediaLoad

  /// The load is over.
  func close(_ load: MediaLoad)
}

/// The same with its socket.
///
/// - `start` listens when it returns, in the turn of its call: the feed of last time is given to players in
///   that turn. It keeps the port of last time; where somebody else has taken it, loads that are open are
///   stale.
/// - The system closes the sockets of an app that sleeps. `revive`, when the app comes back, listens again if
///   it has, and all open loads are stale; where it has not, since a window played on, nothing is cut off.
@MainActor public protocol MediaListening: MediaAddressing {
  /// Of this device; 0 before the first start.
  var port: UInt16 { get }
  func start() throws
  func revive() async throws
  func stop() async
}

/// A clip as one player is to play it, once.
public struct MediaLoad: Equatable, Sendable {
  public let number: Int
  public let address: URL

  public init(number: Int, address: URL) {
    self.number = number
    self.address = address
  }
}
