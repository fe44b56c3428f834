public import Foundation

// Tags and attachments of Matroska (RFC 9559), in elements of EBML (RFC 8794).
extension Provenance {
  /// A minute of video has some hundreds.
  private static let mostElements = 100_000
  /// Of an element: its id and its size.
  private static let mostHeadBytes = 12

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

  /// What cannot be read says nothing, nor what stands behind a part whose size is not known.
  public init(ofMatroskaAt url: URL) throws {
    self.init()
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    let size = Int(clamping: try file.seekToEnd())
    var place = 0
    var budget = Self.mostBytes
    for _ in 0..<Self.mostElements {
      guard place < size,
        let head = Self.head(try ISOFile.read(file, place, Self.mostHeadBytes)[...])
      else { return }
      let content = place + head.length
      if head.id == Element.segment {
        // What is in it comes next.
        place = content
        continue
      }
      guard let length = head.size, length <= size - content else { return }
      if [Element.tags, Element.attachments].contains(head.id), length <= budget {
        budget -= length
        readElements(try ISOFile.read(file, content, length))
      }
      place = content + length
    }
  }

  /// `size`: nil: nobody knows. Less than 2 to the 56th. Nil: it is none.
  private static func head(_ bytes: ArraySlice<UInt8>) -> (id: UInt32, size: Int?, length: Int)? {
    guard let first = bytes.first else { return nil }
    // As many zeros as there are further bytes.
    let idLength = first.leadingZeroBitCount + 1
    guard idLength <= 4, bytes.count > idLength else { return nil }
    let id: UInt32 = bytes.prefix(idLength).reduce(0) { $0 << 8 | UInt32($1) }
    let rest = bytes.dropFirst(idLength)
    let sizeLength = (rest.first ?? 0).leadingZeroBitCount + 1
    guard sizeLength <= 8, rest.count >= sizeLength else { return nil }
    let coded: UInt64 = rest.prefix(sizeLength).reduce(0) { $0 << 8 | UInt64($1) }
    // Behind its highest one there are seven bits of each byte; all ones: nobody knows.
    let mask: UInt64 = (1 << UInt64(7 * sizeLength)) - 1
    let size = coded & mask
    return (id, size == mask ? nil : Int(clamping: size), idLength + sizeLength)
  }

  /// Tags and files that lie in one another to any depth, each looked at once.
  private mutating func readElements(_ bytes: [UInt8]) {
    var waiting = [0..<bytes.count]
    var left = Self.mostElements
    while let range = waiting.popLast() {
      var place = range.lowerBound
      var parts: [UInt32: ArraySlice<UInt8>] = [:]
      while left > 0, place < range.upperBound,
        let head = Self.head(bytes[place..<range.upperBound].prefix(Self.mostHeadBytes))
      {
        left -= 1
        let content = place + head.length
        guard let length = head.size, length <= range.upperBound - content else { break }
        place = content + length
        if [Element.tag, Element.simpleTag, Element.attachedFile].contains(head.id) {
          waiting.append(content..<place)
        } else {
          parts[head.id] = bytes[content..<place]
        }
      }
      for id in [Element.tagString, Element.tagBinary] {
        if let value = parts[id] { read(key: parts[Element.tagName] ?? [], value: value) }
      }
      // NB: of a picture that lies in the file its own mark says nothing of the video.
      if let data = parts[Element.fileData], Self.isPacket(parts[Element.fileName], parts[Element.fileType]) {
        read(packet: data)
      }
    }
  }

  private static func isPacket(_ name: ArraySlice<UInt8>?, _ type: ArraySlice<UInt8>?) -> Bool {
    type?.elementsEqual("application/rdf+xml".utf8) == true
      || name?.suffix(4).elementsEqual(".xmp".utf8) == true
  }
}
