internal import Contract
internal import Foundation

/// A clip's caption in pieces: together they are the caption, and those with a tag lead to its page.
public struct CaptionText: Equatable, Sendable {
  public struct Piece: Equatable, Sendable {
    public let text: String
    /// Without `#`; `nil`: plain text.
    public let tag: String?
  }

  public let pieces: [Piece]

  /// As the server finds them in a caption: letters of every script, digits and `_`, and what belongs to the
  /// letter before.
  public init(_ caption: String) {
    var pieces: [Piece] = []
    var plain = String.UnicodeScalarView()
    let scalars = Array(caption.unicodeScalars)
    var index = 0
    while index < scalars.count {
      var end = index + 1
      if scalars[index] == "#" {
        while end < scalars.count, Self.isOfTag(scalars[end]) { end += 1 }
      }
      if scalars[index] == "#", end > index + 1 {
        if !plain.isEmpty { pieces.append(Piece(text: String(plain), tag: nil)) }
        plain = String.UnicodeScalarView()
        var tag = String.UnicodeScalarView()
        tag.append(contentsOf: scalars[(index + 1)..<end])
        pieces.append(Piece(text: "#" + String(tag), tag: String(tag)))
      } else {
        plain.append(scalars[index])
        end = index + 1
      }
      index = end
    }
    if !plain.isEmpty { pieces.append(Piece(text: String(plain), tag: nil)) }
    self.pieces = pieces
  }

  /// With the tags that the caption does not have, behind it in a line of their own.
  public init(_ caption: String, tags: [String]) {
    let written = CaptionText(caption).pieces
    let known = Set(written.compactMap { $0.tag.map(Self.spelled) })
    let others = tags.filter { tag in
      !tag.isEmpty && tag.unicodeScalars.allSatisfy(Self.isOfTag) && !known.contains(Self.spelled(tag))
    }
    var pieces = written
    for (index, tag) in others.enumerated() {
      let gap = index > 0 ? " " : pieces.isEmpty ? "" : "\n"
      if !gap.isEmpty { pieces.append(Piece(text: gap, tag: nil)) }
      pieces.append(Piece(text: "#" + tag, tag: tag))
    }
    self.pieces = pieces
  }

  public var text: String { pieces.map(\.text).joined() }

  /// A tag where it stands in `text`.
  public struct Link: Equatable, Sendable {
    /// In UTF-16 code units, as the system counts places in a text.
    public let range: Range<Int>
    public let tag: String
  }

  public var links: [Link] {
    var links: [Link] = []
    var place = 0
    for piece in pieces {
      let end = place + piece.text.utf16.count
      if let tag = piece.tag { links.append(Link(range: place..<end, tag: tag)) }
      place = end
    }
    return links
  }

  /// Each tag once, however often and in whichever spelling it is written; no more than a clip may have.
  public var tags: [String] {
    var known: Set<[UInt8]> = []
    return Array(
      pieces.compactMap(\.tag).filter { known.insert(Self.spelled($0)).inserted }.prefix(Limits.tags))
  }

  /// NB: as bytes; comparing texts of people as strings can take very long.
  static func spelled(_ tag: String) -> [UInt8] {
    Array(tag.precomposedStringWithCanonicalMapping.lowercased().utf8)
  }

  private static func isOfTag(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "_" || scalar == "\u{200C}" || scalar == "\u{200D}" { return true }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
      return true
    default: return false
    }
  }
}
