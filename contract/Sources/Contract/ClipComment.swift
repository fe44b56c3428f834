public import Foundation

/// One comment under a clip, or a reply to one. Text only: nothing in it is markup.
public struct ClipComment: Codable, Sendable, Equatable {
  public var id: String
  /// Nil: a guest.
  public var author: Author?
  public var text: String
  public var createdAt: Date
  public var clipId: String
  /// The comment that it answers; nil for one that stands under the clip itself. Replies have no replies.
  public var parentId: String?
  /// How many are shown under it.
  public var replies: Int
  public var likes: Int
  /// By whoever asks.
  public var liked: Bool
  /// Whoever made the clip put it first.
  public var pinned: Bool
  /// Whoever asks wrote it.
  public var own: Bool
  /// It waits until whoever made the clip has looked (`HeldReason`): nobody but the two sees it. Nil for all
  /// others.
  public var held: Bool?

  public init(
    id: String, author: Author? = nil, text: String, createdAt: Date, clipId: String, parentId: String? = nil,
    replies: Int = 0, likes: Int = 0, liked: Bool = false, pinned: Bool = false, own: Bool = false,
    held: Bool? = nil
  ) {
    self.id = id
    self.author = author
    self.text = text
    self.createdAt = createdAt
    self.clipId = clipId
    self.parentId = parentId
    self.replies = replies
    self.likes = likes
    self.liked = liked
    self.pinned = pinned
    self.own = own
    self.held = held
  }

  // NB: written by hand for `parent_id`, which is written as `null` where it is none.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encodeIfPresent(author, forKey: .author)
    try container.encode(text, forKey: .text)
    try container.encode(createdAt, forKey: .createdAt)
    try container.encode(clipId, forKey: .clipId)
    try container.encode(parentId, forKey: .parentId)
    try container.encode(replies, forKey: .replies)
    try container.encode(likes, forKey: .likes)
    try container.encode(liked, forKey: .liked)
    try container.encode(pinned, forKey: .pinned)
    try container.encode(own, forKey: .own)
    try container.encodeIfPresent(held, forKey: .held)
  }

  enum CodingKeys: String, CodingKey {
    case id, author, text, createdAt, clipId, parentId, replies, likes, liked, pinned, own, held
  }
}

/// The order of the comments under a clip. The pinned one leads in each.
public enum CommentOrder: String, Codable, Sendable, CaseIterable {
  case newest
  /// Those with the most likes first, and of equal ones the newest.
  case top
}

/// The body that makes a comment.
public struct NewComment: Codable, Sendable, Equatable {
  public var text: String
  /// The comment that it answers, of the same clip. Of a reply: it hangs under the same comment as that.
  public var replyTo: String?

  public init(text: String, replyTo: String? = nil) {
    self.text = text
    self.replyTo = replyTo
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
