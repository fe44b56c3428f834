public import Foundation

/// Where players find a clip's bytes on this device: the loopback proxy.
///
/// - The address of a load answers from `open` to `close`, also while bytes are still coming, and nothing
///   else does.
/// - What it serves are the segments that the core has decided for, in the rendition in which they are stored
///   or coming. It fetches nothing.
@MainActor public protocol MediaAddressing: AnyObject {
  /// Called when a load cannot go on: the player has begun a segment, and the core has taken that rendition
  /// back and decided for another. The host loads the player anew, where it stands.
  var onStale: ((MediaLoad) -> Void)? { get set }

  /// A playlist of this clip for one load.
  func open(_ clip: FeedClip) -> MediaLoad

  /// The load is over.
  func close(_ load: MediaLoad)
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
