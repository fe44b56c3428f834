extension Client {
  public func conversations(cursor: String? = nil, limit: Int? = nil) async throws -> ConversationPage {
    try await page(Route.conversations.path(), cursor: cursor, limit: limit)
  }

  public func messages(with peer: String, cursor: String? = nil, limit: Int? = nil) async throws
    -> MessagePage
  {
    try await page(Route.messages.path(peer), cursor: cursor, limit: limit)
  }

  /// The same key again answers with the same message, so a request without an answer can be repeated.
  public func send(
    _ text: String, to peer: String, clip: String? = nil, idempotencyKey: String
  ) async throws -> Message {
    try await write(
      "POST", NewMessage(text: text, clipId: clip), to: Route.messages.path(peer),
      headers: ["idempotency-key": idempotencyKey])
  }

  public func markRead(with peer: String, upTo message: String) async throws -> UnreadCount {
    try await write("PUT", MessagesRead(upTo: message), to: Route.messagesRead.path(peer))
  }

  public func unreadMessages() async throws -> UnreadCount {
    try await get(Route.unreadMessages.path())
  }
}
