/// Words that one slip of the finger makes of each other: a letter too many, too few, another one, or two in
/// the wrong order.
///
/// Two such words have a common form when at most one letter of each is left out (the symmetric deletion of
/// SymSpell; Mor and Fraenkel, A hash code method for detecting and correcting spelling errors, 1982). Forms
/// are found by an index, so looking takes as long among a million words as among a thousand, and a short
/// word is found as surely as a long one, which shares no three letters with what was meant.
enum Misspelling {
  /// Scalars of a word that is kept under its forms: a shorter one is a slip away from too many others.
  static let lengths = 4...24
  /// Scalars of a word that may be meant otherwise: a letter less, since it may be the one that is missing.
  static let asked = 3...25

  /// The word and what is left of it without one of its letters, each once.
  static func forms(of word: String) -> [String] {
    let scalars = Array(word.unicodeScalars)
    var known: Set<String> = [word]
    var forms = [word]
    for index in scalars.indices {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[..<index])
      view.append(contentsOf: scalars[(index + 1)...])
      let form = String(view)
      if known.insert(form).inserted { forms.append(form) }
    }
    return forms
  }

  /// Whether exactly one slip lies between them (Damerau 1964).
  static func isOneSlip(_ one: String, _ other: String) -> Bool {
    let (a, b) = (Array(one.unicodeScalars), Array(other.unicodeScalars))
    guard abs(a.count - b.count) <= 1, a != b else { return false }
    let shared = zip(a, b).prefix { $0 == $1 }.count
    let (restA, restB) = (a[shared...], b[shared...])
    if a.count > b.count { return restA.dropFirst().elementsEqual(restB) }
    if a.count < b.count { return restB.dropFirst().elementsEqual(restA) }
    if restA.dropFirst().elementsEqual(restB.dropFirst()) { return true }
    guard restA.count >= 2 else { return false }
    return restA[shared] == restB[shared + 1] && restA[shared + 1] == restB[shared]
      && restA.dropFirst(2).elementsEqual(restB.dropFirst(2))
  }
}
