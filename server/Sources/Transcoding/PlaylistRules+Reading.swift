internal import Platform

extension PlaylistRules {
  /// A playlist line by line; a line without a tag is a URI.
  struct Lines {
    struct Line: Equatable {
      var tag: String?
      var value: String
    }

    let lines: [Line]

    init(_ text: String) throws {
      // Only the names of tracks are for people, in whatever script.
      guard
        text.split(atByte: 10).allSatisfy({ line in
          line.starts(withBytesOf: "#EXT-X-MEDIA:")
            ? line.unicodeScalars.allSatisfy(Self.isVisible)
            : line.utf8.allSatisfy({ (32...126).contains($0) })
        })
      else { throw Broken("it holds bytes that are no text of ours") }
      let written = text.split(atByte: 10, omittingEmpty: false)
      guard written.count > 1, written.last?.isEmpty == true else {
        throw Broken("its last line does not end")
      }
      lines = try written.dropLast().map { line in
        guard !line.isEmpty, line.withoutBlanks.hasSameBytes(as: line) else {
          throw Broken("a line is blank, or has blanks around it")
        }
        guard line.starts(withBytesOf: "#") else { return Line(tag: nil, value: String(line)) }
        let parts = line.split(atByte: UInt8(ascii: ":"), maxSplits: 1, omittingEmpty: false)
        return Line(tag: String(parts[0]), value: parts.count == 2 ? String(parts[1]) : "")
      }
      guard lines.first == Line(tag: "#EXTM3U", value: ""), lines.filter({ $0.tag == "#EXTM3U" }).count == 1
      else { throw Broken("it does not begin with EXTM3U") }
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
      // Joiners are part of several scripts; a byte order mark is not part of a line.
      case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
      default: true
      }
    }

    /// The value of a tag that must be there exactly once.
    func once(_ tag: String) throws -> String {
      let found = lines.filter { $0.tag == tag }
      guard found.count == 1 else { throw Broken("\(tag) is there \(found.count) times") }
      return found[0].value
    }

    func version() throws -> Int {
      let version = try Self.integer(try once("#EXT-X-VERSION"))
      guard (1...7).contains(version) else { throw Broken("version \(version) does not exist") }
      return version
    }

    /// A decimal-integer of section 4.2, from 0 to 2^63-1.
    static func integer(_ text: String) throws -> Int {
      guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
        let value = SafeInteger.read(text)
      else { throw Broken("\"\(text)\" is not a number") }
      return value
    }

    /// A decimal-floating-point of section 4.2, with no more digits than anything of ours can have.
    static func decimal(_ text: String) throws -> Double {
      let digits = text.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
      guard digits, text.utf8.count <= 12, let value = Double(text) else {
        throw Broken("\"\(text)\" is not a decimal number")
      }
      return value
    }

    /// "SIZE@OFFSET", neither of them left out.
    static func byteRange(_ text: String) throws -> Range<Int> {
      let parts = text.split(atByte: UInt8(ascii: "@"), omittingEmpty: false).map(String.init)
      guard parts.count == 2 else { throw Broken("\"\(text)\" is not a range of bytes") }
      let (size, offset) = (try integer(parts[0]), try integer(parts[1]))
      guard size > 0, size < 1 << 40, offset < 1 << 40 else { throw Broken("a range of \(size) bytes") }
      return offset..<offset + size
    }

    /// The name of a file in the same folder.
    static func uri(_ text: String) throws -> String {
      let forbidden = [UInt8(ascii: "\""), UInt8(ascii: "/")]
      guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 32 && !forbidden.contains($0) })
      else { throw Broken("\"\(text)\" is not the name of a file") }
      return text
    }
  }

  /// An attribute list of section 4.2: NAME=value, with quoted strings in which commas may stand.
  struct Attributes {
    private var values: [String: String] = [:]

    init(_ list: String) throws {
      let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))
      var rest = list.utf8[...]
      while !rest.isEmpty {
        guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else {
          throw Broken("an attribute without a value")
        }
        let name = String(Substring(rest[..<equals]))
        rest = rest[rest.index(after: equals)...]
        let isQuoted = rest.first == quote
        if isQuoted { rest = rest.dropFirst() }
        guard let end = rest.firstIndex(of: isQuoted ? quote : comma) ?? (isQuoted ? nil : rest.endIndex),
          name.utf8.allSatisfy({ (65...90).contains($0) || (48...57).contains($0) || $0 == 45 }),
          !name.isEmpty,
          values.updateValue(String(Substring(rest[..<end])), forKey: name) == nil
        else { throw Broken("the attribute \(name) is broken, or there twice") }
        rest = rest[end...]
        if isQuoted { rest = rest.dropFirst() }
        guard rest.isEmpty || rest.popFirst() == comma else { throw Broken("no comma behind \(name)") }
      }
    }

    func optional(_ name: String) -> String? { values[name] }

    func text(_ name: String) throws -> String {
      guard let value = values[name] else { throw Broken("the attribute \(name) is missing") }
      return value
    }
  }
}
