public import Foundation

/// One message of a conversation of two. Text only: nothing in it is markup.
public struct Message: Codable, Sendable, Equatable {
  public var id: String
  /// Whoever asks wrote it.
  public var isOwn: Bool
  public var text: String
  /// The clip that it is about.
  public var clipId: String?
  public var createdAt: Date

  public init(id: String, isOwn: Bool, text: String, clipId: String? = nil, createdAt: Date) {
    self.id = id
    self.isOwn = isOwn
    self.text = text
    self.clipId = clipId
    self.createdAt = createdAt
  }
}

/// The body that makes a message.
public struct NewMessage: Codable, Sendable, Equatable {
  public var text: String
  public var clipId: String?

  public init(text: String, clipId: String? = nil) {
    self.text = text
    self.clipId = clipId
  }
}

/// All that two people have written to each other, as one of them sees it.
public struct Conversation: Codable, Sendable, Equatable {
  /// The other one.
  public var peer: Author
  /// The newest message.
  public var last: Message
  /// Messages of the other one that were not read yet.
  public var unread: Int

  public init(peer: Author, last: Message, unread: Int) {
    self.peer = peer
    self.last = last
    self.unread = unread
  }
}

public typealias ConversationPage = Page<Conversation>
public typealias MessagePage = Page<Message>

/// The body that says how far a conversation was read.
public struct MessagesRead: Codable, Sendable, Equatable {
  /// The id of the newest message that was seen.
  public var upTo: String

  public init(upTo: String) {
    self.upTo = upTo
  }
}

/// How many messages were not read yet: of one conversation, or of all of them.
public struct UnreadCount: Codable, Sendable, Equatable {
  public var unread: Int

  public init(unread: Int) {
    self.unread = unread
  }
}
