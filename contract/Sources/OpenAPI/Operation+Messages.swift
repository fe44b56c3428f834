internal import Contract

extension Operation {
  private static let together: [ErrorCode] = [.authorNotFound, .authorBlocked]

  static let messages: [Operation] =
    reading(
      "conversations", .conversations, "messages",
      "Conversations of whoever asks, the last written to first.",
      ConversationPage.self, parameters: Parameter.page,
      links: Parameter.next(of: "getConversations")
        + Link.byID(
          at: "/items/0/peer/id", "getMessages", "headMessages", "sendMessage", "markMessagesRead"))
    + reading(
      "messages", .messages, "messages", "What the two have written to each other, newest first.",
      MessagePage.self, parameters: Parameter.page, codes: together, links: Parameter.next(of: "getMessages"))
    + [
      Operation(
        id: "sendMessage", route: .messages, method: "POST", tag: "messages",
        summary: "Writes to an author, or to whoever wrote before.",
        parameters: [
          .idempotencyKey("Chosen anew for each message; the same key again answers with the same message.")
        ],
        bodies: [.json(NewMessage.self)], answers: [.json(201, "The message, as it is shown.", Message.self)],
        codes: together + [
          .clipNotFound, .invalidParameter, .messageEmpty, .messageTooLong, .textRefused, .linksNotYet,
          .messageOneself, .messagesOff,
          .conversationsTooMany, .idempotencyKeyReused, .signInNeeded,
        ], access: .contributors, limit: .caller(.messages)),
      Operation(
        id: "markMessagesRead", route: .messagesRead, method: "PUT", tag: "messages",
        summary: "Says how far a conversation was read.",
        bodies: [.json(MessagesRead.self)],
        answers: [.json(200, "What is left of it.", UnreadCount.self)],
        codes: together + [.messageNotFound, .invalidParameter], access: .viewers, limit: .caller(.marks)),
    ]
    + reading(
      "unreadMessages", .unreadMessages, "messages", "How many messages were not read yet.",
      UnreadCount.self)
}
