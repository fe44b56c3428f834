internal import Contract

/// What somebody wrote, in pieces: together they are the text, and those with a handle lead to a profile.
///
/// It refuses to know whether there is anybody of that name.
public struct MentionText: Equatable, Sendable {
  public struct Piece: Equatable, Sendable {
    public let text: String
    /// As profiles have it, without `@`; `nil`: plain text.
    public let handle: String?
  }

  public let pieces: [Piece]

  public init(_ text: String) {
    var pieces: [Piece] = []
    var place = text.startIndex
    for mention in Mention.all(in: text) {
      if place < mention.range.lowerBound {
        pieces.append(Piece(text: String(text[place..<mention.range.lowerBound]), handle: nil))
      }
      pieces.append(Piece(text: String(text[mention.range]), handle: mention.handle))
      place = mention.range.upperBound
    }
    if place < text.endIndex { pieces.append(Piece(text: String(text[place...]), handle: nil)) }
    self.pieces = pieces
  }

  /// Each once, in their order.
  public var handles: [String] {
    var known: Set<String> = []
    return pieces.compactMap(\.handle).filter { known.insert($0).inserted }
  }
}
