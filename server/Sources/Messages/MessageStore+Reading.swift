public import Contract
public import Platform

extension MessageStore {
  /// Conversations that are looked at with one statement, at most.
  private static let widest = 256
  /// Conversations that are added up for the number that a badge shows.
  private static let badged = 1000

  /// The last written to first, without those of whom the viewer is kept apart from. Throws `invalid_cursor`.
  public func conversations(of viewer: String, cursor: String?, limit: Int) async throws -> ConversationPage {
    let codec = CursorCodec(keys: cursorKeys, list: "conversations/\(viewer)")
    let start: String? = try cursor.map {
      guard case .words(let place) = try codec.place(of: $0) else { throw AppError(.invalidCursor) }
      return place
    }
    let found = try await database.read { try find(limit + 1, of: viewer, below: start, in: $0) }
    let shown = found.prefix(limit)
    let next = found.count > limit ? shown.last.map { codec.token($0.last.id) } : nil
    return ConversationPage(items: Array(shown), nextCursor: next)
  }

  private func find(
    _ count: Int, of viewer: String, below start: String?, in transaction: any Transaction
  ) throws -> [Conversation] {
    let isActive = try blocking.hasAnyBlock(viewer, in: transaction)
    var found: [Conversation] = []
    var (place, width) = (start, count)
    // What is left out leaves room, which the next ones take.
    while found.count < count {
      let rows = try transaction.query(
        """
        SELECT peer_id, last_id, unread FROM conversations WHERE owner_id = ? \(place == nil ? "" : "AND last_id < ?")
        ORDER BY last_id DESC LIMIT ?
        """, [.text(viewer)] + (place.map { [.text($0)] } ?? []) + [SQLValue(width)])
      guard let last = rows.last else { break }
      let peers = try rows.map { try $0.text("peer_id") }
      let strangers =
        isActive ? try blocking.blocked(from: viewer, among: peers, in: transaction) : []
      let faces = try faces(of: peers, in: transaction)
      for (row, peer) in zip(rows, peers) where !strangers.contains(peer) && found.count < count {
        guard let face = faces[peer],
          let message = try find(try row.text("last_id"), viewer, peer, in: transaction)
        else { continue }
        found.append(
          Conversation(
            peer: face, last: try Self.message(message, for: viewer),
            unread: Int(try row.integer("unread"))))
      }
      place = try last.text("last_id")
      if rows.count < width { break }
      width = min(width * 2, Self.widest)
    }
    return found
  }

  private func find(
    _ id: String, _ viewer: String, _ peer: String, in transaction: any Transaction
  ) throws -> Row? {
    try transaction.query(
      """
      SELECT id, sender_id, text, clip_id, created_at_ms FROM messages
      WHERE receiver_id = ? AND sender_id = ? AND id = ?
      UNION ALL
      SELECT id, sender_id, text, clip_id, created_at_ms FROM messages
      WHERE receiver_id = ? AND sender_id = ? AND id = ?
      """, [.text(viewer), .text(peer), .text(id), .text(peer), .text(viewer), .text(id)]
    ).first
  }

  /// Newest first; nothing, where the two have not written yet. Throws `author_not_found`, `author_blocked`
  /// and `invalid_cursor`.
  public func messages(
    with peer: String, of viewer: String, cursor: String?, limit: Int
  ) async throws -> MessagePage {
    let cursors = CursorCodec(keys: cursorKeys, list: "messages/\(viewer)/\(peer)")
    let start = try cursors.start(of: cursor)
    let rows = try await database.read { transaction in
      try requireConversation(viewer, peer, in: transaction)
      // Each of the two halves is found by its key, and cut before they are put together.
      let half = """
        SELECT * FROM (SELECT number, id, sender_id, text, clip_id, created_at_ms FROM messages
            WHERE receiver_id = ? AND sender_id = ? AND number < ? ORDER BY number DESC LIMIT ?)
        """
      let values = { (one: String, other: String) -> [SQLValue] in
        [.text(one), .text(other), .integer(start), SQLValue(limit + 1)]
      }
      return try transaction.query(
        "\(half) received UNION ALL \(half) sent ORDER BY number DESC LIMIT ?",
        values(viewer, peer) + values(peer, viewer) + [SQLValue(limit + 1)])
    }
    return try cursors.page(of: rows, limit: limit, by: "number") { try Self.message($0, for: viewer) }
  }

  /// There may be nothing in it yet, if the other is somebody to whom one can write.
  func requireConversation(_ viewer: String, _ peer: String, in transaction: any Transaction) throws {
    if try !haveWritten(viewer, peer, in: transaction) {
      let authors = try transaction.query("SELECT id FROM authors WHERE id = ?", [.text(peer)])
      guard !authors.isEmpty else { throw AppError(.authorNotFound) }
    }
    try blocking.requireNotBlocked(viewer, peer, else: .authorNotFound, in: transaction)
  }

  /// Of all conversations, without those of whom the viewer is kept apart from.
  public func unread(of viewer: String) async throws -> UnreadCount {
    UnreadCount(unread: try await database.read { try unreadCount(of: viewer, in: $0) })
  }

  /// As `unread`.
  public func unreadCount(of viewer: String, in transaction: any Transaction) throws -> Int {
    let rows = try transaction.query(
      "SELECT peer_id, unread FROM conversations WHERE owner_id = ? AND unread > 0 ORDER BY unread DESC LIMIT ?",
      [.text(viewer), SQLValue(Self.badged)])
    let peers = try rows.map { try $0.text("peer_id") }
    let strangers =
      try blocking.hasAnyBlock(viewer, in: transaction)
      ? try blocking.blocked(from: viewer, among: peers, in: transaction) : []
    let counts = try zip(rows, peers).filter { !strangers.contains($1) }.map { try $0.0.integer("unread") }
    return Int(counts.reduce(0, +))
  }

  /// Nil: the message is gone, or its receiver has read it.
  public func unreadText(
    ofMessage id: String, to receiver: String, by sender: String, in transaction: any Transaction
  ) throws -> String? {
    let message = try transaction.query(
      "SELECT number, text FROM messages WHERE receiver_id = ? AND sender_id = ? AND id = ?",
      [.text(receiver), .text(sender), .text(id)]
    ).first
    guard let message else { return nil }
    // As many of the newest were not read as the conversation says.
    let unread = try transaction.query(
      """
      SELECT 1 AS n FROM conversations WHERE owner_id = ? AND peer_id = ? AND unread >=
          (SELECT COUNT(*) FROM messages WHERE receiver_id = ? AND sender_id = ? AND number >= ?)
      """,
      [
        .text(receiver), .text(sender), .text(receiver), .text(sender),
        .integer(try message.integer("number")),
      ])
    return unread.isEmpty ? nil : try message.text("text")
  }
}
