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
