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
    /// Not enabled where the host's players fetch by themselves.
    case started(budget: Bytes, dataSaver: Bool, isEnabled: Bool)
    case itemAppended(ItemID, PlaybackDescriptor)
    case itemRemoved(ItemID)
    /// The clips around the one that matters most, in feed order, and its place among them.
    case focusMoved(window: [ItemID], focus: Int)
    case positionChanged(ItemID, Milliseconds)
    /// Segment −1 is the initialisation section.
    case segmentStored(ItemID, rendition: Int32, segment: Int32)
    /// `elapsed` since the request was sent, of which `firstByte` until the first byte.
    case fetchFinished(RequestID, Bytes, elapsed: Milliseconds, firstByte: Milliseconds)
    case fetchFailed(RequestID, FailureReason)
    case networkChanged(isOnline: Bool)
    case retryRequested
    case backgrounded
    case foregrounded
    case memoryWarned
    case woke
  }

  public enum Command: Equatable, Sendable {
    case fetch(Download)
    case cancel(RequestID)
    /// Drop all stored bytes of a clip.
    case discard(ItemID)
    /// For `Bitrate`: bytes, time in which the link was busy with them, wait for the first byte.
    case measured(Bytes, busy: Milliseconds, firstByte: Milliseconds)
    /// No rendition of this clip can be had.
    case itemGone(ItemID)
  }
}
