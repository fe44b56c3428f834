/// As much of XML as S3 answers with: elements with text. Attributes, comments and prefixes are passed over;
/// a document type, which could name files or grow without end, is refused. Bounded in depth and in the
/// number of elements.
struct XMLElement {
  struct Malformed: Error {}

  /// A page of a listing has a thousand entries of some ten elements each.
  static let maximumElements = 50_000
  static let maximumDepth = 16

  let name: String
  private(set) var text = ""
  private(set) var children: [XMLElement] = []

  init(_ bytes: [UInt8]) throws {
    var reader = Reader(bytes: bytes[...])
    self = try reader.document()
  }

  private init(name: String) { self.name = name }

  func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }
  /// The text of the first child of that name.
  subscript(_ name: String) -> String? { children.first { $0.name == name }?.text }

  private struct Reader {
    var bytes: ArraySlice<UInt8>
    var count = 0

    mutating func document() throws -> XMLElement {
      var open: [XMLElement] = []
      while let start = bytes.firstIndex(of: UInt8(ascii: "<")) {
        if !open.isEmpty { open[open.count - 1].text += try Self.unescaped(bytes[..<start]) }
        bytes = bytes[start...]
        if skip("<?", "?>") || skip("<!--", "-->") { continue }
        if let raw = take("<![CDATA[", "]]>") {
          guard !open.isEmpty else { throw Malformed() }
          open[open.count - 1].text += String(decoding: raw, as: UTF8.self)
          continue
        }
        guard var tag = take("<", ">"), tag.first != UInt8(ascii: "!") else { throw Malformed() }
        let isClosing = tag.first == UInt8(ascii: "/")
        let isEmpty = tag.last == UInt8(ascii: "/")
        if isClosing { tag = tag.dropFirst() }
        if isEmpty { tag = tag.dropLast() }
        let name = Self.localName(tag)
        guard !name.isEmpty else { throw Malformed() }
        if !isClosing {
          count += 1
          guard count <= maximumElements, open.count < maximumDepth else { throw Malformed() }
          open.append(XMLElement(name: name))
        }
        if isClosing || isEmpty {
          guard let ended = open.popLast(), ended.name == name else { throw Malformed() }
          guard !open.isEmpty else { return ended }
          open[open.count - 1].children.append(ended)
        }
      }
      throw Malformed()
    }

    private mutating func skip(_ start: String, _ end: String) -> Bool { take(start, end) != nil }

    /// What is between the two, and goes on behind them; nil, and nothing taken, if it does not start or end
    /// so.
    private mutating func take(_ start: String, _ end: String) -> ArraySlice<UInt8>? {
      guard bytes.starts(with: start.utf8) else { return nil }
      let ending = Array(end.utf8)
      var place = bytes.startIndex + start.utf8.count
      let first = place
      while place + ending.count <= bytes.endIndex {
        if bytes[place] == ending[0], bytes[place..<place + ending.count].elementsEqual(ending) {
          let inner = bytes[first..<place]
          bytes = bytes[(place + ending.count)...]
          return inner
        }
        place += 1
      }
      return nil
    }

    /// Without prefix and attributes.
    private static func localName(_ tag: ArraySlice<UInt8>) -> String {
      let word = tag.prefix { $0 > UInt8(ascii: " ") }
      return String(decoding: word.split(separator: UInt8(ascii: ":")).last ?? [], as: UTF8.self)
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) throws -> String {
      let text = String(decoding: bytes, as: UTF8.self)
      guard text.contains("&") else { return text }
      var result = ""
      var rest = text[...]
      while let start = rest.firstIndex(of: "&") {
        result += rest[..<start]
        // The longest that is known is "&#x10FFFF;".
        guard let end = rest[start...].prefix(12).firstIndex(of: ";") else { throw Malformed() }
        result.unicodeScalars.append(try scalar(rest[rest.index(after: start)..<end]))
        rest = rest[rest.index(after: end)...]
      }
      return result + rest
    }

    private static func scalar(_ name: Substring) throws -> Unicode.Scalar {
      let named: [Substring: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
      if let scalar = named[name] { return scalar }
      let number =
        name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst(), radix: 10)
      guard name.hasPrefix("#"), let number, let scalar = Unicode.Scalar(number) else { throw Malformed() }
      return scalar
    }
  }
}
