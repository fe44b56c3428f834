public import Foundation

/// What stands behind `data:` of an event of the live stream. Its name there is `kind`.
///
/// The same event may come twice after a reconnect; then it has the same id. A client leaves out kinds it
/// does not know.
public struct LiveEvent: Codable, Sendable, Equatable {
  /// Somebody liked a clip of the account.
  public static let like = "like"
  /// Somebody follows the account.
  public static let follow = "follow"

  /// Somebody wrote a message to the account.
  public static let message = "message"
  /// Somebody reacted to a clip of the account.
  public static let reaction = "reaction"
  /// Somebody commented on a clip of the account, answered a comment of its, or named it in a comment. Of one
  /// comment an account hears once: a reply goes before a mention, and that before a comment.
  public static let comment = "comment"
  public static let reply = "reply"
  public static let mention = "mention"
  /// The list of notifications has changed in a way that no other event tells of. Nobody did it: its actor is
  /// absent, and there is nothing to say.
  public static let notification = "notification"
  public static let ofComments = [comment, reply, mention]
  /// Kinds that tell of somebody.
  public static let kinds = [like, follow, message, reaction] + ofComments

  /// Names of events of the stream that are about the stream itself and have no such body: `ready` is the
  /// first, and `reset` says that events may be missing, so whatever they told of has to be asked for.
  public static let ready = "ready"
  public static let reset = "reset"

  public var id: String
  public var kind: String
  public var createdAt: Date
  /// Who did it; absent for somebody without an account.
  public var actor: Author?
  public var clipId: String?
  /// Of a message: its id, in the conversation with the actor.
  public var messageId: String?
  /// Of a reaction: which.
  public var reaction: String?
  /// Of a comment, a reply or a mention: the comment in which it is.
  public var commentId: String?

  public init(
    id: String, kind: String, createdAt: Date, actor: Author? = nil, clipId: String? = nil,
    messageId: String? = nil, reaction: String? = nil, commentId: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.createdAt = createdAt
    self.actor = actor
    self.clipId = clipId
    self.messageId = messageId
    self.reaction = reaction
    self.commentId = commentId
  }
}
