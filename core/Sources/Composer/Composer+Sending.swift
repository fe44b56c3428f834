import CoreTypes

/// Messages and reactions on their way.
extension Composer {
  mutating func send(at now: Instant, _ emit: (Command) -> Void) {
    guard canSend, let item = current, let draft = drafts[item] else { return }
    // Sent and unanswered before: the same message, so that it cannot appear twice.
    let message = draft.message ?? newMessage()
    drafts.update(item) {
      $0.message = message
      $0.delivery = .idle
    }
    outgoing = Outgoing(message: message, item: item, since: now)
    store(emit)
    emit(.sendMessage(message, item))
    // The clip goes on at once; what becomes of the message is shown in the bar.
    leave(emit)
  }

  mutating func react(_ reaction: Int32, at now: Instant, _ emit: (Command) -> Void) {
    guard access == .open, let item = current, drafts[item] == nil, outgoing?.item != item,
      reactions.take(at: now)
    else { return }
    emit(.sendReaction(newMessage(), item, reaction: reaction))
  }

  private mutating func newMessage() -> MessageID {
    lastMessage &+= 1
    return MessageID(lastMessage)
  }

  /// Also a late answer to a message that was given up.
  mutating func succeed(_ message: MessageID, _ emit: (Command) -> Void) {
    let item = outgoing?.message == message ? outgoing?.item : nil
    if item != nil { outgoing = nil }
    if let sent = drafts.carried(by: message) {
      // Sent twice after a failure: the answer to the first try settles both.
      drop(sent.item, emit)
    } else if let item, drafts[item]?.isOrphaned == true {
      drop(item, emit)
    }
  }

  mutating func fail(_ message: MessageID, _ reason: FailureReason, _ emit: (Command) -> Void) {
    guard let failed = outgoing, failed.message == message else { return }
    outgoing = nil
    if drafts[failed.item]?.isOrphaned == true {
      drop(failed.item, emit)
      emit(.noticeUnsent(failed.item))
      return
    }
    drafts.update(failed.item) {
      // A changed text was not refused: it may go.
      $0.delivery = reason == .refused && $0.message == message ? .refused : .failed
    }
  }
}
