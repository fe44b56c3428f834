public import CoreTypes

extension FeedPager {
  public enum Event: Sendable {
    case started(reducedMotion: Bool)
    case motionReduced(Bool)
    case itemAppended(ItemID)
    /// Before another clip of the feed: a newer one on top, an advertisement, one that was removed by
    /// mistake. A clip of the feed itself changes its place.
    case itemInserted(ItemID, before: ItemID)
    case pageLoaded(hasMore: Bool)
    case pageFailed
    case itemRemoved(ItemID)
    /// Height of a page in px.
    case viewportResized(height: Int64)
    case dragBegan
    case dragMoved(translation: Int64)
    case dragEnded(translation: Int64, velocity: Int64)
    case dragCancelled
    case stepped(pages: Int64)
    case jumped(page: Int64)
    case jumpedToItem(ItemID)
    /// While locked no gesture moves the feed; jumps do.
    case locked(Bool)
    case wheelMoved(delta: Int64)
    case settleFinished(page: Int64)
    /// Whether a clip can show its first frame at once.
    case readinessChanged(ItemID, isReady: Bool)
    /// Whether a page must show its first frame before it is gone to, however long that takes.
    case firstFrameRequired(Bool)
    /// The person does something else with the clip on the screen: what was waited for is not wanted any
    /// more.
    case waitCancelled
    case retryRequested
    case woke
  }

  public enum Command: Equatable, Sendable {
    case mount(ItemID, page: Int32)
    case unmount(ItemID)
    case scroll(Position)
    case settle(page: Int32, duration: Milliseconds)
    case hold(Position, duration: Milliseconds)
    /// The `settle` that follows goes far, at once: what is on the screen fades over it.
    case fade(Milliseconds)
    case setCurrent(ItemID, page: Int32)
    case requestPage
    case showEnd(Bool)
    /// A clip is wanted that cannot show its first frame yet; the page has gone back until it can.
    case showWaiting(Bool)
    /// The clip fell off the top of a very long feed.
    case forget(ItemID)
  }
}
