internal import Contract
public import Platform

extension MessageStore: ViewerMerging {
  /// What the guest wrote and got comes behind what the account did with the same person.
  public func merge(_ guest: String, into account: String, in transaction: any Transaction) throws {
    let peers = try transaction.query(
      "SELECT peer_id FROM conversations WHERE owner_id = ? ORDER BY peer_id", [.text(guest)]
    ).map { try $0.text("peer_id") }
    for peer in peers where peer != account {
      for one in [guest, account].sorted() { try transaction.lock(between: one, and: peer) }
      try move(guest, to: account, with: peer, in: transaction)
    }
    // What the guest wrote to the account was written to oneself.
    try erase(guest, in: transaction)
  }

  private func move(
    _ guest: String, to account: String, with peer: String, in transaction: any Transaction
  ) throws {
    let base = try lastNumber(of: account, peer, in: transaction)
    // NB: written anew rather than changed: who gets a message is what rows are distributed by.
    for (from, to) in [((guest, peer), (account, peer)), ((peer, guest), (peer, account))] {
      try transaction.execute(
        """
        INSERT INTO messages (receiver_id, sender_id, number, id, text, clip_id, idempotency_key, created_at_ms)
        SELECT CAST(? AS TEXT), CAST(? AS TEXT), m.number + CAST(? AS BIGINT), m.id, m.text, m.clip_id,
            CASE WHEN EXISTS (SELECT 1 FROM messages own WHERE own.receiver_id = ? AND own.sender_id = ?
                    AND own.idempotency_key = m.idempotency_key)
                THEN CAST(? AS TEXT) || m.idempotency_key ELSE m.idempotency_key END,
            m.created_at_ms
        FROM messages m WHERE m.receiver_id = ? AND m.sender_id = ?
        """,
        [
          // A message whose answer did not come is sent again under its key, by the account; but a key of the
          // account's own stays what it is.
          .text(to.0), .text(to.1), .integer(base), .text(to.0), .text(to.1), .text("\(guest)/"),
          .text(from.0), .text(from.1),
        ])
    }
    for (from, to) in [((guest, peer), (account, peer)), ((peer, guest), (peer, account))] {
      let rows = try transaction.query(
        "DELETE FROM conversations WHERE owner_id = ? AND peer_id = ? RETURNING last_id, unread, begun_at_ms",
        [.text(from.0), .text(from.1)])
      guard let row = rows.first else { continue }
      try transaction.execute(
        """
        INSERT INTO conversations (owner_id, peer_id, last_id, unread, begun_at_ms) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (owner_id, peer_id) DO UPDATE SET unread = conversations.unread + excluded.unread,
            last_id = CASE WHEN excluded.last_id > conversations.last_id THEN excluded.last_id
                ELSE conversations.last_id END
        """,
        [
          .text(to.0), .text(to.1), .text(try row.text("last_id")), .integer(try row.integer("unread")),
          SQLValue(row.optionalInteger("begun_at_ms")),
        ])
    }
  }
}

extension MessageStore: ViewerErasing {
  /// What the viewer wrote goes, and what was written to the viewer: nothing of a conversation stays with the
  /// other.
  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    for sql in [
      "DELETE FROM messages WHERE receiver_id = ?", "DELETE FROM messages WHERE sender_id = ?",
      "DELETE FROM conversations WHERE owner_id = ?", "DELETE FROM conversations WHERE peer_id = ?",
    ] { try transaction.execute(sql, [.text(viewer)]) }
  }
}
