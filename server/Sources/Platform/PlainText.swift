internal import Foundation

/// Text that people wrote, in the form in which it is kept and shown: NFC, without controls and direction overrides,
/// which could make one text look like another, trimmed, with single spaces.
public enum PlainText {
  public static func line(_ text: String) -> String {
    var out = String.UnicodeScalarView()
    for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: out.append(" ")
      // Joiners are part of emoji and of several scripts; every other invisible character goes.
      case .format where scalar != "\u{200D}" && scalar != "\u{200C}": break
      case .privateUse, .surrogate, .unassigned: break
      default: out.append(scalar)
      }
    }
    return String(out).split(separator: " ").joined(separator: " ")
  }

  /// The same for text of several lines; between two of them stands at most one empty line.
  public static func lines(_ text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { line(String($0)) }
    var kept: [String] = []
    for line in lines where !line.isEmpty || kept.last?.isEmpty == false { kept.append(line) }
    if kept.last?.isEmpty == true { kept.removeLast() }
    return kept.joined(separator: "\n")
  }
}
