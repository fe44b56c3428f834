/// A text as what words are looked for in: whole words, and single letters of scripts without spaces between
/// words, and single pictures.
struct WordUnits {
  struct Unit {
    /// In the one spelling (`FoldedText`), in UTF-8.
    var spelling: [UInt8]
    /// What it looks like, in letters that stand for all that look alike; no letter twice in a row.
    var look: [UInt8]
    /// It looks like something else than it is spelled: letters of several scripts, or with digits among
    /// them, or one of them many times.
    var isDisguised: Bool
  }

  static func all(of text: String) -> [Unit] {
    var units = WordUnits()
    let cut = BoundedText.cut(text, toScalars: WordFilter.scalars)
    // NB: what is compatible with one scalar can be eighteen.
    let scalars = Array(
      FoldedText.folded(PlainText.line(cut)).unicodeScalars.lazy.filter { !isInvisible($0) }
        .prefix(WordFilter.scalars))
    for (index, scalar) in scalars.enumerated() {
      units.take(
        scalar, behind: index > 0 ? scalars[index - 1] : nil,
        before: index + 1 < scalars.count ? scalars[index + 1] : nil)
    }
    units.endWord()
    units.endSingles()
    return units.units
  }

  private var units: [Unit] = []
  private var word: [Unicode.Scalar] = []
  /// Words of one letter each in a row: s p a m.
  private var singles: [Unicode.Scalar] = []

  private mutating func take(
    _ scalar: Unicode.Scalar, behind last: Unicode.Scalar?, before next: Unicode.Scalar?
  ) {
    switch FoldedText.kind(of: scalar) {
    case .letter: word.append(scalar)
    case .mark where !word.isEmpty: word.append(scalar)
    case .mark: if let last = units.indices.last { units[last].add(scalar) }
    case .between where Self.standsForLetter(scalar, behind: last, before: next): word.append(scalar)
    case .between:
      endWord()
      if scalar.properties.generalCategory == .otherSymbol { addSingle(scalar) }
    case .unspaced:
      endWord()
      addSingle(scalar)
    }
  }

  private mutating func addSingle(_ scalar: Unicode.Scalar) {
    endSingles()
    let bytes = Array(String(scalar).utf8)
    units.append(Unit(spelling: bytes, look: bytes, isDisguised: false))
  }

  private mutating func endWord() {
    guard !word.isEmpty else { return }
    if word.count == 1 {
      singles.append(word[0])
    } else {
      endSingles()
      units.append(Unit(word))
    }
    word = []
  }

  /// From three on they are one word.
  private mutating func endSingles() {
    if singles.count >= 3 {
      units.append(Unit(singles))
    } else {
      units += singles.map { Unit([$0]) }
    }
    singles = []
  }

  /// Spaces of no width that are letters by their category.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x115F, 0x1160, 0x3164, 0xFFA0: true
    default: false
    }
  }

  /// `$` in front of a letter, and `@` between two: the first letter of a handle is behind a blank.
  private static func standsForLetter(
    _ scalar: Unicode.Scalar, behind last: Unicode.Scalar?, before next: Unicode.Scalar?
  ) -> Bool {
    guard scalar == "$" || scalar == "@", let next, FoldedText.kind(of: next) == .letter else { return false }
    return scalar == "$" || last.map { FoldedText.kind(of: $0) == .letter } ?? false
  }
}

extension WordUnits.Unit {
  fileprivate init(_ scalars: [Unicode.Scalar]) {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    spelling = Array(String(text).utf8)
    var looks: [Unicode.Scalar] = []
    var kinds: Set<LookAlike.Kind> = []
    var row = 0
    var longest = 0
    var last: Unicode.Scalar?
    for scalar in scalars {
      row = scalar == last ? row + 1 : 1
      longest = max(longest, row)
      last = scalar
      if let kind = LookAlike.kind(of: scalar) { kinds.insert(kind) }
      let look = LookAlike.look(of: scalar)
      if looks.last != look { looks.append(look) }
    }
    var look = String.UnicodeScalarView()
    look.append(contentsOf: looks)
    self.look = Array(String(look).utf8)
    let isNumber = kinds == [.digit]
    isDisguised = kinds.count > 1 || kinds.contains(.ornament) || (longest >= 3 && !isNumber)
  }

  fileprivate mutating func add(_ mark: Unicode.Scalar) {
    spelling += Array(String(mark).utf8)
    look += Array(String(mark).utf8)
  }
}
