/// A text that was tried to be sent, and the key under which it was: the same text goes under it again, so
/// that an answer that got lost makes no second copy.
public struct TriedText: Codable, Equatable, Sendable {
  public var text: String
  public var key: String
  /// Who wrote it; `nil`: nobody who is signed in.
  public var writer: String?

  public init(text: String, key: String, writer: String? = nil) {
    self.text = text
    self.key = key
    self.writer = writer
  }
}

/// What one person has written at one place and has not arrived yet.
public struct Draft: Codable, Equatable, Sendable {
  /// The id of the clip, or of the person in the conversation.
  public var place: String
  /// An account's id; `nil`: a guest, or whoever wrote before drafts had a writer.
  public var writer: String?
  /// What stands in the field.
  public var text: String
  /// With what the field's text begins, as far as it was tried before.
  public var tried: [TriedText]
  /// On its way, the oldest first.
  public var away: [TriedText]

  public init(
    place: String, writer: String? = nil, text: String = "", tried: [TriedText] = [],
    away: [TriedText] = []
  ) {
    self.place = place
    self.writer = writer
    self.text = text
    self.tried = tried
    self.away = away
  }

  public var isEmpty: Bool { text.isEmpty && away.isEmpty }
}

/// Drafts by place and writer, the one that was touched last is last.
public struct Drafts: Codable, Equatable, Sendable {
  /// As many of each writer as the core keeps: whoever begins more has forgotten the first.
  public static let most = 256

  public private(set) var all: [Draft] = []

  public init() {}

  public subscript(place: String, writer: String? = nil) -> Draft? {
    get { all.first { $0.place == place && $0.writer == writer } }
    set {
      all.removeAll { $0.place == place && $0.writer == writer }
      if let newValue, !newValue.isEmpty { all.append(newValue) }
      // What is on its way stays until it has arrived.
      while all.count(where: { $0.writer == writer }) > Self.most,
        let oldest = all.firstIndex(where: { $0.writer == writer && $0.away.isEmpty })
      {
        all.remove(at: oldest)
      }
    }
  }
}
