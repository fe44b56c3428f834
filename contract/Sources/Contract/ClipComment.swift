public import Foundation

/// One comment under a clip. Text only: nothing in it is markup.
public struct ClipComment: Codable, Sendable, Equatable {
  public var id: String
  /// Nil: a guest.
  public var author: Author?
  public var text: String
  public var createdAt: Date

  public init(id: String, author: Author? = nil, text: String, createdAt: Date) {
    self.id = id
    self.author = author
    self.text = text
    self.createdAt = createdAt
  }
}

/// The body that makes a comment.
public struct NewComment: Codable, Sendable, Equatable {
  public var text: String

  public init(text: String) {
    self.text = text
  }
}

/// What can be thrown at a clip with one tap. A heart is what older clients send: it looks like a like, so it
/// is offered no more (docs/decisions/0023-no-heart-among-reactions.md).
public enum Reaction: String, Codable, Sendable, CaseIterable { case heart, laugh, wow, clap, fire, cry }

/// The body that makes a reaction.
public struct NewReaction: Codable, Sendable, Equatable {
  public var reaction: Reaction

  public init(reaction: Reaction) {
    self.reaction = reaction
  }
}

/// How often a clip got this reaction so far.
public struct ReactionCount: Codable, Sendable, Equatable {
  public var reaction: Reaction
  public var count: Int

  public init(reaction: Reaction, count: Int) {
    self.reaction = reaction
    self.count = count
  }
}
