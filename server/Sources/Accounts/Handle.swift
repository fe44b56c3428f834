internal import Contract
internal import Foundation
internal import Platform

/// The name by which an account is found: the same whatever case it is written in.
///
/// ASCII alone, since it is what people read aloud, type on any keyboard, and compare by eye; names
/// (`PersonName`) are in any script.
enum Handle {
  /// What a person could take for the operator or for a part of the product.
  private static let reserved: Set<String> = [
    "about", "abuse", "account", "accounts", "admin", "administrator", "anonymous", "anyone", "api",
    "clipfeed",
    "contact", "deleted", "everybody", "everyone", "feed", "guest", "guests", "help", "hostmaster", "info",
    "legal", "mail", "media", "me", "mod", "moderation", "moderator", "moderators", "nobody", "null",
    "official",
    "operator", "owner", "postmaster", "press", "privacy", "root", "security", "settings", "signin", "signup",
    "staff", "status", "support", "sysadmin", "system", "team", "trust", "undefined", "unknown", "user",
    "verified", "webmaster", "www",
  ]

  /// In the one form in which it is kept. Throws `handle_invalid`, and `handle_taken` for those that nobody
  /// may have.
  static func checked(_ text: String) throws -> String {
    let handle = folded(text)
    let bytes = Array(handle.utf8)
    guard Limits.handleLength.contains(bytes.count), let first = bytes.first, let last = bytes.last,
      isAlphanumeric(first), isAlphanumeric(last), !handle.contains(".."),
      bytes.allSatisfy({ isAlphanumeric($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") })
    else { throw AppError(.handleInvalid, field: "handle") }
    // Also as they look with dots and lines between: a_dmin, ad.min.
    guard !reserved.contains(handle.filter { $0 != "." && $0 != "_" }) else {
      throw AppError(.handleTaken, field: "handle")
    }
    return handle
  }

  /// As it is looked for. People write the @ that they see in front of it.
  ///
  /// NB: by bytes, and letters of ASCII alone: whatever else is in a text makes it another name, and none
  /// that anybody has.
  static func folded(_ text: String) -> String {
    var bytes = Substring(text.trimmingWhitespace()).utf8[...]
    if bytes.first == UInt8(ascii: "@") { bytes = bytes.dropFirst() }
    return String(
      decoding: bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 },
      as: UTF8.self)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

/// What an account is called, in any script.
enum PersonName {
  /// NFC, with single spaces. Throws `name_invalid`, also for what would make one name look like another or
  /// turn the text around it: controls, direction overrides and other characters that nobody sees.
  static func checked(_ text: String) throws -> String {
    // NB: a name of more is none, and nothing is done with it.
    guard text.utf8.count <= 4 * Limits.nameScalars else { throw AppError(.nameInvalid, field: "name") }
    let name = BoundedText.normalized(text)
    for scalar in name.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
        throw AppError(.nameInvalid, "A name has no control characters and no line breaks.", field: "name")
      // Joiners are part of emoji and of several scripts.
      case .format where scalar != "\u{200D}" && scalar != "\u{200C}":
        throw AppError(.nameInvalid, "A name has no characters that cannot be seen.", field: "name")
      default: break
      }
    }
    let words = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard Limits.nameLength.contains(words.count), words.unicodeScalars.count <= Limits.nameScalars,
      words.unicodeScalars.contains(where: isVisible), !words.contains(where: isTower)
    else { throw AppError(.nameInvalid, field: "name") }
    return words
  }

  /// Marks heaped on one character until they cover what stands around it. A family with four tones of skin
  /// has eleven parts.
  private static func isTower(_ character: Character) -> Bool { character.unicodeScalars.count > 16 }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isDefaultIgnorableCodePoint { return false }
    return switch scalar.properties.generalCategory {
    case .format, .nonspacingMark, .enclosingMark, .spacingMark, .spaceSeparator: false
    default: true
    }
  }
}

extension String {
  /// Without white space at its ends, which is what Unicode calls so (`White_Space`) and nothing else.
  /// Foundation's own set has U+200B in it, the standard library's has not: by two definitions one name has
  /// many spellings.
  func trimmingWhitespace() -> String {
    let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    let start = unicodeScalars.drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(start[...last])
  }
}
