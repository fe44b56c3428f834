internal import Contract
internal import Features
internal import Platform

extension MessageStore {
  var endpoints: [Endpoint] {
    [
      // Somebody who has done nothing yet has nothing here.
      Endpoint(reading: "conversations") { call in
        let page = try call.page()
        guard let viewer = call.viewer else { return ConversationPage(items: [], nextCursor: nil) }
        return try await conversations(of: viewer.id, cursor: page.cursor, limit: page.limit)
      },
      Endpoint(reading: "messages") { call in
        let page = try call.page()
        return try await messages(
          with: call.id, of: call.viewer?.id ?? "", cursor: page.cursor, limit: page.limit)
      },
      Endpoint("sendMessage") { call in
        let key = try call.idempotencyKey()
        let message = try await call.body(NewMessage.self)
        let sender = call.writer()
        if try await isNew(sender) { try await call.take(SiteRules.newcomers) }
        return try await send(message, to: call.id, by: sender, idempotencyKey: key)
      },
      Endpoint("markMessagesRead") { call in
        let read = try await call.body(MessagesRead.self)
        return try await markRead(with: call.id, upTo: read.upTo, by: call.viewer?.id ?? "")
      },
      Endpoint(reading: "unreadMessages") { call in
        guard let viewer = call.viewer else { return UnreadCount(unread: 0) }
        return try await unread(of: viewer.id)
      },
    ]
  }

  private func isNew(_ sender: Viewer) async throws -> Bool {
    guard siteRules.newcomerHours > 0 else { return false }
    return try await database.read {
      try siteRules.isNew(sender.id, isGuest: sender.isGuest, at: time, in: $0)
    }
  }
}
