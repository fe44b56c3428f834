internal import Contract
internal import Foundation
internal import MediaStore

/// A clip as the proxy serves it to one load.
struct ProxiedClip: Sendable {
  let item: Int32
  let renditions: [Rendition]
  /// In which rendition the load got each segment. Once the player has it, it stays so: an initialisation
  /// section and a segment of two renditions would be no picture.
  private(set) var chosen: [Int32: Int32] = [:]
  /// By which the disk knows the clip.
  let diskName: String
  /// What is said in the clip: a player that shows it asks for it, and nobody else does.
  let captions: [ProxiedCaptions]

  init(
    item: Int32, renditions: [Rendition], diskName: String = "", captions: [ProxiedCaptions] = []
  ) {
    self.item = item
    self.renditions = renditions
    self.diskName = diskName
    self.captions = captions
  }

  var segmentCount: Int32 { Int32(clamping: renditions.first?.segments.count ?? 0) }

  mutating func choose(_ rendition: Int32, for segment: Int32) {
    if chosen[segment] == nil { chosen[segment] = rendition }
  }

  /// Declared size of a segment, or of the initialisation section.
  func size(_ key: SegmentKey) -> Int? {
    guard renditions.indices.contains(Int(key.rendition)) else { return nil }
    let rendition = renditions[Int(key.rendition)]
    if key.segment == SegmentKey.initialization { return rendition.initialization.size }
    guard rendition.segments.indices.contains(Int(key.segment)) else { return nil }
    return rendition.segments[Int(key.segment)].size
  }
}

/// The captions of one language.
struct ProxiedCaptions: Sendable {
  let language: String
  let label: String
  /// As the feed says it: by this the disk knows the file.
  let file: String
  /// Absolute.
  let address: String

  /// `nil` for an address that no player is to be sent to.
  init?(_ track: CaptionTrack, base: URL) {
    guard let url = URL(string: track.url, relativeTo: base)?.absoluteURL,
      url.scheme == "https" || url.scheme == "http", url.host != nil
    else { return nil }
    language = track.language
    label = track.label
    file = track.url
    address = url.absoluteString
  }
}
