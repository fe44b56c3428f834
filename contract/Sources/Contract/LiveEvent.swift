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
  /// Kinds that tell of something.
  public static let kinds = [like, follow, message, reaction]

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

  public init(
    id: String, kind: String, createdAt: Date, actor: Author? = nil, clipId: String? = nil,
    messageId: String? = nil, reaction: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.createdAt = createdAt
    self.actor = actor
    self.clipId = clipId
    self.messageId = messageId
    self.reaction = reaction
  }
}
