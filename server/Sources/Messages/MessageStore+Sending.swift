public import Contract
public import Platform

extension MessageStore {
  /// The same key again answers with the same message. Throws `message_empty`, `message_too_long`,
  /// `message_oneself`, `text_refused` to strangers, `links_not_yet`, `author_not_found`, `author_blocked`,
  /// `messages_off` for the author that all guests share, `clip_not_found`, `conversations_too_many`,
  /// `idempotency_key_reused`, and `sign_in_needed` where guests may not write.
  public func send(
    _ new: NewMessage, to receiver: String, by sender: Viewer, idempotencyKey: String
  ) async throws -> Message {
    guard guests == .open || !sender.isGuest else { throw AppError(.signInNeeded) }
    guard receiver != sender.id else { throw AppError(.messageOneself) }
    let text = try messageText.checked(new.text)
    let refusal = siteRules.refusal(of: text, at: "text")
    return try await database.write { transaction in
      try transaction.lock(between: sender.id, and: receiver)
      let isKnown = try haveWritten(sender.id, receiver, in: transaction)
      if !isKnown { try requireReachable(receiver, in: transaction) }
      try blocking.requireNotBlocked(sender.id, receiver, else: .authorNotFound, in: transaction)
      if let known = try find(idempotencyKey, to: receiver, by: sender.id, in: transaction) {
        guard try known.text("text") == text, known.optionalText("clip_id") == new.clipId else {
          throw AppError(.idempotencyKeyReused)
        }
        return try Self.message(known, for: sender.id)
      }
      if let clip = new.clipId {
        let author = try clips.author(ofVisible: clip, in: transaction)
        try blocking.requireNotBlocked(sender.id, author, else: .clipNotFound, in: transaction)
      }
      try siteRules.requireNoLinks(
        in: text, of: sender.id, isGuest: sender.isGuest, at: time, in: transaction)
      if let refusal, try !hasWritten(receiver, to: sender.id, in: transaction) { throw refusal }
      if !isKnown { try requirePatience(of: sender.id, in: transaction) }
      let id = Identifier.make(at: time)
      try transaction.execute(
        """
        INSERT INTO messages (receiver_id, sender_id, number, id, text, clip_id, idempotency_key, created_at_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          .text(receiver), .text(sender.id),
          .integer(try lastNumber(of: sender.id, receiver, in: transaction) + 1),
          .text(id), .text(text), SQLValue(new.clipId), .text(idempotencyKey), .integer(time.nowMs),
        ])
      try note(id, in: sender.id, with: receiver, unread: 0, begunAtMs: time.nowMs, in: transaction)
      try note(id, in: receiver, with: sender.id, unread: 1, begunAtMs: nil, in: transaction)
      try notices?.wrote(id, to: receiver, by: sender.id, about: new.clipId, in: transaction)
      guard let made = try find(idempotencyKey, to: receiver, by: sender.id, in: transaction) else {
        throw AppError(.internalError)
      }
      return try Self.message(made, for: sender.id)
    }
  }

  /// Who was written back to is no stranger.
  private func hasWritten(
    _ sender: String, to receiver: String, in transaction: any Transaction
  ) throws -> Bool {
    try !transaction.query(
      "SELECT 1 AS n FROM messages WHERE receiver_id = ? AND sender_id = ? LIMIT 1",
      [.text(receiver), .text(sender)]
    ).isEmpty
  }

  /// Somebody who has not written before is an author. The one that all guests share reads nothing.
  private func requireReachable(_ receiver: String, in transaction: any Transaction) throws {
    let row = try transaction.query("SELECT handle FROM authors WHERE id = ?", [.text(receiver)]).first
    guard let row else { throw AppError(.authorNotFound) }
    guard try row.text("handle") != Author.guestHandle else { throw AppError(.messagesOff) }
  }

  /// NB: the lock comes behind that of the two and is the last one, so nobody waits in a ring.
  private func requirePatience(of sender: String, in transaction: any Transaction) throws {
    try transaction.lock("conversations begun by \(sender)")
    let begun = try transaction.query(
      "SELECT COUNT(*) AS n FROM conversations WHERE owner_id = ? AND begun_at_ms > ?",
      [.text(sender), .integer(time.nowMs - Limits.conversationsBegunMs)])
    guard try begun[0].integer("n") < Limits.conversationsBegun else {
      throw AppError(.conversationsTooMany)
    }
  }

  func lastNumber(of one: String, _ other: String, in transaction: any Transaction) throws -> Int64 {
    let rows = try transaction.query(
      """
      SELECT COALESCE(MAX(number), 0) AS n FROM messages WHERE receiver_id = ? AND sender_id = ?
      UNION ALL
      SELECT COALESCE(MAX(number), 0) FROM messages WHERE receiver_id = ? AND sender_id = ?
      """, [.text(one), .text(other), .text(other), .text(one)])
    return try rows.map { try $0.integer("n") }.max() ?? 0
  }

  /// The conversation as its owner has it: a message more.
  private func note(
    _ id: String, in owner: String, with peer: String, unread: Int64, begunAtMs: Int64?,
    in transaction: any Transaction
  ) throws {
    try transaction.execute(
      """
      INSERT INTO conversations (owner_id, peer_id, last_id, unread, begun_at_ms) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (owner_id, peer_id) DO UPDATE
      SET last_id = excluded.last_id, unread = conversations.unread + excluded.unread
      """, [.text(owner), .text(peer), .text(id), .integer(unread), SQLValue(begunAtMs)])
  }

  private func find(
    _ key: String, to receiver: String, by sender: String, in transaction: any Transaction
  ) throws -> Row? {
    try transaction.query(
      """
      SELECT id, sender_id, text, clip_id, created_at_ms FROM messages
      WHERE receiver_id = ? AND sender_id = ? AND idempotency_key = ?
      """, [.text(receiver), .text(sender), .text(key)]
    ).first
  }

  /// Everything up to this message was seen. Whatever came since stays unread, and what was read before stays
  /// so. Throws `message_not_found`, `author_not_found` and `author_blocked`.
  public func markRead(with peer: String, upTo id: String, by viewer: String) async throws -> UnreadCount {
    try await database.write { transaction in
      try transaction.lock(between: viewer, and: peer)
      try requireConversation(viewer, peer, in: transaction)
      let seen = try transaction.query(
        """
        SELECT number FROM messages WHERE receiver_id = ? AND sender_id = ? AND id = ?
        UNION ALL
        SELECT number FROM messages WHERE receiver_id = ? AND sender_id = ? AND id = ?
        """, [.text(viewer), .text(peer), .text(id), .text(peer), .text(viewer), .text(id)])
      guard let number = try seen.first?.integer("number") else { throw AppError(.messageNotFound) }
      let rows = try transaction.query(
        """
        UPDATE conversations SET unread = CASE WHEN unread < newer.n THEN unread ELSE newer.n END
        FROM (SELECT COUNT(*) AS n FROM messages WHERE receiver_id = ? AND sender_id = ? AND number > ?) newer
        WHERE owner_id = ? AND peer_id = ? RETURNING unread
        """, [.text(viewer), .text(peer), .integer(number), .text(viewer), .text(peer)])
      return UnreadCount(unread: Int(try rows.first?.integer("unread") ?? 0))
    }
  }
}
