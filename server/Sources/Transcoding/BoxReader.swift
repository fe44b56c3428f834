/// Bounds-checked reading of ISO base media boxes. Every step goes forward and stays inside its parent;
/// nothing here calls itself, so neither size fields nor nesting of a hostile file can make it run away.
struct BoxReader {
  struct Malformed: Error, Equatable {
    let reason: String
  }

  struct Box {
    let type: String
    /// With its header.
    let range: Range<Int>
    let content: Range<Int>
  }

  let bytes: [UInt8]
  private(set) var position: Int
  let end: Int

  init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
    self.bytes = bytes
    position = range?.lowerBound ?? 0
    end = range?.upperBound ?? bytes.count
  }

  var isAtEnd: Bool { position >= end }

  mutating func nextBox() throws -> Box {
    let start = position
    var size = Int(try u32())
    let type = String(decoding: try take(4), as: UTF8.self)
    if size == 1 {
      let large = try u64()
      guard large <= UInt64(end) else { throw Malformed(reason: "box \(type) is larger than the file") }
      size = Int(large)
    }
    guard size >= position - start, start + size <= end else {
      throw Malformed(reason: "box \(type) at \(start) has the impossible size \(size)")
    }
    let box = Box(type: type, range: start..<start + size, content: position..<start + size)
    position = start + size
    return box
  }

  /// The direct children of a box with one of these types, in order.
  func children(of box: Box, _ types: Set<String>) throws -> [Box] {
    var reader = BoxReader(bytes, in: box.content)
    var found: [Box] = []
    while !reader.isAtEnd {
      let child = try reader.nextBox()
      if types.contains(child.type) { found.append(child) }
    }
    return found
  }

  func child(of box: Box, _ type: String) throws -> Box {
    guard let first = try children(of: box, [type]).first else {
      throw Malformed(reason: "\(box.type) has no \(type)")
    }
    return first
  }

  /// The box at the end of a path of types.
  func descendant(of box: Box, _ path: String...) throws -> Box {
    try path.reduce(box) { try child(of: $0, $1) }
  }

  func reader(_ box: Box) -> BoxReader { BoxReader(bytes, in: box.content) }

  mutating func u8() throws -> UInt8 { try take(1).first! }
  mutating func u16() throws -> UInt16 { try take(2).reduce(0) { $0 << 8 | UInt16($1) } }
  mutating func u32() throws -> UInt32 { try take(4).reduce(0) { $0 << 8 | UInt32($1) } }
  mutating func u64() throws -> UInt64 { try take(8).reduce(0) { $0 << 8 | UInt64($1) } }
  mutating func skip(_ count: Int) throws { _ = try take(count) }

  private mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
    guard count >= 0, end - position >= count, end <= bytes.count else {
      throw Malformed(reason: "the data ends at \(end), \(count) bytes are missing")
    }
    defer { position += count }
    return bytes[position..<position + count]
  }
}
