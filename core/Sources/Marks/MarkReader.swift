/// Decides which bytes of a video file say whether AI made it, and what they say. It refuses to know where
/// the bytes lie: whoever has the file brings what is `wanted`, until nothing is.
///
/// It reads boxes of MP4 and QuickTime (XMP and a C2PA manifest in boxes of the type uuid, XMP in `udta`,
/// items of `meta`) and elements of Matroska (tags and attachments). Signatures are not checked: who marks a
/// film of their own as made by AI harms nobody else.
///
/// Sizes in a stranger's file may be anything. Every step goes forward and stays inside its parent, levels
/// lie in one another by their kinds alone, and both steps and bytes are counted. What cannot be read says
/// nothing.
///
/// NB: `Int` has 32 bits in WebAssembly, so places in the file are `Int64`.
public struct MarkReader: Sendable {
  /// Bytes of all boxes of a file that are read. Editing programs write their history into XMP, and C2PA has
  /// pictures.
  public static let mostBytes = 1 << 20
  /// Bytes of a manifest store that is kept: they come before the first frame of each rendition, and the
  /// first second of the smallest has 75 KB at most.
  public static let mostManifestBytes = 64 << 10
  /// A minute of a fragment for each frame at 240 a second has half of them.
  static let mostSteps = 100_000
  /// No movie comes near to so many keys.
  static let mostKeys = 1000

  /// The first that was found counts; nil: nothing that was read names AI.
  public internal(set) var mark: Mark?
  /// The manifest store of C2PA as it was, in boxes of JUMBF (ISO 19566-5), the first that can be read; nil:
  /// there is none, or it is too large to be kept.
  public internal(set) var manifest: [UInt8]?
  /// Bytes of the file to be handed in next, at least one and at most `mostBytes`; nil: all is read.
  public private(set) var wanted: Range<Int64>?

  /// What lies in what, the innermost last.
  var levels: [Level] = []
  /// What the bytes are good for that are wanted.
  var purpose = Purpose.signature
  private var unreadBytes = Int64(Self.mostBytes)
  private var stepsLeft = Self.mostSteps
  /// Of the movie's metadata that is being read: numbers of keys that name a source type, and its items.
  var keys: [UInt32] = []
  var items: Range<Int64>?

  struct Level: Sendable {
    enum Kind: Sendable { case file, movie, userData, metadata, items, item, elements }

    let kind: Kind
    var place: Int64
    let end: Int64
    /// Of an item: its key names a source type.
    var isSourceType = false
  }

  enum Purpose: Sendable {
    case signature, head, box, packet, metadataStart(Range<Int64>), keys, value(isSourceType: Bool), elements
  }

  /// `size`: bytes of the file.
  public init(size: Int64) {
    guard size > 0 else { return }
    levels = [Level(kind: .file, place: 0, end: size)]
    want(0, min(4, size), .signature)
  }

  /// The whole of a file. `read` brings the bytes of a range; fewer of them end it.
  public init<Failure: Error>(
    size: Int64, read: (Range<Int64>) throws(Failure) -> [UInt8]
  ) throws(Failure) {
    self.init(size: size)
    while let range = wanted { take(try read(range)) }
  }

  /// The bytes that were wanted. With more or fewer of them the file is not what it was, and nothing more is
  /// read.
  public mutating func take(_ bytes: [UInt8]) {
    guard let range = wanted else { return }
    wanted = nil
    guard range.upperBound - range.lowerBound == Int64(bytes.count) else {
      levels = []
      return
    }
    switch purpose {
    case .signature:
      // EBML's.
      if bytes == [0x1A, 0x45, 0xDF, 0xA3] {
        levels = [Level(kind: .elements, place: 0, end: levels[0].end)]
      }
    case .head: if levels.last?.kind == .elements { takeElement(bytes) } else { takeBox(bytes) }
    case .box: read(box: bytes)
    case .packet: read(packet: bytes[...])
    case .metadataStart(let content):
      // In MP4 version and flags stand before the first box, in QuickTime nothing does.
      let isFull = bytes.allSatisfy { $0 == 0 }
      levels.append(
        Level(
          kind: .metadata, place: isFull ? range.upperBound : content.lowerBound, end: content.upperBound))
      (keys, items) = ([], nil)
    case .keys: readKeys(bytes)
    case .value(let isSourceType):
      // Its kind and its language come first.
      let value = bytes.dropFirst(8)
      mark = mark ?? (isSourceType ? Mark(value: value) : Mark(named: value))
    case .elements: readElements(bytes)
    }
    if wanted == nil { goOn() }
  }

  /// To the next head, if there is one.
  private mutating func goOn() {
    while let level = levels.last {
      guard stepsLeft > 0 else {
        levels = []
        return
      }
      stepsLeft -= 1
      let isElement = level.kind == .elements
      let left = level.end - level.place
      if left >= (isElement ? 2 : 8) {
        return want(level.place, min(isElement ? 12 : 16, left), .head)
      }
      leave()
    }
  }

  /// The innermost level is over, or cannot be read any further.
  mutating func leave() {
    guard levels.popLast()?.kind == .metadata, let items else { return }
    // NB: behind all else, since keys may stand behind the items.
    levels.append(Level(kind: .items, place: items.lowerBound, end: items.upperBound))
    self.items = nil
  }

  /// `count` at least 1, and within the file: the caller has looked.
  mutating func want(_ place: Int64, _ count: Int64, _ purpose: Purpose) {
    wanted = place..<(place + count)
    self.purpose = purpose
  }

  /// The same of a whole content, as long as so much may still be read.
  mutating func want(_ content: Range<Int64>, _ purpose: Purpose) {
    let count = content.upperBound - content.lowerBound
    guard count > 0, count <= unreadBytes else { return }
    unreadBytes -= count
    want(content.lowerBound, count, purpose)
  }

  /// Takes what a packet of XMP says.
  mutating func read(packet: ArraySlice<UInt8>) {
    mark = mark ?? Mark(named: packet)
  }

  /// Whether a key, written in any way (`DIGITAL_SOURCE_TYPE`), names a source type.
  static func isSourceType(_ key: ArraySlice<UInt8>) -> Bool {
    var letters: [UInt8] = []
    for byte in key.suffix(64) where Mark.isLetter(byte) { letters.append(byte | 0x20) }
    return Pattern("digitalsourcetype").isEnd(of: letters[...])
  }
}
