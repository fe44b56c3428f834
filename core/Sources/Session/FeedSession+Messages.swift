public import Composer
public import CoreTypes
public import EnergyBudget
public import FeedPager
public import MediaCache
public import Prefetch

/// The full interface is described in docs/design/session.md, kind by kind.
extension FeedSession {
  public enum Event: Sendable {
    case started(Configuration)
    case itemAppended(ItemID, PlaybackDescriptor)
    /// Before another clip of the feed; one that is in the feed already changes its place.
    case itemInserted(ItemID, before: ItemID, PlaybackDescriptor)
    /// The answer to `describe`.
    case itemDescribed(ItemID, PlaybackDescriptor)
    case retentionKnown(ItemID, Retention)
    case pageLoaded(hasMore: Bool)
    case pageFailed
    case itemRemoved(ItemID)
    case viewportResized(height: Int64, shortEdge: Int64)
    case dragBegan
    case dragMoved(translation: Int64)
    case dragEnded(translation: Int64, velocity: Int64)
    case dragCancelled
    case stepped(pages: Int64)
    case jumped(page: Int64)
    case jumpedToItem(ItemID)
    case wheelMoved(delta: Int64)
    case settleFinished(page: Int64)
    case firstFrameReady(PlayerID, ItemID)
    case playbackAdvanced(PlayerID, ItemID)
    case playbackStalled(PlayerID, ItemID)
    case positionChanged(PlayerID, ItemID, Milliseconds)
    case looped(PlayerID, ItemID)
    case playerFailed(PlayerID, ItemID)
    case autoplayRefused(PlayerID, ItemID)
    case playbackEnded(PlayerID, ItemID)
    /// The system shows this player in a window of its own, over other pages and apps.
    case pictureInPictureBegan(PlayerID, ItemID)
    /// The window is gone; `returns`: the person came back by it, and did not just close it.
    case pictureInPictureEnded(PlayerID, ItemID, returns: Bool)
    /// By the buttons of that window.
    case pictureInPicturePlayed(PlayerID, ItemID, isOn: Bool)
    case segmentStored(RequestID, ItemID, rendition: Int32, segment: Int32)
    case fetchFinished(RequestID, Bytes, elapsed: Milliseconds, firstByte: Milliseconds)
    case fetchFailed(RequestID, Prefetch.FailureReason)
    case networkChanged(isOnline: Bool)
    /// By a key or a button: there is no second one to wait for.
    case tapped
    /// A tap on the clip, at this place in px. Two quick ones are a double tap.
    case touched(x: Int64, y: Int64)
    case soundSet(isOn: Bool)
    case scrubBegan
    case scrubMoved(Milliseconds)
    case scrubEnded(Milliseconds)
    case retryRequested
    case backgrounded
    case foregrounded
    case memoryWarned
    case feedLocked(Bool)
    case woke
    /// The person's setting: no page is gone to before it can show its first frame, however long that takes.
    case firstFrameRequired(Bool)
    case cameraOpened
    case cameraClosed
    case conditionsChanged(Conditions)
    /// What became of the frames of a clip on the screen since this was said last.
    case framesShown(shortEdge: Int32, shown: Int32, dropped: Int32)
    /// There is a disk for clips; `used` is taken by those of earlier visits that are not saved.
    case diskFound(budget: Bytes, used: Bytes)
    /// What happens on the disk, and what the person wants kept or gone.
    case storage(MediaCache.Event)
    /// What happens in the message bar. What the composer hears of clips and screen, it hears from the
    /// session.
    case composer(Composer.Event)
    /// A clip came whose numbers make no sense: it is left out with a notice.
    case itemRefused(ItemID)
  }

  public enum Command: Equatable, Sendable {
    case mount(ItemID, page: Int32)
    case unmount(ItemID)
    case scroll(FeedPager.Position)
    case settle(page: Int32, duration: Milliseconds)
    case hold(FeedPager.Position, duration: Milliseconds)
    case fade(Milliseconds)
    case setCurrent(ItemID, page: Int32)
    case requestPage
    case showEnd(Bool)
    case load(PlayerID, ItemID)
    case play(PlayerID)
    case pause(PlayerID)
    case seek(PlayerID, Milliseconds)
    case release(PlayerID)
    case setMuted(Bool)
    /// Whatever `setMuted` says, no other player is heard; `nil`: all are, as it says.
    case hearOnly(PlayerID?)
    case fetch(Download)
    case cancel(RequestID)
    case discard(ItemID)
    case trim(ItemID, keeping: Int32)
    case restore(ItemID, first: Int32, count: Int32)
    case persist(ItemID, segments: Int32)
    case evict(ItemID, keeping: Int32)
    case evictUnknown(Bytes)
    case describe(ItemID)
    case forget(ItemID)
    case showBuffering(Bool)
    case showPaused(Bool)
    case showNetworkTrouble(Bool)
    case noticeSkipped(ItemID)
    case wake(Instant)
    case setRefreshRate(Int32)
    /// The person likes the current clip, by a double tap at this place in px.
    case like(x: Int64, y: Int64)
    /// The next clip is wanted and cannot be shown yet.
    case showWaiting(Bool)
    /// All but `lockFeed` and `holdClip`, which the session itself obeys.
    case composer(Composer.Command)
  }

  /// What the host knows at the start.
  public struct Configuration: Equatable, Sendable {
    /// Brought into `PlayerPool.sizes`.
    public let players: Int32
    /// For stored segments; 0 for the default.
    public let memoryBudget: Bytes
    /// Whether the host fetches byte ranges; else its players fetch by themselves.
    public let usesByteRanges: Bool
    /// 0 if unknown.
    public let throughputHint: BitsPerSecond
    public let reducedMotion: Bool
    public let dataSaver: Bool

    public init(
      players: Int32 = Int32(3), memoryBudget: Bytes = .zero, usesByteRanges: Bool = true,
      throughputHint: BitsPerSecond = .zero, reducedMotion: Bool = false, dataSaver: Bool = false
    ) {
      self.players = players
      self.memoryBudget = memoryBudget
      self.usesByteRanges = usesByteRanges
      self.throughputHint = throughputHint
      self.reducedMotion = reducedMotion
      self.dataSaver = dataSaver
    }
  }
}
