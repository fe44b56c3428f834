internal import Foundation
internal import Platform

/// A handle for somebody of whom a provider told a name or an address.
enum HandleSuggestion {
  /// Room for digits behind it.
  private static let length = 24
  /// Addresses that a provider made up so that nobody learns the person's own.
  private static let relay = "@privaterelay.appleid.com"
  private static let latin: [Character: String] = [
    "ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
  ]

  /// `isFree` asks whether nobody has it.
  static func of(_ identity: ProvenIdentity, isFree: (String) throws -> Bool) rethrows -> String {
    let address = identity.email.flatMap { $0.lowercased().ends(withBytesOf: relay) ? nil : $0 }
    let local = address?.split(atByte: UInt8(ascii: "@")).first.map(String.init)
    // What a provider calls a nickname is an address with some.
    let nickname = identity.nickname?.split(atByte: UInt8(ascii: "@")).first.map(String.init)
    for text in [nickname, local, identity.name] {
      guard let base = text.flatMap(made) else { continue }
      for end in [""] + (2...9).map(String.init) where try isFree(base + end) { return base + end }
      let long = base + String(Int.random(in: 1000...9999))
      if try isFree(long) { return long }
    }
    return "person\(Int.random(in: 100_000...999_999))"
  }

  private static func made(_ text: String) -> String? {
    var handle = ""
    for character in text.prefix(200).lowercased() {
      let plain = latin[character] ?? String(character).decomposedStringWithCanonicalMapping
      let kept = plain.unicodeScalars.filter { ("a"..."z").contains($0) || ("0"..."9").contains($0) }
      if !kept.isEmpty {
        for scalar in kept { handle.unicodeScalars.append(scalar) }
      } else if character.isWhitespace || character.isPunctuation, !handle.ends(withBytesOf: "."),
        !handle.isEmpty
      {
        handle += character == "_" ? "_" : "."
      }
    }
    handle = String(handle.prefix(length)).trimmingCharacters(in: CharacterSet(charactersIn: "._"))
    return try? Handle.checked(handle)
  }
}
