public import CoreTypes

/// One HTTP request: a range of the file of a clip's rendition.
public struct Download: Equatable, Sendable {
  public let request: RequestID
  public let item: ItemID
  public let rendition: Int32
  public let firstSegment: Int32
  /// 0 if only the initialisation section is fetched.
  public let segmentCount: Int32
  public let includesInitialization: Bool
  public let range: ByteRange
}

extension Prefetch {
  public enum FailureReason: Int64, Sendable {
    /// No answer, or cut off.
    case network = 1
    /// 404, 410, 416: this file or range is not there.
    case gone = 2
    /// 5xx, or an answer that makes no sense.
    case server = 3
  }

  public enum Event: Sendable {
    /// A hint of 0 means unknown. Not enabled where the host's players fetch by themselves.
    case started(throughputHint: BitsPerSecond, isEnabled: Bool)
    case itemAppended(ItemID, PlaybackDescriptor)
    case retentionKnown(ItemID, Retention)
    case itemRemoved(ItemID)
    /// The clips around the one that matters most, in feed order, and its place among them.
    case focusMoved(window: [ItemID], focus: Int)
    /// Short edge of the video area in device px.
    case viewportResized(shortEdge: Int64)
    case limitsChanged(PlaybackLimits)
    /// What may be stored without dropping anything that is near.
    case roomChanged(Bytes)
    /// It plays beside the current one, in the background too (picture in picture); `nil`: no longer.
    case pinned(ItemID?)
    case positionChanged(ItemID, Milliseconds)
    case looped(ItemID)
    /// Segment −1 is the initialisation section.
    case segmentStored(ItemID, rendition: Int32, segment: Int32)
    /// Stored bytes were dropped, all but those of the first so many segments.
    case discarded(ItemID, keeping: Int32)
    /// A clip's segments are being read from disk: nothing of it is fetched meanwhile.
    case restoring(ItemID, Bool)
    /// `elapsed` since the request was sent, of which `firstByte` until the first byte.
    case fetchFinished(RequestID, Bytes, elapsed: Milliseconds, firstByte: Milliseconds)
    case fetchFailed(RequestID, FailureReason)
    case networkChanged(isOnline: Bool)
    case retryRequested
    case backgrounded
    case foregrounded
    case woke
  }

  public enum Command: Equatable, Sendable {
    case fetch(Download)
    case cancel(RequestID)
    /// No rendition of this clip can be had.
    case itemGone(ItemID)
  }
}
