internal import Contract
internal import Platform

/// Words by which clips are found, as people type them behind a `#`.
public enum Tags {
  /// In one spelling, each once, in the order in which they came; what is no word is left out.
  public static func clean(_ tags: [String]) -> [String] {
    var known: Set<String> = []
    return tags.compactMap { tag in
      let clean = word(PlainText.line(BoundedText.cut(tag, toScalars: 8 * Limits.tagLength)).lowercased())
      guard (1...Limits.tagLength).contains(clean.count), clean.utf8.count <= 4 * Limits.tagLength,
        known.insert(clean).inserted
      else { return nil }
      return clean
    }.prefix(Limits.tags).map { $0 }
  }

  /// "dawn at the #pier" names "pier".
  public static func named(in caption: String) -> [String] {
    caption.split(atByte: UInt8(ascii: "#"), omittingEmpty: false).dropFirst().map {
      String($0.unicodeScalars.prefix { isPart($0) || isBesidePart($0) })
    }
  }

  /// What of a text is part of words.
  private static func word(_ text: String) -> String {
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where isPart(scalar) || !kept.isEmpty && isBesidePart(scalar) {
      kept.append(scalar)
    }
    while let last = kept.last, isJoiner(last) { kept.removeLast() }
    return BoundedText.normalized(String(kept))
  }

  /// Letters of every script, digits, and `_`.
  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber:
      true
    default: scalar == "_"
    }
  }

  /// What belongs to the letter before it: marks, and the joiners that some scripts write words with.
  private static func isBesidePart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark: true
    default: isJoiner(scalar)
    }
  }

  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{200C}" || scalar == "\u{200D}"
  }
}
