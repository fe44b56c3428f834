public import Contract
internal import HTTPTypes
internal import Hummingbird
public import Platform

/// What the gateway needs of conversations. `viewer` is the id of an account or of a guest.
///
/// Those of one conversation throw `author_not_found` and `author_blocked`; the lists throw `invalid_cursor`, `markRead` throws
/// `message_not_found`. `send` answers the same key with the same and throws `idempotency_key_reused` if what comes with it is
/// another, `message_empty`, `message_too_long`, `message_oneself`, `messages_off`, `clip_not_found`,
/// `conversations_too_many` and `sign_in_needed`.
public protocol MessageKeeping: Sendable {
  func conversations(of viewer: String, cursor: String?, limit: Int) async throws -> ConversationPage
  func messages(with peer: String, of viewer: String, cursor: String?, limit: Int) async throws -> MessagePage
  func send(
    _ new: NewMessage, to receiver: String, by sender: Viewer, idempotencyKey: String
  ) async throws -> Message
  func markRead(with peer: String, upTo id: String, by viewer: String) async throws -> UnreadCount
  func unread(of viewer: String) async throws -> UnreadCount
}

struct MessageRequests: Sendable {
  let messages: any MessageKeeping

  /// Somebody who has done nothing yet has nothing here.
  func conversations(_ caller: Caller, _ request: Request) async throws -> ConversationPage {
    let place = try ListPlace(request)
    guard let viewer = caller.viewer else { return ConversationPage(items: [], nextCursor: nil) }
    return try await messages.conversations(of: viewer.id, cursor: place.cursor, limit: place.limit)
  }

  func list(with peer: String, _ caller: Caller, _ request: Request) async throws -> MessagePage {
    let place = try ListPlace(request)
    return try await messages.messages(
      with: peer, of: caller.viewer?.id ?? "", cursor: place.cursor, limit: place.limit)
  }

  func send(to peer: String, _ caller: Caller, _ request: Request) async throws -> Message {
    let key = try request.idempotencyKey()
    let body = try await JSONBody.read(NewMessage.self, of: request)
    return try await messages.send(body, to: peer, by: caller.writer(), idempotencyKey: key)
  }

  func markRead(with peer: String, _ caller: Caller, _ request: Request) async throws -> UnreadCount {
    let body = try await JSONBody.read(MessagesRead.self, of: request)
    return try await messages.markRead(with: peer, upTo: body.upTo, by: caller.viewer?.id ?? "")
  }

  func unread(_ caller: Caller) async throws -> UnreadCount {
    guard let viewer = caller.viewer else { return UnreadCount(unread: 0) }
    return try await messages.unread(of: viewer.id)
  }
}
