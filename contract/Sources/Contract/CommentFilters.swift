/// Whose comments somebody takes under their clips, and which of them wait until they have looked.
public struct CommentFilters: Codable, Sendable, Equatable {
  /// Words and phrases: a comment with one of them waits. In the order in which they were put down.
  public var words: [String]
  /// A comment with an address of the web or of e-mail waits.
  public var holdLinks: Bool
  /// Whoever does not follow the account cannot comment.
  public var followersOnly: Bool

  public init(words: [String] = [], holdLinks: Bool = false, followersOnly: Bool = false) {
    self.words = words
    self.holdLinks = holdLinks
    self.followersOnly = followersOnly
  }
}

/// Why a comment waits.
public enum HeldReason: String, Codable, Sendable, CaseIterable {
  /// One of the creator's words is in it.
  case word
  case link
  /// The operator's list has it looked at.
  case site
}

/// A comment that waits for whoever made the clip.
public struct HeldComment: Codable, Sendable, Equatable {
  public var comment: ClipComment
  public var reason: HeldReason
  /// Which of the creator's words it was; nil for another reason.
  public var word: String?

  public init(comment: ClipComment, reason: HeldReason, word: String? = nil) {
    self.comment = comment
    self.reason = reason
    self.word = word
  }
}

/// One page of them, the newest first.
public struct HeldCommentPage: Codable, Sendable, Equatable {
  public var items: [HeldComment]
  /// Where the next page starts; `null` when there is nothing more.
  public var nextCursor: String?
  /// How many wait in all; `Limits.heldComments` stands for as many and more.
  public var held: Int

  public init(items: [HeldComment], nextCursor: String?, held: Int) {
    self.items = items
    self.nextCursor = nextCursor
    self.held = held
  }

  // NB: written by hand, for the reason that `Page` has.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(items, forKey: .items)
    try container.encode(nextCursor, forKey: .nextCursor)
    try container.encode(held, forKey: .held)
  }

  enum CodingKeys: String, CodingKey { case items, nextCursor, held }
}
