internal import Foundation

/// A language as BCP 47 (RFC 5646) names it, in the one spelling that the standard recommends: `zh-Hant-TW`.
public struct LanguageTag: Sendable, Hashable, CustomStringConvertible {
  public let description: String

  /// The longest that RFC 5646 asks everybody to take.
  private static let longest = 35

  /// Nil for what is no well-formed tag. An underscore counts as a hyphen, and a three-letter code that has a
  /// shorter one becomes that.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    var parts = text.replacing(byte: UInt8(ascii: "_"), with: "-").lowercased().split(
      separator: "-", omittingEmptySubsequences: false
    ).map(String.init)[...]
    guard
      parts.allSatisfy({ part in
        (1...8).contains(part.utf8.count)
          && part.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
      }), let language = parts.popFirst(), (2...3).contains(language.utf8.count), Self.isAlpha(language)
    else { return nil }
    var out = [Self.shortest(language)]
    if let part = parts.first, part.utf8.count == 3, Self.isAlpha(part) { out.append(parts.removeFirst()) }
    if let part = parts.first, part.utf8.count == 4, Self.isAlpha(part) {
      out.append(parts.removeFirst().capitalized)
    }
    if let part = parts.first,
      part.utf8.count == 2 && Self.isAlpha(part) || part.utf8.count == 3 && SafeInteger.read(part) != nil
    {
      out.append(parts.removeFirst().uppercased())
    }
    while let part = parts.first,
      part.utf8.count >= 5 || part.utf8.count == 4 && part.first?.isNumber == true
    {
      guard !out.contains(part) else { return nil }
      out.append(parts.removeFirst())
    }
    // Extensions and private use: a letter or digit alone, and then what belongs to it.
    while let singleton = parts.first {
      guard singleton.utf8.count == 1 else { return nil }
      out.append(parts.removeFirst())
      let isPrivate = singleton == "x"
      let subtags = parts.prefix { isPrivate || $0.utf8.count > 1 }
      guard !subtags.isEmpty else { return nil }
      out += subtags
      parts = parts.dropFirst(subtags.count)
    }
    description = out.joined(separator: "-")
  }

  /// The language alone, two or three letters in lower case: `zh` of `zh-Hant-TW`.
  public var primary: String {
    String(decoding: description.utf8.prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self)
  }

  /// The language's own name, for people who read it.
  public var ownName: String {
    let name = Locale(identifier: description).localizedString(forIdentifier: description) ?? description
    return name.prefix(1).uppercased() + name.dropFirst()
  }

  private static func isAlpha(_ text: String) -> Bool { text.utf8.allSatisfy { (97...122).contains($0) } }

  private static func shortest(_ language: String) -> String {
    Locale.LanguageCode(language).identifier(.alpha2)?.lowercased() ?? language
  }
}
