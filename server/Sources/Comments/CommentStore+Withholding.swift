public import Platform

/// Comments that moderators take away, and give back.
///
/// One that is withheld is removed for whoever reads, with the replies that it has then; but for its text,
/// which stays until it is given back or whoever wrote it deletes it.
extension CommentStore {
  static let withholdingMigration = Migration(
    "0047_withheld_comments",
    [
      // The comment that was withheld, and this one with it.
      "ALTER TABLE comments ADD COLUMN withheld_for TEXT",
      "CREATE INDEX comments_withheld ON comments (withheld_for) WHERE withheld_for IS NOT NULL",
    ])

  /// False: it is gone.
  public func withhold(_ id: String, in transaction: any Transaction) throws -> Bool {
    let taken = try transaction.query(
      """
      UPDATE comments SET removed_at_ms = ?, withheld_for = ? WHERE id = ? AND removed_at_ms IS NULL
      RETURNING clip_id, parent_id
      """, [.integer(time.nowMs), .text(id), .text(id)])
    guard let row = taken.first else { return false }
    let clip = try row.text("clip_id")
    let parent = row.optionalText("parent_id")
    var gone = [id]
    if parent == nil {
      gone += try transaction.query(
        """
        UPDATE comments SET removed_at_ms = ?, withheld_for = ?
        WHERE clip_id = ? AND parent_id = ? AND removed_at_ms IS NULL RETURNING id
        """, [.integer(time.nowMs), .text(id), .text(clip), .text(id)]
      ).map { try $0.text("id") }
    }
    try recount(clip, parent, by: -gone.count, in: transaction)
    try unpin([id], of: clip, in: transaction)
    return true
  }

  /// What was deleted meanwhile, by whomever, stays deleted; so does a reply whose comment is gone. One whose
  /// comment is withheld comes back with that.
  public func giveBack(_ id: String, in transaction: any Transaction) throws {
    let row = try transaction.query(
      "SELECT clip_id, parent_id, text FROM comments WHERE id = ? AND withheld_for = ?",
      [.text(id), .text(id)]
    ).first
    guard let row else { return }
    let clip = try row.text("clip_id")
    let parent = row.optionalText("parent_id")
    // NB: held, so that whoever takes it away, gives it back or deletes it meanwhile waits.
    let top = try transaction.query(
      "SELECT removed_at_ms, withheld_for, text FROM comments WHERE id = ?", [.text(parent ?? id)],
      locking: .wait
    ).first
    guard let top, try !row.text("text").isEmpty else {
      try forgetWithheld(id, in: transaction)
      return
    }
    if let parent, top.optionalInteger("removed_at_ms") != nil {
      let isComing = try top.optionalText("withheld_for") == parent && !top.text("text").isEmpty
      if isComing {
        try leave(id, with: parent, in: transaction)
      } else {
        try forgetWithheld(id, in: transaction)
      }
      return
    }
    let back = try transaction.execute(
      "UPDATE comments SET removed_at_ms = NULL, withheld_for = NULL WHERE withheld_for = ? AND text <> ''",
      [.text(id)])
    try recount(clip, parent, by: back, in: transaction)
    // Of accounts that were deleted meanwhile.
    let lost = try transaction.execute(
      "UPDATE comments SET withheld_for = NULL WHERE withheld_for = ?", [.text(id)])
    try Counters.comments.add([.init(id, .replies, by: -lost)], at: time, in: transaction)
  }

  /// What was withheld by itself goes on as if it had been withheld with the comment above it, which counts
  /// it then.
  private func leave(_ id: String, with parent: String, in transaction: any Transaction) throws {
    let left = try transaction.execute(
      "UPDATE comments SET withheld_for = ? WHERE id = ? AND withheld_for = ?",
      [.text(parent), .text(id), .text(id)])
    try Counters.comments.add([.init(parent, .replies, by: left)], at: time, in: transaction)
  }

  func isShown(_ comment: String?, in transaction: any Transaction) throws -> Bool {
    guard let comment else { return true }
    return try !transaction.query(
      "SELECT id FROM comments WHERE id = ? AND removed_at_ms IS NULL", [.text(comment)], locking: .wait
    ).isEmpty
  }

  /// Erases what was withheld, with what was withheld with it: whoever deletes a comment deletes the replies
  /// to it. False: it was not withheld.
  @discardableResult
  func forgetWithheld(_ id: String, in transaction: any Transaction) throws -> Bool {
    let row = try transaction.query(
      "SELECT parent_id, withheld_for FROM comments WHERE id = ? AND withheld_for IS NOT NULL", [.text(id)]
    ).first
    guard let row else { return false }
    for column in ["id", "withheld_for"] {
      try transaction.execute(
        "UPDATE comments SET text = '', withheld_for = NULL WHERE \(column) = ?", [.text(id)])
    }
    try forgetHeldReplies(to: id, in: transaction)
    // One that was withheld by itself is not counted any more.
    if let parent = row.optionalText("parent_id"), row.optionalText("withheld_for") != id {
      try Counters.comments.add([.init(parent, .replies, by: -1)], at: time, in: transaction)
    }
    return true
  }

  func recount(
    _ clip: String, _ parent: String?, by change: Int, in transaction: any Transaction
  ) throws {
    try count(change, on: clip, in: transaction)
    if let parent {
      try Counters.comments.add([.init(parent, .replies, by: change)], at: time, in: transaction)
    }
  }
}
