/// Somebody who is named in a text: `@handle`. Whether there is such a person is for others to say.
///
/// NB: by scalars, since what a stranger wrote may stack marks on any letter. Hosts in other languages read
/// texts in the same way: `fixtures/mentions.json`.
public struct Mention: Sendable, Equatable {
  /// In lower case, as handles are kept, and without the `@`.
  public let handle: String
  /// Where it stands in the text, with the `@`.
  public let range: Range<String.Index>

  /// In the order in which they stand there. An address of e-mail, a path and a name that goes on in letters
  /// no handle has are none. Full stops and lines at the end belong to the sentence.
  public static func all(in text: String) -> [Mention] {
    let scalars = text.unicodeScalars
    var found: [Mention] = []
    var place = scalars.startIndex
    var before: Unicode.Scalar?
    while place < scalars.endIndex {
      let at = place
      let scalar = scalars[at]
      place = scalars.index(after: at)
      defer { before = scalar }
      guard scalar == "@", before.map(mayStandBefore) != false else { continue }
      let name = scalars[place...].prefix(while: isOfHandle)
      guard name.endIndex == scalars.endIndex || mayStandBehind(scalars[name.endIndex]),
        let last = name.lastIndex(where: isAlphanumeric)
      else { continue }
      let end = scalars.index(after: last)
      let bytes = text[place..<end].utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      guard Limits.handleLength.contains(bytes.count), isAlphanumeric(scalars[place]),
        !zip(bytes, bytes.dropFirst()).contains(where: { $0 == 0x2E && $1 == 0x2E })
      else { continue }
      found.append(Mention(handle: String(decoding: bytes, as: UTF8.self), range: at..<end))
    }
    return found
  }

  private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }

  private static func isOfHandle(_ scalar: Unicode.Scalar) -> Bool {
    isAlphanumeric(scalar) || scalar == "." || scalar == "_"
  }

  private static func mayStandBefore(_ scalar: Unicode.Scalar) -> Bool {
    !isOfWord(scalar) && !["_", ".", "-", "@", "/"].contains(scalar)
  }

  private static func mayStandBehind(_ scalar: Unicode.Scalar) -> Bool {
    !isOfWord(scalar) && scalar != "@"
  }

  /// Letters, marks and numbers of any script: `\p{L}`, `\p{M}` and `\p{N}`.
  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      true
    default: false
    }
  }
}
