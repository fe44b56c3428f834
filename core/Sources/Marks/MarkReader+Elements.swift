// Tags and attachments of Matroska (RFC 9559), in elements of EBML (RFC 8794).
extension MarkReader {
  private enum Element {
    static let segment: UInt32 = 0x1853_8067
    static let tags: UInt32 = 0x1254_C367
    static let tag: UInt32 = 0x7373
    static let simpleTag: UInt32 = 0x67C8
    static let tagName: UInt32 = 0x45A3
    static let tagString: UInt32 = 0x4487
    static let tagBinary: UInt32 = 0x4485
    static let attachments: UInt32 = 0x1941_A469
    static let attachedFile: UInt32 = 0x61A7
    static let fileName: UInt32 = 0x466E
    static let fileType: UInt32 = 0x4660
    static let fileData: UInt32 = 0x465C
  }

  /// Of an element: its id and its size.
  private static let mostHeadBytes = 12

  /// The head of the next element of the file. Nothing is read behind a part whose size is not known.
  mutating func takeElement(_ bytes: [UInt8]) {
    guard let level = levels.last, let head = Self.head(bytes[...]) else { return levels = [] }
    // Within the bytes, and so within the file.
    let content = level.place + Int64(head.length)
    if head.id == Element.segment {
      // What is in it comes next.
      levels[0].place = content
      return
    }
    guard let size = head.size, size <= UInt64(level.end - content) else { return levels = [] }
    levels[0].place = content + Int64(size)
    if head.id == Element.tags || head.id == Element.attachments {
      want(content..<levels[0].place, .elements)
    }
  }

  /// `size`: nil: nobody knows. Less than 2 to the 56th. Nil: it is none.
  private static func head(_ bytes: ArraySlice<UInt8>) -> (id: UInt32, size: UInt64?, length: Int)? {
    guard let first = bytes.first else { return nil }
    // As many zeros as there are further bytes.
    let idLength = first.leadingZeroBitCount + 1
    guard idLength <= 4, bytes.count > idLength else { return nil }
    var id: UInt32 = 0
    for byte in bytes.prefix(idLength) { id = id << 8 | UInt32(byte) }
    let rest = bytes.dropFirst(idLength)
    let sizeLength = (rest.first ?? 0).leadingZeroBitCount + 1
    guard sizeLength <= 8, rest.count >= sizeLength else { return nil }
    var coded: UInt64 = 0
    for byte in rest.prefix(sizeLength) { coded = coded << 8 | UInt64(byte) }
    // Behind its highest one there are seven bits of each byte; all ones: nobody knows.
    let mask = UInt64.max >> UInt64(64 - 7 * sizeLength)
    let size = coded & mask
    return (id, size == mask ? nil : size, idLength + sizeLength)
  }

  /// What of one element counts.
  private struct Parts {
    var name: ArraySlice<UInt8> = []
    var values: [ArraySlice<UInt8>] = []
    var file: ArraySlice<UInt8>?
    var fileName: ArraySlice<UInt8> = []
    var fileType: ArraySlice<UInt8> = []

    /// NB: of a picture that lies in the file its own mark says nothing of the video.
    var isPacket: Bool {
      Pattern("application/rdf+xml").isWhole(of: fileType) || Pattern(".xmp").isEnd(of: fileName)
    }
  }

  /// Tags and files that lie in one another to any depth, each looked at once.
  mutating func readElements(_ bytes: [UInt8]) {
    var waiting = [0..<bytes.count]
    var left = Self.mostSteps
    while let range = waiting.popLast() {
      var place = range.lowerBound
      var parts = Parts()
      while left > 0, place < range.upperBound,
        let head = Self.head(bytes[place..<range.upperBound].prefix(Self.mostHeadBytes))
      {
        left -= 1
        let content = place + head.length
        guard let size = head.size, size <= UInt64(range.upperBound - content) else { break }
        place = content + Int(size)
        let value = bytes[content..<place]
        switch head.id {
        case Element.tag, Element.simpleTag, Element.attachedFile: waiting.append(content..<place)
        case Element.tagName: parts.name = value
        case Element.tagString, Element.tagBinary: parts.values.append(value)
        case Element.fileName: parts.fileName = value
        case Element.fileType: parts.fileType = value
        case Element.fileData: parts.file = value
        default: break
        }
      }
      read(parts)
    }
  }

  private mutating func read(_ parts: Parts) {
    let isSourceType = Self.isSourceType(parts.name)
    for value in parts.values {
      mark = mark ?? (isSourceType ? Mark(value: value) : Mark(named: value))
    }
    if let file = parts.file, parts.isPacket { read(packet: file) }
  }
}
