internal import Foundation

/// Text in one spelling, so that accents, case, width and compatibility forms make no difference; and what
/// its scalars are in words.
public enum FoldedText {
  /// The text in the one spelling. NB: of marks in a row no more stay than `BoundedText` lets: sorting them
  /// takes time quadratic in how many there are.
  public static func folded(_ text: String) -> String {
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
  public static func isMark(_ scalar: Unicode.Scalar) -> Bool {
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

  /// Of scripts without spaces between words (Han, kana, Hangul, Thai, Lao, Khmer, Myanmar) the letters are
  /// `unspaced`.
  public enum Kind: Sendable { case letter, mark, unspaced, between }

  public static func kind(of scalar: Unicode.Scalar) -> Kind {
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
}
