public import Contract
internal import Platform

/// Likes of comments, and the comment that stands first under its clip.
extension CommentStore {
  /// Throws `comment_not_found` and `author_blocked`, as all of these do; one who liked a comment can take
  /// that back whatever became of it.
  public func like(_ id: String, by viewer: String) async throws -> LikeState {
    try await write(else: .commentNotFound) { transaction in
      let row = try requireRow(id, to: viewer, in: transaction)
      let isNew = try transaction.execute(
        """
        INSERT INTO comment_likes (clip_id, comment_id, viewer_id, created_at_ms) VALUES (?, ?, ?, ?)
        ON CONFLICT (clip_id, comment_id, viewer_id) DO NOTHING
        """, [.text(try row.text("clip_id")), .text(id), .text(viewer), .integer(time.nowMs)])
      if isNew == 1 {
        try countLikes(1, of: [id], in: transaction)
        if let writer = row.optionalText("writer_id"), writer != viewer {
          try notices?.liked(id, on: try row.text("clip_id"), of: writer, by: viewer, in: transaction)
        }
      }
      return try likeState(true, id, in: transaction)
    }
  }

  public func unlike(_ id: String, by viewer: String) async throws -> LikeState {
    try await write(else: .commentNotFound) { transaction in
      guard let row = try row(id, in: transaction) else { throw AppError(.commentNotFound) }
      let removed = try transaction.execute(
        "DELETE FROM comment_likes WHERE clip_id = ? AND comment_id = ? AND viewer_id = ?",
        [.text(try row.text("clip_id")), .text(id), .text(viewer)])
      if removed == 1 {
        try countLikes(-1, of: [id], in: transaction)
      } else {
        _ = try requireRow(id, to: viewer, in: transaction)
      }
      return try likeState(false, id, in: transaction)
    }
  }

  /// Those of these comments that the viewer likes.
  func liked(
    _ ids: [String], of clipID: String, by viewer: String, in transaction: any Transaction
  ) throws -> Set<String> {
    guard !ids.isEmpty else { return [] }
    let list = SQLList(ids)
    let rows = try transaction.query(
      "SELECT comment_id FROM comment_likes WHERE clip_id = ? AND comment_id IN \(list.marks) AND viewer_id = ?",
      [.text(clipID)] + list.values + [.text(viewer)])
    return Set(try rows.map { try $0.text("comment_id") })
  }

  func countLikes(_ change: Int, of ids: [String], in transaction: any Transaction) throws {
    try Counters.comments.add(ids.map { .init($0, .likes, by: change) }, at: time, in: transaction)
  }

  private func likeState(
    _ liked: Bool, _ id: String, in transaction: any Transaction
  ) throws -> LikeState {
    LikeState(liked: liked, likes: try Counters.comments.count(.likes, of: id, in: transaction))
  }

  // MARK: Pins

  /// In the place of another. Throws `comment_not_yours` to all but the clip's owner, and `comment_is_reply`.
  public func pin(_ id: String, by viewer: String) async throws -> ClipComment {
    try await write(else: .commentNotFound) { transaction in
      let row = try requirePinnable(id, by: viewer, in: transaction)
      guard row.optionalText("parent_id") == nil else { throw AppError(.commentIsReply) }
      // NB: held, so that whoever removes it meanwhile waits, and then takes the pin away as well.
      let held = try transaction.query(
        "SELECT id FROM comments WHERE id = ? AND removed_at_ms IS NULL", [.text(id)], locking: .wait)
      guard !held.isEmpty else { throw AppError(.commentNotFound) }
      try transaction.execute(
        """
        INSERT INTO comment_pins (clip_id, comment_id) VALUES (?, ?)
        ON CONFLICT (clip_id) DO UPDATE SET comment_id = excluded.comment_id
        """, [.text(try row.text("clip_id")), .text(id)])
      return try shown(row, to: viewer, in: transaction)
    }
  }

  public func unpin(_ id: String, by viewer: String) async throws -> ClipComment {
    try await write(else: .commentNotFound) { transaction in
      let row = try requirePinnable(id, by: viewer, in: transaction)
      try unpin([id], of: try row.text("clip_id"), in: transaction)
      return try shown(row, to: viewer, in: transaction)
    }
  }

  func unpin(_ ids: [String], of clipID: String, in transaction: any Transaction) throws {
    let list = SQLList(ids)
    try transaction.execute(
      "DELETE FROM comment_pins WHERE clip_id = ? AND comment_id IN \(list.marks)",
      [.text(clipID)] + list.values)
  }

  private func requirePinnable(
    _ id: String, by viewer: String, in transaction: any Transaction
  ) throws -> Row {
    let row = try requireRow(id, to: viewer, in: transaction)
    guard try clips.owns(try row.text("clip_id"), viewer, in: transaction) else {
      throw AppError(.commentNotYours, "Only whoever made the clip pins its comments.")
    }
    return row
  }
}
