/// Text that people wrote, in the form in which it is kept and shown: NFC, without controls and direction
/// overrides, which could make one text look like another, trimmed, with single spaces.
public enum PlainText {
  public static func line(_ text: String) -> String {
    var out = String.UnicodeScalarView()
    var isBlankDue = false
    for scalar in text.unicodeScalars {
      guard let shown = shown(scalar) else { continue }
      if shown == " " {
        isBlankDue = !out.isEmpty
      } else {
        if isBlankDue { out.append(" ") }
        isBlankDue = false
        out.append(shown)
      }
    }
    // NB: at the end, since marks that something invisible stood between are in a row only now.
    return BoundedText.normalized(String(out))
  }

  /// The same, of so many characters as a person counts them and no more scalars than so many.
  public static func line(_ text: String, toCharacters most: Int, scalars: Int) -> String {
    String(BoundedText.cut(line(text), toCharacters: most, scalars: scalars).withoutBlanks)
  }

  /// The same for text of several lines; between two of them stands at most one empty line.
  public static func lines(_ text: String) -> String {
    var kept: [String] = []
    for line in split(text).map(line) where !line.isEmpty || kept.last?.isEmpty == false { kept.append(line) }
    if kept.last?.isEmpty == true { kept.removeLast() }
    return kept.joined(separator: "\n")
  }

  /// Nil: not at all.
  private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: " "
    // Joiners are part of emoji and of several scripts; every other invisible character goes.
    case .format where scalar != "\u{200D}" && scalar != "\u{200C}": nil
    case .privateUse, .surrogate, .unassigned: nil
    default: scalar
    }
  }

  /// At each of Unicode's ends of a line (UAX #14: BK, CR, LF, NL), of which CR LF is one.
  private static func split(_ text: String) -> [String] {
    var lines: [String.UnicodeScalarView] = [.init()]
    var before: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where before == "\r": break
      case "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": lines.append(.init())
      default: lines[lines.count - 1].append(scalar)
      }
      before = scalar
    }
    return lines.map { String($0) }
  }
}
