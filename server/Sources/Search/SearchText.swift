internal import Platform

/// How a text becomes terms by which it is found: in one spelling (`FoldedText`), the same for what is kept
/// and for what is asked, on either database.
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
    term.unicodeScalars.first.map { FoldedText.kind(of: $0) != .unspaced } ?? false
  }

  static func folded(_ text: String) -> String { FoldedText.folded(text) }

  // MARK: Pieces

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
      switch FoldedText.kind(of: scalar) {
      case .between where FoldedText.isMark(scalar) || scalar == "'" || scalar == "’":
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
      if FoldedText.kind(of: scalar) == .mark, let last = letters.indices.last {
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
