internal import Platform

/// Whether a password is one of those that are tried first: by rules of how people make them, which say no to
/// millions, from a few hundred words.
enum CommonPassword {
  /// So many digits and signs before or behind a word make no other password of it: `dragon12`,
  /// `Summer2024!`.
  private static let affix = 5
  /// What is repeated: `abcabcabc`, `12341234`.
  private static let unit = 4
  /// The least that counts as a run: `qwe`, `321`, `aaa`.
  private static let run = 3
  /// Runs that make a whole password: `qwerty123`, `111222333`.
  private static let runs = 4

  private static let longest = 64

  /// `text` is in small letters; `own` is what strangers know of its owner.
  static func isOne(_ text: String, own: [String]) -> Bool {
    let bytes = Array(text.utf8)
    let own = Set(own.map { Array($0.utf8) })
    if Set(bytes).count <= 1 || own.contains(bytes) { return true }
    // Nobody tries what is longer, and looking at it takes time.
    return bytes.count <= longest && (isRepeated(bytes) || isLittleButRuns(bytes) || isWord(bytes, own))
  }

  // MARK: Runs

  private static func isRepeated(_ text: [UInt8]) -> Bool {
    (1...unit).contains { period in
      text.count >= 2 * period && text.indices.dropFirst(period).allSatisfy { text[$0] == text[$0 - period] }
    }
  }

  /// Neighbours on a keyboard, in the alphabet or among numbers.
  private static let lines: [[UInt8]] = [
    "01234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./", "qwertzuiop",
    "yxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn", "!@#$%^&*()_+", "!\"#$%&/()=",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/", "qazwsxedcrfvtgbyhnujmikolp", "1q2w3e4r5t6y7u8i9o0p",
    "q1w2e3r4t5y6u7i8o9p0", "qweasdzxc", "147258369", "159357", "zaq12wsxcde34rfv", "00112233445566778899",
    "a1b2c3d4e5f6g7h8", "1a2b3c4d5e6f7g8h", "2468", "13579", "31415926535", "112358132134",
  ].flatMap { [Array($0.utf8), $0.utf8.reversed()] }

  /// Runs, and a letter or two at an end: `aa123456`, `zxcvbnm1`.
  private static func isLittleButRuns(_ text: [UInt8]) -> Bool {
    // Blanks and letters of other scripts are nobody's first try.
    guard text.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
    return [(0, 0), (0, 1), (1, 0), (0, 2), (1, 1), (2, 0)].contains { before, behind in
      isRuns(text.dropFirst(before).dropLast(behind), runs)
    }
  }

  /// Whether the text is nothing but so many runs at most.
  private static func isRuns(_ text: ArraySlice<UInt8>, _ most: Int) -> Bool {
    // By place: the fewest runs that the text up to there is made of.
    var fewest: [Int?] = [0] + Array(repeating: nil, count: text.count)
    for start in 0..<text.count {
      guard let before = fewest[start] else { continue }
      // NB: the longest alone would not do: in `1234321` one run has the first letter of the next.
      for length in stride(from: run, through: longestRun(at: text.dropFirst(start)), by: 1) {
        fewest[start + length] = min(fewest[start + length] ?? .max, before + 1)
      }
    }
    return fewest[text.count].map { $0 <= most } ?? false
  }

  private static func longestRun(at text: ArraySlice<UInt8>) -> Int {
    guard let first = text.first else { return 0 }
    var longest = text.prefix { $0 == first }.count
    for line in lines {
      for start in line.indices where line[start] == first {
        longest = max(longest, zip(text, line[start...]).prefix { $0 == $1 }.count)
      }
    }
    return longest
  }

  // MARK: Words

  private static func isWord(_ text: [UInt8], _ own: Set<[UInt8]>) -> Bool {
    let leading = text.prefix { !isLetter($0) }
    let trailing = text[(text.lastIndex(where: isLetter).map { $0 + 1 } ?? 0)...]
    for start in affixes(leading) {
      for length in affixes(trailing) where start + length < text.count {
        let middle = text[start..<(text.count - length)]
        if own.contains(Array(middle)) || isPlainWord(middle) { return true }
      }
    }
    return false
  }

  /// How much of it may be no part of the word: some of it, since digits stand for letters as well, or all of
  /// a run.
  private static func affixes(_ text: ArraySlice<UInt8>) -> [Int] {
    Array(0...min(text.count, affix)) + (text.count > affix && isRuns(text, 2) ? [text.count] : [])
  }

  /// A word or two of the same, also where digits and signs stand for letters.
  private static func isPlainWord(_ text: ArraySlice<UInt8>) -> Bool {
    [UInt8(ascii: "i"), UInt8(ascii: "l")].contains { one in
      let plain = text.map { letter(of: $0, one: one) }
      if CommonWords.all.contains(plain) { return true }
      let half = plain.count / 2
      return plain.count % 2 == 0 && plain[..<half] == plain[half...]
        && CommonWords.all.contains(Array(plain[..<half]))
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte >= 128
  }

  private static func letter(of byte: UInt8, one: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "0"): UInt8(ascii: "o")
    case UInt8(ascii: "1"), UInt8(ascii: "!"), UInt8(ascii: "|"): one
    case UInt8(ascii: "3"): UInt8(ascii: "e")
    case UInt8(ascii: "4"), UInt8(ascii: "@"): UInt8(ascii: "a")
    case UInt8(ascii: "5"), UInt8(ascii: "$"): UInt8(ascii: "s")
    case UInt8(ascii: "7"), UInt8(ascii: "+"): UInt8(ascii: "t")
    case UInt8(ascii: "8"): UInt8(ascii: "b")
    default: byte
    }
  }
}
