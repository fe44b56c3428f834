import CoreTypes

/// What is known of one clip's bytes.
struct Entry: Sendable {
  let descriptor: PlaybackDescriptor
  var retention: Retention?
  /// Highest rendition stored of each segment; −1 for none.
  private(set) var stored: [Int8]
  private(set) var initializations = RenditionSet()
  /// Renditions that the server does not have.
  var missing = RenditionSet()
  var serverFailures: Int32 = 0
  var isRestoring = false

  /// Tries for one clip while the server answers with errors.
  static let attempts: Int32 = 4

  init(_ descriptor: PlaybackDescriptor) {
    self.descriptor = descriptor
    stored = Array(repeating: -1, count: descriptor.segmentCount)
  }

  /// No rendition is left to try.
  var isGone: Bool {
    serverFailures >= Self.attempts
      || descriptor.renditions.indices.allSatisfy { missing.contains($0) }
  }

  func has(_ segment: Int) -> Bool {
    stored.indices.contains(segment) && stored[segment] >= 0
  }

  /// Notes a segment (−1: the initialisation section).
  mutating func store(rendition: Int, segment: Int) {
    guard descriptor.renditions.indices.contains(rendition) else { return }
    if segment == -1 {
      initializations.insert(rendition)
    } else if stored.indices.contains(segment), Int(stored[segment]) < rendition {
      stored[segment] = Int8(rendition)
    }
  }

  /// All but the first so many segments are gone. The initialisation section of a rendition stays
  /// while a segment of it does.
  mutating func drop(keeping: Int) {
    var kept = RenditionSet()
    for segment in stored.indices {
      if segment >= keeping {
        stored[segment] = -1
      } else if stored[segment] >= 0, initializations.contains(Int(stored[segment])) {
        kept.insert(Int(stored[segment]))
      }
    }
    initializations = kept
  }

  func length(_ segment: Int) -> Milliseconds {
    Milliseconds(Int64(descriptor.renditions[0].segments[segment].duration))
  }

  func size(_ segment: Int, _ rendition: Int) -> Bytes {
    descriptor.renditions[rendition].segments[segment].range.size
  }
}
