/// The question that `Prefetch` asks `Bitrate` before each download: in which rendition, if at all now?
public struct RenditionNeed: Sendable {
  public enum Purpose: Equatable, Sendable {
    /// The person looks at a poster until this arrives.
    case firstFrame
    /// The clip plays; `ahead` is what it still has to play from.
    case playback(ahead: Milliseconds)
    /// For a clip that many swipes away (at least 1, backwards too).
    case prefetch(distance: Int32)
  }

  public let descriptor: PlaybackDescriptor
  public let segment: Int
  public let purpose: Purpose
  /// Rendition of the segment before, if this clip has one.
  public let previous: Int?
  /// Renditions that cannot be had, a bit each.
  public let missing: RenditionSet

  public init(
    descriptor: PlaybackDescriptor, segment: Int, purpose: Purpose, previous: Int?,
    missing: RenditionSet
  ) {
    self.descriptor = descriptor
    self.segment = segment
    self.purpose = purpose
    self.previous = previous
    self.missing = missing
  }
}

/// Some of a clip's at most `PlaybackDescriptor.maxRenditions` renditions, by index.
public struct RenditionSet: Equatable, Sendable {
  private var bits: UInt8 = 0

  public init() {}

  public func contains(_ rendition: Int) -> Bool {
    (0..<8).contains(rendition) && bits & (1 << UInt8(rendition)) != 0
  }

  public mutating func insert(_ rendition: Int) {
    if (0..<8).contains(rendition) { bits |= 1 << UInt8(rendition) }
  }
}
