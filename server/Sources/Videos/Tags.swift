internal import Contract
internal import Platform

/// Words by which clips are found, as people type them behind a `#`.
public enum Tags {
  /// In one spelling, each once, in the order in which they came; what is no word is left out.
  public static func clean(_ tags: [String]) -> [String] {
    var known: Set<String> = []
    return tags.compactMap { tag in
      let clean = PlainText.line(BoundedText.cut(tag, toScalars: 8 * Limits.tagLength)).lowercased().filter(
        isPart)
      guard (1...Limits.tagLength).contains(clean.count), clean.utf8.count <= 4 * Limits.tagLength,
        known.insert(clean).inserted
      else { return nil }
      return clean
    }.prefix(Limits.tags).map { $0 }
  }

  /// "dawn at the #pier" names "pier".
  public static func named(in caption: String) -> [String] {
    caption.split(separator: "#", omittingEmptySubsequences: false).dropFirst().map {
      String($0.prefix(while: isPart))
    }
  }

  /// Letters of every script with their marks, digits, and `_`.
  private static func isPart(_ character: Character) -> Bool {
    character == "_" || character.isLetter || character.isNumber
  }
}
