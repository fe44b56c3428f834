/// Text of strangers by its bytes.
///
/// A `Character` is whatever a person sees as one: a comma with a mark behind it is another than `","`, and
/// so is a `<` behind a letter such as U+0D4E. Whoever compares, splits or escapes by characters does not see
/// them, while the browser, proxy or player that reads the same bytes does.
extension StringProtocol {
  /// The parts between these bytes, which are ASCII and thus never part of a longer scalar.
  public func split(
    atByte separator: UInt8, maxSplits: Int = .max, omittingEmpty: Bool = true
  ) -> [Substring] {
    Substring(self).utf8.split(
      separator: separator, maxSplits: maxSplits, omittingEmptySubsequences: omittingEmpty
    ).map { Substring($0) }
  }

  /// The parts between these texts, byte by byte.
  public func split(atText separator: String) -> [Substring] {
    let (bytes, mark) = (Array(utf8), Array(separator.utf8))
    let ends = bytes.ranges(of: mark).map { ($0.lowerBound, $0.upperBound) } + [(bytes.count, bytes.count)]
    var start = 0
    return ends.map { end, next in
      defer { start = next }
      return Substring(decoding: bytes[start..<end], as: UTF8.self)
    }
  }

  public func starts(withBytesOf prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  public func ends(withBytesOf suffix: String) -> Bool {
    utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  /// `byte` is ASCII.
  public func replacing(byte: UInt8, with replacement: String) -> String {
    String(decoding: utf8.flatMap { $0 == byte ? Array(replacement.utf8) : [$0] }, as: UTF8.self)
  }

  /// What stands behind this start; nil: it begins with something else.
  public func rest(behind prefix: String) -> Substring? {
    guard starts(withBytesOf: prefix) else { return nil }
    return Substring(Substring(self).utf8.dropFirst(prefix.utf8.count))
  }

  public func contains(byte: UInt8) -> Bool { utf8.contains(byte) }

  /// Without the spaces and tabs at both ends (the optional white space of RFC 9110, section 5.6.3).
  public var withoutBlanks: Substring {
    let blanks: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t")]
    var rest = Substring(self).utf8[...]
    while let first = rest.first, blanks.contains(first) { rest = rest.dropFirst() }
    while let last = rest.last, blanks.contains(last) { rest = rest.dropLast() }
    return Substring(rest)
  }

  /// Whether both are the same bytes. NB: `==` of two texts also takes another spelling for the same (U+00E9
  /// and e with U+0301).
  public func hasSameBytes(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}
