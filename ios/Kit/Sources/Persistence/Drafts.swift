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

/// What is written at one place and has not arrived yet.
public struct Draft: Codable, Equatable, Sendable {
  /// The id of the clip, or of the person in the conversation.
  public var place: String
  /// What stands in the field.
  public var text: String
  /// With what the field's text begins, as far as it was tried before.
  public var tried: [TriedText]
  /// On its way, the oldest first.
  public var away: [TriedText]

  public init(place: String, text: String = "", tried: [TriedText] = [], away: [TriedText] = []) {
    self.place = place
    self.text = text
    self.tried = tried
    self.away = away
  }

  public var isEmpty: Bool { text.isEmpty && away.isEmpty }
}

/// Drafts by place, the one that was touched last is last.
public struct Drafts: Codable, Equatable, Sendable {
  /// As many as the core keeps: whoever begins more has forgotten the first.
  public static let most = 256

  public private(set) var all: [Draft] = []

  public init() {}

  public subscript(place: String) -> Draft? {
    get { all.first { $0.place == place } }
    set {
      all.removeAll { $0.place == place }
      if let newValue, !newValue.isEmpty { all.append(newValue) }
      // What is on its way stays until it has arrived.
      while all.count > Self.most, let oldest = all.firstIndex(where: \.away.isEmpty) {
        all.remove(at: oldest)
      }
    }
  }
}
