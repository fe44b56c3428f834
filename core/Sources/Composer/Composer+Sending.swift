import CoreTypes

/// Messages and reactions on their way.
extension Composer {
  mutating func send(at now: Instant, _ emit: (Command) -> Void) {
    guard canSend, let item = current, let draft = drafts[item] else { return }
    // Sent and unanswered before: the same message, so that it cannot appear twice.
    let message = draft.message ?? newMessage()
    outgoing = Outgoing(message: message, item: item, characters: draft.characters, since: now)
    drafts.remove(item)
    emit(.sendMessage(message, item))
    // The field is empty and the clip goes on at once; what fails comes back.
    leave(emit)
  }

  /// Also beside a text that is kept, since nobody writes it now, and where the creator cannot be written to.
  mutating func react(_ reaction: Int32, at now: Instant, _ emit: (Command) -> Void) {
    guard access == .open || access == .off, !isFocused, let item = current, reactions.take(at: now) else {
      return
    }
    emit(.sendReaction(newMessage(), item, reaction: reaction))
  }

  private mutating func newMessage() -> MessageID {
    lastMessage &+= 1
    return MessageID(lastMessage)
  }

  /// Also a late answer to a message that was given up.
  mutating func succeed(_ message: MessageID, _ emit: (Command) -> Void) {
    if outgoing?.message == message { outgoing = nil }
    // It has come back, and was not changed since.
    if let sent = drafts.carried(by: message) { drop(sent.item, emit) }
  }

  mutating func fail(_ message: MessageID, _ reason: FailureReason, _ emit: (Command) -> Void) {
    guard let failed = outgoing, failed.message == message else { return }
    outgoing = nil
    guard !failed.isOrphaned else { return emit(.noticeUnsent(failed.item)) }
    let typed = drafts[failed.item]
    var draft = Drafts.Draft(item: failed.item, characters: failed.characters, isBlank: false)
    draft.lines = typed?.lines ?? 1
    draft.mayBeStored = true
    if let typed {
      // The two stand one above the other: another text, which nobody has refused.
      draft.characters = Int32(clamping: Int64(failed.characters) + 1 + Int64(typed.characters))
      draft.delivery = .failed
    } else {
      draft.message = message
      draft.delivery = reason == .refused ? .refused : .failed
    }
    keep(draft, emit)
    emit(.returnText(message, failed.item))
    if failed.item != current { emit(.noticeReturned(failed.item)) }
  }
}
