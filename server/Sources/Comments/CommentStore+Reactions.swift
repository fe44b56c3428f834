public import Contract
internal import Platform

/// What is thrown at a clip with one tap.
extension CommentStore {
  /// For a day the same key again is the same reaction. Throws `comments_off`, `clip_not_found`,
  /// `author_blocked`, and `idempotency_key_reused` if it was another.
  public func react(
    _ reaction: Reaction, to clipID: String, by author: String? = nil, guest: String? = nil,
    idempotencyKey: String? = nil
  ) async throws -> ReactionCount {
    try requireOpen(to: author)
    return try await write { transaction in
      let creator = try requireVisible(clipID, to: author ?? guest, in: transaction)
      if try isNew(reaction, on: clipID, idempotencyKey, in: transaction) {
        try Counters.clips.add([.init(clipID, Counted(reaction), by: 1)], at: time, in: transaction)
        if let viewer = author ?? guest {
          try notices?.reacted(reaction, to: clipID, of: creator, by: viewer, in: transaction)
        }
      }
      let count = try Counters.clips.count(Counted(reaction), of: clipID, in: transaction)
      return ReactionCount(reaction: reaction, count: count)
    }
  }

  private func isNew(
    _ reaction: Reaction, on clipID: String, _ key: String?, in transaction: any Transaction
  ) throws -> Bool {
    guard let key else { return true }
    let isNew = try transaction.execute(
      """
      INSERT INTO reaction_keys (clip_id, idempotency_key, reaction, created_at_ms) VALUES (?, ?, ?, ?)
      ON CONFLICT (clip_id, idempotency_key) DO NOTHING
      """, [.text(clipID), .text(key), .text(reaction.rawValue), .integer(time.nowMs)])
    if isNew == 1 { return true }
    let known = try transaction.query(
      "SELECT reaction FROM reaction_keys WHERE clip_id = ? AND idempotency_key = ?",
      [.text(clipID), .text(key)])
    guard try known.first?.text("reaction") == reaction.rawValue else {
      throw AppError(.idempotencyKeyReused)
    }
    return false
  }

  private static let keyLifeMs: Int64 = 86_400_000

  /// Forgets keys of reactions that nobody will repeat any more.
  public func sweep() async throws {
    try await database.write {
      try $0.execute(
        "DELETE FROM reaction_keys WHERE created_at_ms < ?", [.integer(time.nowMs - Self.keyLifeMs)])
    }
  }
}
