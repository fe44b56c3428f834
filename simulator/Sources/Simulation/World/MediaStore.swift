public import CoreTypes

/// The bytes that a host holds: which segments of which clips, in which renditions, and which of them
/// were ever seen.
public struct MediaStore: Sendable {
  private struct StoredClip {
    let clip: PlaybackDescriptor
    /// A bit for each rendition.
    var initializations: UInt8 = 0
    var segments: [UInt8]
    /// Stored and never shown yet.
    var unseen: [UInt8]
    var unseenInitializations: UInt8 = 0
    var bytes: Int64 = 0

    init(_ clip: PlaybackDescriptor) {
      self.clip = clip
      segments = Array(repeating: 0, count: clip.segmentCount)
      unseen = segments
    }
  }

  private var clips: [StoredClip] = []
  public private(set) var bytes: Int64 = 0
  public private(set) var peakBytes: Int64 = 0

  public var count: Int { clips.count }

  mutating func append(_ clip: PlaybackDescriptor) { clips.append(StoredClip(clip)) }

  public func clip(_ item: Int) -> PlaybackDescriptor { clips[item].clip }

  public func bytes(of item: Int) -> Int64 { clips[item].bytes }

  /// The highest rendition in which a segment can be played.
  public func best(_ item: Int, segment: Int) -> Int? {
    let bits = clips[item].segments[segment] & clips[item].initializations
    return bits == 0 ? nil : 7 - bits.leadingZeroBitCount
  }

  /// −1: the initialisation section.
  public func holds(_ item: Int, rendition: Int, segment: Int) -> Bool {
    let bits = segment < 0 ? clips[item].initializations : clips[item].segments[segment]
    return bits & (1 << rendition) != 0
  }

  /// What can be played without a gap from a place on, to the end of the clip.
  public func lead(_ item: Int, from position: Milliseconds = .zero) -> Milliseconds {
    let clip = clips[item].clip
    let first = clip.segment(at: position)
    var lead = clip.start(ofSegment: first) - position
    for segment in first..<clip.segmentCount {
      guard best(item, segment: segment) != nil else { break }
      lead += clip.length(ofSegment: segment)
    }
    return max(.zero, lead)
  }

  /// The same for a clip that plays: from its end it goes on at its start, for one turn at most.
  func loopingLead(_ item: Int, from position: Milliseconds) -> Milliseconds {
    let lead = lead(item, from: position)
    let clip = clips[item].clip
    return position + lead < clip.duration ? lead : lead + min(position, self.lead(item))
  }

  mutating func put(_ item: Int, rendition: Int, segment: Int) {
    guard !holds(item, rendition: rendition, segment: segment) else { return }
    let bit: UInt8 = 1 << rendition
    if segment < 0 {
      clips[item].initializations |= bit
      clips[item].unseenInitializations |= bit
    } else {
      clips[item].segments[segment] |= bit
      clips[item].unseen[segment] |= bit
    }
    let size = clips[item].clip.size(rendition: rendition, segment: segment)
    clips[item].bytes += size
    bytes += size
    peakBytes = max(peakBytes, bytes)
  }

  /// Drops a clip's bytes, all but those of so many segments from its start.
  mutating func discard(_ item: Int, keeping count: Int = 0) {
    let before = clips[item]
    bytes -= before.bytes
    clips[item] = StoredClip(before.clip)
    guard count > 0 else { return }
    for rendition in before.clip.renditions.indices {
      let bit: UInt8 = 1 << rendition
      for segment in 0..<min(count, before.segments.count) where before.segments[segment] & bit != 0 {
        put(item, rendition: rendition, segment: -1)
        put(item, rendition: rendition, segment: segment)
        if before.unseen[segment] & bit == 0 { clips[item].unseen[segment] &= ~bit }
      }
    }
    clips[item].unseenInitializations &= before.unseenInitializations
  }

  /// A frame of this segment was shown; answers the bytes that have become useful by it.
  mutating func show(_ item: Int, rendition: Int, segment: Int) -> Int64 {
    let bit: UInt8 = 1 << rendition
    var useful: Int64 = 0
    if clips[item].unseen[segment] & bit != 0 {
      clips[item].unseen[segment] &= ~bit
      useful += clips[item].clip.size(rendition: rendition, segment: segment)
    }
    if clips[item].unseenInitializations & bit != 0 {
      clips[item].unseenInitializations &= ~bit
      useful += clips[item].clip.size(rendition: rendition, segment: -1)
    }
    return useful
  }
}

extension PlaybackDescriptor {
  /// −1: the initialisation section.
  func size(rendition: Int, segment: Int) -> Int64 {
    let layout = renditions[rendition]
    return (segment < 0 ? layout.initialization : layout.segments[segment].range).size.rawValue
  }

  func length(ofSegment segment: Int) -> Milliseconds {
    Milliseconds(Int64(renditions[0].segments[segment].duration))
  }
}
