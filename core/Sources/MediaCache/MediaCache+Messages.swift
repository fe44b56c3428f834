public import CoreTypes

extension MediaCache {
  public enum Event: Sendable {
    /// 0 for the default of memory; a disk budget of 0 or less: there is no disk level. `diskUsed` counts
    /// clips of earlier visits that are not saved.
    case started(memoryBudget: Bytes, diskBudget: Bytes, diskUsed: Bytes)
    /// The clips around the one that matters most, in feed order, its place among them, and what plays, which
    /// may still be another one while a page moves.
    case focusMoved(window: [ItemID], focus: Int, playing: ItemID?)
    /// Segment −1 is the initialisation section. Restored segments are reported like fetched ones.
    case segmentStored(ItemID, rendition: Int32, segment: Int32, Bytes)
    /// It plays beside the current one, whatever the window (picture in picture); `nil`: no longer.
    case pinned(ItemID?)
    case positionChanged(ItemID, Milliseconds)
    case looped(ItemID)
    case itemRemoved(ItemID)
    /// The disk has the first so many segments of a clip from an earlier visit, last used that long ago.
    case diskHolds(ItemID, segments: Int32, Bytes, age: Milliseconds, isSaved: Bool)
    /// What `restore` asked for cannot be read.
    case restoreFailed(ItemID)
    /// Not all that `persist` asked for was written: the disk has only the first so many segments.
    case persistFailed(ItemID, segments: Int32, Bytes, isFull: Bool)
    case savedForOffline(ItemID, Bool)
    /// The person wants the space back: all goes but what plays, the next clip, and what was saved.
    case clearRequested
    case limitsChanged(PlaybackLimits)
    case memoryWarned
    case backgrounded
    case woke
  }

  public enum Command: Equatable, Sendable {
    /// Drop a clip's bytes from memory but for the initialisation sections and the first `keeping` segments;
    /// 0: all of it.
    case discard(ItemID, keeping: Int32)
    /// Read these segments, with their initialisation sections, from disk into memory, and report each.
    case restore(ItemID, first: Int32, count: Int32)
    /// What `restore` asked for is there, or is not waited for any more.
    case restoringEnded(ItemID)
    /// Have the clip's first segments on disk as memory holds them now (of each the best rendition, and the
    /// initialisation sections they need). What is there already need not be written again. The bytes are
    /// taken at once: a `discard` that follows must not spoil them.
    case persist(ItemID, segments: Int32)
    /// Drop a clip from disk but for its first `keeping` segments; 0: all of it.
    case evict(ItemID, keeping: Int32)
    /// Make so many bytes free on disk by dropping clips of earlier visits that no event has named and that
    /// are not saved, least recently used first.
    case evictUnknown(Bytes)
  }
}
