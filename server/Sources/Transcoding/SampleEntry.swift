/// The description of the picture in an initialisation section, without what does not hold for our picture.
///
/// ffmpeg copies the notes of a source (its HDR mastering screen, its brightest light, Dolby Vision, 3-D)
/// beside the stream it has just mapped to SDR, and a player that believes them shows it too dark or too
/// bright.
enum SampleEntry {
  /// What an H.264 picture in BT.709 needs.
  private static let kept: Set<String> = ["avcC", "colr", "pasp", "btrt", "free"]
  /// A visual sample entry has 78 bytes of its own before its boxes.
  static let visualHeader = 78

  /// The same bytes in the same places; each box that is not kept has become free space.
  static func plain(_ initialization: [UInt8]) throws -> [UInt8] {
    var out = initialization
    var reader = BoxReader(initialization)
    while !reader.isAtEnd {
      let box = try reader.nextBox()
      guard box.type == "moov" else { continue }
      for trak in try reader.children(of: box, ["trak"]) {
        let entries = try reader.descendant(of: trak, "mdia", "minf", "stbl", "stsd")
        var list = BoxReader(initialization, in: entries.content)
        try list.skip(8)
        let entry = try list.nextBox()
        guard entry.type == "avc1", entry.content.count > visualHeader else { continue }
        try clear(entry.content.lowerBound + visualHeader..<entry.content.upperBound, of: &out)
      }
    }
    return out
  }

  private static func clear(_ boxes: Range<Int>, of bytes: inout [UInt8]) throws {
    var inner = BoxReader(bytes, in: boxes)
    while !inner.isAtEnd {
      let box = try inner.nextBox()
      guard !kept.contains(box.type) else { continue }
      bytes.replaceSubrange(box.content, with: repeatElement(0, count: box.content.count))
      bytes.replaceSubrange(box.range.lowerBound + 4..<box.range.lowerBound + 8, with: Array("free".utf8))
    }
  }
}
