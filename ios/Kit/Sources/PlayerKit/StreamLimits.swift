internal import AVFoundation
public import CoreGraphics

/// What AVPlayer may choose by itself. A clip from this device has one rendition, that of the core: nothing
/// is limited there. A receiver that plays the origin's playlist chooses among all.
public struct StreamLimits: Equatable, Sendable {
  /// Bits a second; 0: none.
  public var peakBitRate = 0.0
  public var peakBitRateOnExpensiveNetworks = 0.0
  /// `.zero`: none.
  public var maximumResolution = CGSize.zero
  /// Seconds; 0: AVPlayer's choice. A wish that AVPlayer need not follow.
  public var forwardBuffer = 0.0

  public init() {}

  /// No rendition with a larger short edge, in px. NB: upright and sideways clips have it on different sides,
  /// so both may be as long as a clip of 16:9 is.
  init(shortEdge: Int32) {
    guard (1...4_320).contains(shortEdge) else { return }
    let longEdge = CGFloat((shortEdge * 16 + 8) / 9)
    maximumResolution = CGSize(width: longEdge, height: longEdge)
  }

  /// Asks the proxy for little beyond what the core has decided for.
  public static var onDevice: StreamLimits {
    var limits = StreamLimits()
    limits.forwardBuffer = 4
    return limits
  }

  @MainActor func apply(to item: AVPlayerItem) {
    item.preferredPeakBitRate = peakBitRate
    item.preferredPeakBitRateForExpensiveNetworks = peakBitRateOnExpensiveNetworks
    item.preferredMaximumResolution = maximumResolution
    item.preferredForwardBufferDuration = forwardBuffer
    // The first rendition of the playlist is the one whose bytes are here.
    item.startsOnFirstEligibleVariant = true
  }
}

/// What happens at a clip's end.
public enum LoopStrategy: Sendable {
  /// Goes to 0 while it plays.
  case seeksToStart
  /// Stands, goes to 0, plays: for players that stall after some loops without.
  case standsAndSeeks
  /// Stays there and says so.
  case ends
}
