public import CoreTypes

/// The feed as people see it: UIKit on the phone, a log in tests. Each call says that a value of `FeedModel`
/// is another now, and returns at once.
@MainActor public protocol FeedDisplay: AnyObject {
  /// Pages came, went or have other places, or another clip is the current one.
  func pagesChanged()
  /// The pages stand or move otherwise: `FeedModel.layout` says where at each frame until `isMoving` is over.
  func motionChanged()
  /// Signs, sound, captions or the frame rate.
  func signsChanged()
  /// What a clip's page says; `nil`: all pages.
  func clipChanged(_ id: String?)
  func scrubberChanged()
  /// A heart where the finger is, in points of the feed.
  func showHeart(x: Double, y: Double)
  /// What is on the screen now fades over what comes, for so long.
  func fade(_ duration: Milliseconds)
  /// The poster of a page is here: `FeedModel.pictures` has it.
  func posterChanged(_ item: ItemID)
  /// Nothing lies over the feed any more: what keys mean is its own again.
  func uncovered()
}
