internal import Foundation
internal import Platform

/// How a text becomes terms by which it is found: in one spelling, the same for what is kept and for what is
/// asked, so that accents, case, width and compatibility forms make no difference on either database.
///
/// Scripts with spaces between words give words. Scripts without (Han, kana, Hangul, Thai, Lao, Khmer,
/// Myanmar) give each character and each two neighbours, as Lucene's CJKAnalyzer does: nobody needs to know
/// there where a word ends.
enum SearchText {
  /// Scalars of a word; what is longer is cut. Nobody types more of it.
  static let wordLength = 40
  /// Terms of one text: a caption of 300 characters without spaces has twice as many, and its end is found by
  /// its tags.
  static let most = 256

  /// One term, and how it was spelled where it was found.
  struct Found: Equatable {
    let term: String
    let spelling: String
  }

  /// Terms of a text that is kept, each once, in their order.
  static func terms(of text: String) -> [Found] {
    var known: Set<String> = []
    var found: [Found] = []
    for piece in pieces(of: text) {
      for (place, term) in terms(in: piece.term, isAsked: false).enumerated()
      where known.insert(term).inserted {
        found.append(Found(term: term, spelling: place == 0 ? piece.spelling : term))
        if found.count == most { return found }
      }
    }
    return found
  }

  /// The same of a handle or a tag, which has words in it and is one: `golden_hour` is found by `goldenhour`.
  static func terms(ofName name: String) -> [Found] {
    let found = terms(of: name)
    let words = pieces(of: name).map(\.term)
    let whole = cut(words.joined())
    guard words.count > 1, !found.contains(where: { $0.term == whole }) else { return found }
    return found + [Found(term: whole, spelling: whole)]
  }

  /// Terms that all have to be in what is found, each once, at most so many; in their order, so the last is
  /// the one that is being typed. Of two characters of a script without spaces it is only both together.
  static func terms(asked text: String, atMost count: Int) -> [String] {
    var known: Set<String> = []
    return Array(
      pieces(of: text).flatMap { terms(in: $0.term, isAsked: true) }
        .filter { known.insert($0).inserted }.prefix(count))
  }

  /// Whether the term is a word, which can be begun and misspelt; else it is of a script without spaces.
  static func isWord(_ term: String) -> Bool {
    term.unicodeScalars.first.map { kind(of: $0) != .unspaced } ?? false
  }

  // MARK: Folding

  /// The text in the one spelling. NB: of marks in a row no more stay than `BoundedText` lets: sorting them
  /// takes time quadratic in how many there are.
  static func folded(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var out = String.UnicodeScalarView()
    for scalar in BoundedText.normalized(text).decomposedStringWithCompatibilityMapping.unicodeScalars
    where !isMark(scalar) {
      if let letters = letters[scalar] {
        out.append(contentsOf: letters.unicodeScalars)
        continue
      }
      // By way of the capital: ß becomes ss (its own capital too), and all forms of sigma one.
      for small in scalar.properties.lowercaseMapping.unicodeScalars {
        for upper in small.properties.uppercaseMapping.unicodeScalars {
          for lower in upper.properties.lowercaseMapping.unicodeScalars where !isMark(lower) {
            out.append(hiragana(lower))
          }
        }
      }
    }
    // Syllables of Hangul and sounds of kana are put together again.
    return BoundedText.normalized(String(out))
  }

  /// Marks that people leave out when they type: accents, Hebrew points, Arabic vowels. Those of Indic
  /// scripts and of Thai are half of their words and stay, but for the nukta.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0300...0x036F, 0x0483...0x0489, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF,
      0xFE20...0xFE2F,
      0x0591...0x05BD, 0x05BF, 0x05C1, 0x05C2, 0x05C4, 0x05C5, 0x05C7,
      0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670, 0x06D6...0x06DC, 0x06DF...0x06E4, 0x06E7, 0x06E8,
      0x06EA...0x06ED, 0x093C, 0x09BC, 0x0A3C, 0x0ABC, 0x0B3C, 0x0CBC,
      0x200C, 0x200D, 0xFE00...0xFE0F:
      true
    default: false
    }
  }

  /// Letters that no decomposition knows, as people type them who do not have them; and forms of Arabic
  /// letters that keyboards differ in.
  private static let letters: [Unicode.Scalar: String] = [
    "ø": "o", "Ø": "o", "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "ł": "l", "Ł": "l", "ħ": "h", "Ħ": "h",
    "ŧ": "t", "Ŧ": "t", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "þ": "th", "Þ": "th", "ı": "i",
    "ŋ": "n", "Ŋ": "n", "ʼ": "'", "ʻ": "'", "’": "'",
    "ى": "ي", "ی": "ي", "ة": "ه", "ک": "ك", "ٱ": "ا", "ہ": "ه",
  ]

  /// Katakana as hiragana: two spellings of the same sounds.
  private static func hiragana(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    (0x30A1...0x30F6).contains(scalar.value) ? Unicode.Scalar(scalar.value - 0x60) ?? scalar : scalar
  }

  // MARK: Pieces

  private enum Kind { case letter, mark, unspaced, between }

  private static func kind(of scalar: Unicode.Scalar) -> Kind {
    switch scalar.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0x2FDF, 0x3005,
      0x3007, 0x3031...0x3035, 0x3041...0x318F, 0x31A0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA960...0xA97F, 0xAA60...0xAA7F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      switch scalar.properties.generalCategory {
      case .otherLetter, .modifierLetter, .letterNumber: return .unspaced
      case .nonspacingMark, .spacingMark: return .mark
      case .decimalNumber: return .letter
      default: return .between
      }
    default: break
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber:
      return .letter
    case .nonspacingMark, .spacingMark, .enclosingMark: return .mark
    default: return .between
    }
  }

  /// Words, and stretches of scripts without spaces, folded, with their spelling in small letters.
  private static func pieces(of text: String) -> [Found] {
    stretches(of: PlainText.line(text)).flatMap { raw in
      let folded = stretches(of: folded(raw))
      // What folding takes apart (½) has no spelling of its own.
      return folded.map { Found(term: $0, spelling: folded.count == 1 ? raw.lowercased() : $0) }
    }
  }

  private static func stretches(of text: String) -> [String] {
    var stretches: [String] = []
    var current = String.UnicodeScalarView()
    var isUnspaced = false
    func end() {
      if !current.isEmpty { stretches.append(String(current)) }
      current = String.UnicodeScalarView()
    }
    for scalar in text.unicodeScalars {
      switch kind(of: scalar) {
      case .between where isMark(scalar) || scalar == "'" || scalar == "’":
        if !current.isEmpty { current.append(scalar) }
      case .between: end()
      case .mark: if !current.isEmpty { current.append(scalar) }
      case .letter:
        if isUnspaced { end() }
        isUnspaced = false
        current.append(scalar)
      case .unspaced:
        if !isUnspaced { end() }
        isUnspaced = true
        current.append(scalar)
      }
    }
    end()
    return stretches
  }

  private static func terms(in piece: String, isAsked: Bool) -> [String] {
    guard !isWord(piece) else {
      // An apostrophe is typed or not (don't, dont), and what stands behind it is a word (l'été).
      let parts = piece.split(atByte: UInt8(ascii: "'")).map(String.init)
      let whole = cut(parts.joined())
      return isAsked || parts.count == 1 ? [whole] : [whole] + parts.map(cut)
    }
    // Letters, each with its marks.
    var letters: [String] = []
    for scalar in piece.unicodeScalars.prefix(most) {
      if kind(of: scalar) == .mark, let last = letters.indices.last {
        letters[last].unicodeScalars.append(scalar)
      } else {
        letters.append(String(scalar))
      }
    }
    let pairs = zip(letters, letters.dropFirst()).map { cut($0 + $1) }
    guard isAsked else { return letters + pairs }
    return pairs.isEmpty ? letters : pairs
  }

  private static func cut(_ word: String) -> String { BoundedText.cut(word, toScalars: wordLength) }
}
