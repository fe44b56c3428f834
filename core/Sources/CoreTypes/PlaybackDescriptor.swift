/// All that a player needs to know of a clip: its length and its renditions, each with the byte
/// range of every segment. Comes with the feed, so no playlist is ever fetched.
public struct PlaybackDescriptor: Equatable, Sendable {
  public let duration: Milliseconds
  /// In rising quality. At least one.
  public let renditions: [Rendition]

  /// More is not a short clip, and would let a server make the core allocate without bound.
  public static let maxDuration = Milliseconds(10 * 60_000)
  public static let maxRenditions = 8
  public static let maxSegments = 2_048

  /// `nil` if the numbers cannot describe a clip: no rendition, an empty or overlapping segment,
  /// renditions that are cut at different times, anything negative or absurd.
  public init?(duration: Milliseconds, renditions: [Rendition]) {
    guard duration > .zero, duration <= Self.maxDuration,
      let first = renditions.first, renditions.count <= Self.maxRenditions
    else { return nil }
    for rendition in renditions {
      guard rendition.isValid, rendition.segments.count == first.segments.count else { return nil }
      for index in rendition.segments.indices
      where rendition.segments[index].duration != first.segments[index].duration { return nil }
    }
    self.duration = duration
    self.renditions = renditions
  }

  /// Number of segments, the same in every rendition.
  public var segmentCount: Int { renditions[0].segments.count }

  /// When a segment starts in the clip.
  public func start(ofSegment index: Int) -> Milliseconds {
    var start = Milliseconds.zero
    for segment in renditions[0].segments.prefix(max(0, index)) {
      start += Milliseconds(Int64(segment.duration))
    }
    return start
  }

  /// The segment that holds a position; the last one when the position is at the end or beyond.
  public func segment(at position: Milliseconds) -> Int {
    var end = Milliseconds.zero
    for (index, segment) in renditions[0].segments.enumerated() {
      end += Milliseconds(Int64(segment.duration))
      if position < end { return index }
    }
    return segmentCount - 1
  }
}

/// One encoding of a clip: one file, whose segments are byte ranges.
public struct Rendition: Equatable, Sendable {
  /// Shorter side of the picture in px.
  public let shortEdge: Int32
  /// Bit rate of the most expensive segment.
  public let peak: BitsPerSecond
  public let average: BitsPerSecond
  /// Initialisation section (ISO BMFF `ftyp` + `moov`).
  public let initialization: ByteRange
  public let segments: [Segment]

  public init(
    shortEdge: Int32, peak: BitsPerSecond, average: BitsPerSecond, initialization: ByteRange,
    segments: [Segment]
  ) {
    self.shortEdge = shortEdge
    self.peak = peak
    self.average = average
    self.initialization = initialization
    self.segments = segments
  }

  var isValid: Bool {
    guard shortEdge > 0, peak > .zero, average > .zero, initialization.isValid,
      !segments.isEmpty, segments.count <= PlaybackDescriptor.maxSegments
    else { return false }
    var end = initialization.end
    for segment in segments {
      guard segment.range.isValid, segment.duration > 0, segment.range.offset >= end else {
        return false
      }
      end = segment.range.end
    }
    return true
  }

  /// The range of one request for consecutive segments, with the initialisation section where it
  /// lies right before them.
  ///
  /// `segments` may be empty if `withInitialization`. `nil` if the parts do not touch: they cannot
  /// be one request then.
  public func range(of segments: Range<Int>, withInitialization: Bool) -> ByteRange? {
    var range: ByteRange?
    if withInitialization { range = initialization }
    for index in segments {
      let next = self.segments[index].range
      guard let sofar = range else {
        range = next
        continue
      }
      guard sofar.end == next.offset else { return nil }
      range = ByteRange(offset: sofar.offset, size: sofar.size + next.size)
    }
    return range
  }
}

/// A stretch of a clip that starts with a key frame. 4-byte fields: a session holds thousands.
public struct Segment: Equatable, Sendable {
  let offset: UInt32
  let size: UInt32
  /// In ms.
  public let duration: Int32

  /// `nil` for what does not fit: no clip of at most 60 s is 4 GiB long.
  public init?(range: ByteRange, duration: Milliseconds) {
    guard let offset = UInt32(exactly: range.offset.rawValue),
      let size = UInt32(exactly: range.size.rawValue),
      let duration = Int32(exactly: duration.rawValue)
    else { return nil }
    self.offset = offset
    self.size = size
    self.duration = duration
  }

  public var range: ByteRange {
    ByteRange(offset: Bytes(Int64(offset)), size: Bytes(Int64(size)))
  }
}

/// Bytes `offset ..< offset + size` of a file.
public struct ByteRange: Equatable, Sendable {
  public let offset: Bytes
  public let size: Bytes

  public init(offset: Bytes, size: Bytes) {
    self.offset = offset
    self.size = size
  }

  public var end: Bytes { offset + size }

  var isValid: Bool { offset >= .zero && size > .zero && end.rawValue <= Int64(UInt32.max) }
}
