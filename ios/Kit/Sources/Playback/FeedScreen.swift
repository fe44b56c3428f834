public import Foundation
public import Session

/// What people see of the feed: pages, signs, the message bar. UIKit on the phone, a log in tests.
///
/// - It carries out, of the commands in docs/design/session.md, those that concern pages and their places
///   (`mount` to `setCurrent`, `fade`), signs (`showEnd`, `showBuffering`, `showPaused`,
///   `showNetworkTrouble`, `showWaiting`, `noticeSkipped`), sound's control (`setMuted`), the frame rate
///   (`setRefreshRate`), a double tap (`like`) and the message bar (`composer`). It passes over those that it
///   does not know.
/// - It returns at once. What it has to say in turn, `settleFinished` first of all, it reports to the host,
///   from inside a call too: the event waits until all commands have run.
@MainActor public protocol FeedScreen: AnyObject {
  func show(_ command: FeedSession.Command, in host: SessionHost)
}

/// Where players find a clip's bytes on this device: the loopback proxy.
@MainActor public protocol MediaAddressing: AnyObject {
  /// A playlist of this clip for one load. It answers until it is closed, also while bytes are still coming.
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
