// What a movie says of itself beside boxes of the type uuid.
extension Provenance {
  /// No movie comes near to so many entries of one list.
  private static let mostEntries = 1000

  /// What the user data of a movie says: a packet of XMP (Adobe's XMP Specification, part 3, of QuickTime),
  /// and metadata. `budget`: bytes that are still read of the file.
  mutating func readUserData(_ box: BoxReader.Box, _ reader: BoxReader, budget: inout Int) {
    for child in Self.boxes(in: box.content, of: reader) {
      switch child.type {
      case "XMP_":
        guard child.content.count <= budget else { continue }
        budget -= child.content.count
        read(packet: reader.bytes[child.content])
      case "meta": readMetadata(child, reader, budget: &budget)
      default: break
      }
    }
  }

  /// What items of metadata say, whose numbers are places in a list of keys (QuickTime File Format,
  /// "Metadata").
  mutating func readMetadata(_ meta: BoxReader.Box, _ reader: BoxReader, budget: inout Int) {
    var boxes = Self.boxes(in: meta.content, of: reader)
    // In MP4 version and flags stand before the first box, in QuickTime nothing does.
    if !boxes.contains(where: { $0.type == "ilst" }), meta.content.count > 4 {
      boxes = Self.boxes(in: (meta.content.lowerBound + 4)..<meta.content.upperBound, of: reader)
    }
    guard let list = boxes.first(where: { $0.type == "ilst" }) else { return }
    let keys = boxes.first { $0.type == "keys" }.map { Self.keys(in: $0, of: reader) } ?? []
    for item in Self.boxes(in: list.content, of: reader) {
      let data = Self.boxes(in: item.content, of: reader).first { $0.type == "data" }
      // Its kind and its language come first.
      guard let data, data.content.count > 8, data.content.count <= budget else { continue }
      budget -= data.content.count
      // Where its type would stand there is a number, which begins at 1.
      let type = reader.bytes[item.range].dropFirst(4).prefix(4)
      let number: UInt32 = type.reduce(0) { $0 << 8 | UInt32($1) }
      let key = keys.first { $0.number == number }?.name ?? []
      read(key: key, value: reader.bytes[data.content].dropFirst(8))
    }
  }

  /// Entries of a list of keys are as boxes are, whose types are name spaces.
  private static func keys(
    in box: BoxReader.Box, of reader: BoxReader
  ) -> [(number: UInt32, name: ArraySlice<UInt8>)] {
    // Version, flags, and how many there are.
    guard box.content.count > 8 else { return [] }
    let entries = boxes(in: (box.content.lowerBound + 8)..<box.content.upperBound, of: reader)
    return zip(UInt32(1)..., entries).map { ($0, reader.bytes[$1.content]) }
  }

  /// Those that can be read: a list may end with a zero.
  private static func boxes(in range: Range<Int>, of reader: BoxReader) -> [BoxReader.Box] {
    var reader = BoxReader(reader.bytes, in: range)
    var found: [BoxReader.Box] = []
    while !reader.isAtEnd, found.count < mostEntries, let box = try? reader.nextBox() { found.append(box) }
    return found
  }
}
