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
/// - It hears what players report, before the core does, and may pass over it.
@MainActor public protocol FeedScreen: AnyObject {
  func show(_ command: FeedSession.Command, in host: SessionHost)
  func playerReported(_ report: PlayerReport, in host: SessionHost)
}

extension FeedScreen {
  public func playerReported(_ report: PlayerReport, in host: SessionHost) {}
}
