public import Contract
public import CoreTypes

/// A clip of the feed under the number by which the core knows it.
public struct FeedClip: Sendable {
  public let item: ItemID
  public internal(set) var clip: Clip
  /// Those that this device can play, in the order in which the core counts them.
  public internal(set) var renditions: [Contract.Rendition]

  /// `nil` if there is nothing to play.
  public init?(_ clip: Clip, item: ItemID, canPlay: (String) -> Bool = { _ in true }) {
    let all = clip.playback.renditions
    let playable = all.filter { canPlay($0.codecs) }
    // Where nothing claims to fit, the player may know better.
    renditions = playable.isEmpty ? all : playable
    guard !renditions.isEmpty, clip.playback.durationMs > 0 else { return nil }
    self.item = item
    self.clip = clip
  }

  /// What is not for everybody does not stay behind on the device.
  var staysOnDisk: Bool { clip.visibility == nil || clip.visibility == .public }

  /// By which a clip is known from visit to visit: its smallest rendition's address, which names its content.
  public var diskName: String { renditions[0].url }

  /// What is said in the clip, a file for each language.
  public var captions: ArraySlice<CaptionTrack> {
    (clip.playback.captions ?? []).prefix(Limits.captionsTracks)
  }

  public var duration: Milliseconds { Milliseconds(Int64(clip.playback.durationMs)) }

  /// `nil`: the numbers cannot describe a clip.
  var descriptor: PlaybackDescriptor? {
    var parts: [CoreTypes.Rendition] = []
    for rendition in renditions {
      var segments: [CoreTypes.Segment] = []
      for segment in rendition.segments {
        let range = CoreTypes.ByteRange(
          offset: Bytes(Int64(segment.offset)), size: Bytes(Int64(segment.size)))
        guard
          let segment = CoreTypes.Segment(range: range, duration: Milliseconds(Int64(segment.durationMs)))
        else { return nil }
        segments.append(segment)
      }
      parts.append(
        CoreTypes.Rendition(
          shortEdge: Int32(clamping: min(rendition.width, rendition.height)),
          peak: BitsPerSecond(Int64(rendition.peakBps)), average: BitsPerSecond(Int64(rendition.averageBps)),
          initialization: CoreTypes.ByteRange(
            offset: Bytes(Int64(rendition.initialization.offset)),
            size: Bytes(Int64(rendition.initialization.size))),
          segments: segments))
    }
    return PlaybackDescriptor(duration: duration, renditions: parts)
  }

  var retention: Retention? {
    guard let shares = clip.playback.retention else { return nil }
    return Retention(shares: shares.prefix(Retention.maxSeconds).map { Int32(clamping: $0) })
  }

  /// Where a segment (−1: the initialisation section) lies in its rendition's file; `nil`: there is none.
  func range(rendition: Int32, segment: Int32) -> Contract.ByteRange? {
    guard renditions.indices.contains(Int(rendition)) else { return nil }
    let rendition = renditions[Int(rendition)]
    if segment == -1 { return rendition.initialization }
    guard rendition.segments.indices.contains(Int(segment)) else { return nil }
    let place = rendition.segments[Int(segment)]
    return Contract.ByteRange(offset: place.offset, size: place.size)
  }
}
