public import Contract

/// What a text is, as the core and the server count it.
public struct TextCount: Equatable, Sendable {
  /// The most that a field takes: more than may be sent, and little enough to be written to disk at each
  /// pause.
  static let mostScalars = 16_000

  public let characters: Int32
  public let isBlank: Bool
  /// The most that may be sent.
  private let length: Int

  /// Characters as a person counts them. Where the scalars are too many for the server, the excess counts
  /// too.
  public init(
    _ text: String, length: Int = Limits.messageLength, scalars most: Int = Limits.messageScalars
  ) {
    self.length = length
    let scalars = text.unicodeScalars
    let excess = scalars.count - most
    let characters = excess > 0 ? max(text.count, length + excess) : text.count
    self.characters = Int32(clamping: characters)
    isBlank = scalars.allSatisfy(\.properties.isWhitespace)
  }

  var canBeSent: Bool { !isBlank && Int(characters) <= length }

  /// Negative: so many too many.
  var charactersLeft: Int { length - Int(characters) }

  static func cut(_ text: String) -> String {
    guard text.unicodeScalars.count > mostScalars else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(mostScalars)))
  }
}
