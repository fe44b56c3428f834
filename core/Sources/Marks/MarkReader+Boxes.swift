// Boxes of ISO base media files (ISO/IEC 14496-12) and of QuickTime.
extension MarkReader {
  /// Adobe's XMP Specification, part 3, of MPEG-4.
  private static let xmpBox = Pattern([
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ])
  /// C2PA's specification, "Embedding manifests into BMFF-based assets": the box's id, version 0, no flags,
  /// and what it is for.
  private static let manifestHead = Pattern(
    [0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81]
      + [0, 0, 0, 0] + Pattern("manifest\0").bytes)
  /// Behind it: where in the file a box of hashes lies.
  private static let manifestOffsetBytes = 8

  private enum Kind {
    static let uuid: UInt32 = 0x7575_6964
    static let moov: UInt32 = 0x6D6F_6F76
    static let udta: UInt32 = 0x7564_7461
    static let meta: UInt32 = 0x6D65_7461
    /// `XMP_`: Adobe's XMP Specification, part 3, of QuickTime.
    static let packet: UInt32 = 0x584D_505F
    static let keys: UInt32 = 0x6B65_7973
    static let ilst: UInt32 = 0x696C_7374
    static let data: UInt32 = 0x6461_7461
    static let jumb: UInt32 = 0x6A75_6D62
  }

  /// The head of the next box of the innermost level.
  mutating func takeBox(_ head: [UInt8]) {
    guard let level = levels.last, head.count >= 8 else { return levels = [] }
    let left = level.end - level.place
    let short = Self.u32(head, 0)
    let type = Self.u32(head, 4)
    var header: Int64 = 8
    var length = Int64(short)
    if short == 1 {
      header = 16
      let long = head.count >= 16 ? UInt64(Self.u32(head, 8)) << 32 | UInt64(Self.u32(head, 12)) : 0
      length = Int64(clamping: long)
    } else if short == 0, level.kind == .file {
      // Up to the end.
      length = left
    }
    guard length >= header, length <= left else { return leave() }
    // Within the level, so it does not overflow.
    let content = (level.place + header)..<(level.place + length)
    levels[levels.count - 1].place = content.upperBound
    enter(type, content, in: level)
  }

  private mutating func enter(_ type: UInt32, _ content: Range<Int64>, in level: Level) {
    switch (level.kind, type) {
    case (.file, Kind.uuid): want(content, .box)
    case (.file, Kind.moov): push(.movie, content)
    case (.movie, Kind.udta): push(.userData, content)
    case (.userData, Kind.packet): want(content, .packet)
    case (.movie, Kind.meta), (.userData, Kind.meta):
      guard content.upperBound - content.lowerBound > 4 else { return }
      want(content.lowerBound, 4, .metadataStart(content))
    case (.metadata, Kind.keys): want(content, .keys)
    case (.metadata, Kind.ilst): items = items ?? content
    case (.items, _):
      // Where its type would stand there is the number of its key.
      push(.item, content)
      levels[levels.count - 1].isSourceType = keys.contains(type)
    case (.item, Kind.data):
      leave()
      guard content.upperBound - content.lowerBound > 8 else { return }
      want(content, .value(isSourceType: level.isSourceType))
    default: break
    }
  }

  private mutating func push(_ kind: Level.Kind, _ content: Range<Int64>) {
    levels.append(Level(kind: kind, place: content.lowerBound, end: content.upperBound))
  }

  /// The content of a box of the type uuid.
  mutating func read(box content: [UInt8]) {
    if content.starts(with: Self.xmpBox.bytes) {
      read(packet: content[Self.xmpBox.bytes.count...])
    } else if content.starts(with: Self.manifestHead.bytes), manifest == nil {
      let store = Array(content.dropFirst(Self.manifestHead.bytes.count + Self.manifestOffsetBytes))
      guard let active = Self.active(in: store) else { return }
      mark = mark ?? Mark(named: store[active])
      if store.count <= Self.mostManifestBytes { manifest = store }
    }
  }

  /// Where the manifest lies that speaks of the file itself: it is the last of the store, and those before it
  /// speak of what the file was made of (C2PA's specification, "Locating the active manifest").
  private static func active(in store: [UInt8]) -> Range<Int>? {
    guard let outer = box(store, 0, store.count), outer.type == Kind.jumb else { return nil }
    var found: Range<Int>?
    var place = outer.content
    while place < outer.end {
      guard let child = box(store, place, outer.end) else { return nil }
      if child.type == Kind.jumb { found = place..<child.end }
      place = child.end
    }
    return found
  }

  /// Entries of a list of keys are as boxes are, whose types are name spaces, and are numbered from 1
  /// (QuickTime File Format, "Metadata").
  mutating func readKeys(_ content: [UInt8]) {
    // Version, flags, and how many there are.
    var place = 8
    var number: UInt32 = 1
    while number <= Self.mostKeys, let entry = Self.box(content, place, content.count) {
      if Self.isSourceType(content[entry.content..<entry.end]) { keys.append(number) }
      number += 1
      place = entry.end
    }
  }

  /// The box that begins at a place of these bytes, of which it may have those before `end`.
  private static func box(
    _ bytes: [UInt8], _ place: Int, _ end: Int
  ) -> (type: UInt32, content: Int, end: Int)? {
    guard place <= end, end - place >= 8 else { return nil }
    let short = u32(bytes, place)
    var header = 8
    var length = UInt64(short)
    if short == 1 {
      guard end - place >= 16 else { return nil }
      header = 16
      length = UInt64(u32(bytes, place + 8)) << 32 | UInt64(u32(bytes, place + 12))
    }
    guard length >= UInt64(header), length <= UInt64(end - place) else { return nil }
    return (u32(bytes, place + 4), place + header, place + Int(length))
  }

  /// The caller has looked that they are there.
  private static func u32(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    var value: UInt32 = 0
    for byte in bytes[place..<(place + 4)] { value = value << 8 | UInt32(byte) }
    return value
  }
}
