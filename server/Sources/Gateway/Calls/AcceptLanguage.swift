internal import HTTPTypes
internal import Hummingbird

/// What whoever asks reads most, by `Accept-Language` (RFC 9110, section 12.5.4).
///
/// NB: first pages of the feed are found by it. It goes through the bytes once, seldom beyond the first
/// entry.
enum AcceptLanguage {
  /// Of a header, at most: browsers send a handful of entries.
  static let entries = 20
  static let bytes = 1_000

  /// The first part of the tag with the largest weight, the first of several: two or three letters in lower
  /// case. Nil: no language is named, or none is wanted. What is not well formed is passed over.
  static func preferred(in header: String) -> String? {
    var rest = Substring(header).utf8.prefix(bytes)
    var best: (language: String, weight: Int)?
    for _ in 0..<entries where !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
      if let (language, weight) = entry(rest[..<end]), weight > best?.weight ?? 0 {
        if weight == most { return language }
        best = (language, weight)
      }
      rest = rest[end...].dropFirst()
    }
    return best?.language
  }

  /// Weights are thousandths.
  private static let most = 1000

  /// `de-AT;q=0.9`, with blanks around the parts. Nil: `*`, or nothing that can be read.
  private static func entry(_ text: Substring.UTF8View) -> (language: String, weight: Int)? {
    var rest = text.drop(while: isBlank)
    var language = ""
    while let letter = rest.first.flatMap(lowercased) {
      guard language.utf8.count < 3 else { return nil }
      language.unicodeScalars.append(Unicode.Scalar(letter))
      rest = rest.dropFirst()
    }
    guard language.utf8.count >= 2 else { return nil }
    // Which country's, in which script: it is the same language.
    if rest.first == UInt8(ascii: "-") {
      rest = rest.drop { $0 != UInt8(ascii: ";") && !isBlank($0) }
    }
    rest = rest.drop(while: isBlank)
    guard let mark = rest.first else { return (language, most) }
    guard mark == UInt8(ascii: ";") else { return nil }
    return weight(rest.dropFirst().drop(while: isBlank)).map { (language, $0) }
  }

  /// `q=0.9`: up to three digits behind the point, and nothing above 1.
  private static func weight(_ text: Substring.UTF8View) -> Int? {
    guard let name = text.first, lowercased(name) == UInt8(ascii: "q"),
      text.dropFirst().first == UInt8(ascii: "=")
    else { return nil }
    var rest = text.dropFirst(2)
    guard let whole = rest.popFirst(), whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1") else {
      return nil
    }
    var (weight, worth) = (whole == UInt8(ascii: "1") ? most : 0, 100)
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      while let digit = rest.first, (48...57).contains(digit), worth > 0 {
        weight += Int(digit - 48) * worth
        worth /= 10
        rest = rest.dropFirst()
      }
    }
    guard weight <= most, rest.allSatisfy(isBlank) else { return nil }
    return weight
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  /// Nil: it is no letter of ASCII.
  private static func lowercased(_ byte: UInt8) -> UInt8? {
    let lower = byte | 0x20
    return (97...122).contains(lower) ? lower : nil
  }
}

extension Request {
  /// Nil: it does not say.
  var language: String? { headers[.acceptLanguage].flatMap { AcceptLanguage.preferred(in: $0) } }
}
