internal import Contract
public import Foundation
public import Platform

/// A comment that goes takes its replies along. The rows stay without their texts: a late repetition must not
/// bring one back.
extension CommentStore {
  /// By whoever wrote it, or whose clip it is under; for them one that is gone already is gone. Throws
  /// `comment_not_found` and `comment_not_yours`.
  public func delete(_ id: String, by viewer: String?) async throws {
    try await database.write { transaction in
      guard let row = try row(id, in: transaction) else { throw AppError(.commentNotFound) }
      let isAllowed =
        try Self.isOwn(row, of: viewer)
        || viewer.map { try clips.owns(try row.text("clip_id"), $0, in: transaction) } ?? false
      guard isAllowed else {
        // Nobody else learns of one that they cannot see.
        do {
          _ = try requireRow(id, to: viewer, in: transaction)
        } catch let error as AppError where error.code == .authorBlocked {}
        throw AppError(.commentNotYours)
      }
      try remove(Removed(row), in: transaction)
    }
  }

  /// Of comments that go.
  private struct Removed {
    let id: String
    let clip: String
    let parent: String?

    init(_ row: Row) throws {
      id = try row.text("id")
      clip = try row.text("clip_id")
      parent = row.optionalText("parent_id")
    }
  }

  /// False: it was gone already. Of two that remove it at once one finds it.
  @discardableResult
  private func remove(_ comment: Removed, in transaction: any Transaction) throws -> Bool {
    let removed = try transaction.execute(
      "UPDATE comments SET text = '', removed_at_ms = ? WHERE id = ? AND removed_at_ms IS NULL",
      [.integer(time.nowMs), .text(comment.id)])
    guard removed == 1 else {
      if try forgetHeld(comment.id, in: transaction) { return true }
      return try forgetWithheld(comment.id, in: transaction)
    }
    try forget([comment], in: transaction)
    return true
  }

  /// What hangs on comments that were just removed, and what counts them.
  private func forget(_ comments: [Removed], in transaction: any Transaction) throws {
    var gone: [String: [String]] = [:]
    var answers: [String: Int] = [:]
    for comment in comments {
      gone[comment.clip, default: []].append(comment.id)
      if let parent = comment.parent {
        answers[parent, default: 0] -= 1
      } else {
        let replies = try transaction.query(
          """
          UPDATE comments SET text = '', removed_at_ms = ?
          WHERE clip_id = ? AND parent_id = ? AND removed_at_ms IS NULL RETURNING id
          """, [.integer(time.nowMs), .text(comment.clip), .text(comment.id)])
        gone[comment.clip, default: []] += try replies.map { try $0.text("id") }
        try forgetHeldReplies(to: comment.id, in: transaction)
      }
    }
    for (clip, ids) in gone.sorted(by: { $0.key < $1.key }) {
      try count(-ids.count, on: clip, in: transaction)
      for start in stride(from: 0, to: ids.count, by: Self.forgottenAtOnce) {
        let some = Array(ids[start..<min(start + Self.forgottenAtOnce, ids.count)])
        let list = SQLList(some)
        try transaction.execute(
          "DELETE FROM comment_likes WHERE clip_id = ? AND comment_id IN \(list.marks)",
          [.text(clip)] + list.values)
        try unpin(some, of: clip, in: transaction)
      }
    }
    let changes = answers.sorted { $0.key < $1.key }.map {
      Counters.Change($0.key, .replies, by: $0.value)
    }
    try Counters.comments.add(changes, at: time, in: transaction)
  }

  private static let forgottenAtOnce = 256

  // MARK: For the operator

  /// A comment with what tells it from others.
  public struct Written: Sendable {
    public let id: String
    public let clipID: String
    public let text: String
    public let createdAt: Date
  }

  /// The newest comments and replies of the instance, or of one clip.
  public func newest(_ limit: Int, on clipID: String? = nil) async throws -> [Written] {
    try await database.read {
      try $0.query(
        Self.select
          + """
          WHERE m.removed_at_ms IS NULL \(clipID == nil ? "" : "AND m.clip_id = ?")
          ORDER BY m.created_at_ms DESC, m.id DESC LIMIT ?
          """,
        (clipID.map { [.text($0)] } ?? []) + [SQLValue(limit)]
      ).map { row in
        Written(
          id: try row.text("id"), clipID: try row.text("clip_id"), text: try row.text("text"),
          createdAt: Date(timeIntervalSince1970: Double(try row.integer("created_at_ms")) / 1000))
      }
    }
  }

  /// The text is erased, and those of its replies. Throws `comment_not_found`.
  public func remove(_ id: String) async throws {
    try await database.write { transaction in
      guard let row = try row(id, in: transaction), try remove(Removed(row), in: transaction) else {
        throw AppError(.commentNotFound, "There is no comment \(id).")
      }
    }
  }
}

extension CommentStore: ViewerErasing {
  /// The texts are erased, as by `remove`.
  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    var removed: [Removed] = []
    for column in ["author_id", "guest_viewer_id"] {
      // What was removed before is not counted any more.
      let shown = try transaction.query(
        """
        UPDATE comments SET text = '', removed_at_ms = ? WHERE \(column) = ? AND removed_at_ms IS NULL
        RETURNING id, clip_id, parent_id
        """, [.integer(time.nowMs), .text(viewer)])
      removed += try shown.map { try Removed($0) }
      try transaction.execute(
        "UPDATE comments SET text = '', \(column) = NULL WHERE \(column) = ?", [.text(viewer)])
    }
    try forget(removed, in: transaction)
    try eraseFilters(viewer, in: transaction)
    let liked = try transaction.query(
      "DELETE FROM comment_likes WHERE viewer_id = ? RETURNING comment_id", [.text(viewer)])
    try countLikes(-1, of: try liked.map { try $0.text("comment_id") }, in: transaction)
  }
}

extension CommentStore: ViewerMerging {
  /// What the guest wrote stays without a name; the account may delete it.
  public func merge(_ guest: String, into account: String, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE comments SET guest_viewer_id = ? WHERE guest_viewer_id = ?", [.text(account), .text(guest)])
    try transaction.execute(
      "UPDATE held_comments SET writer_viewer_id = ? WHERE writer_viewer_id = ?",
      [.text(account), .text(guest)])
    let new = try transaction.query(
      """
      INSERT INTO comment_likes (clip_id, comment_id, viewer_id, created_at_ms)
      SELECT clip_id, comment_id, CAST(? AS TEXT), created_at_ms FROM comment_likes WHERE viewer_id = ?
      ON CONFLICT (clip_id, comment_id, viewer_id) DO NOTHING RETURNING comment_id
      """, [.text(account), .text(guest)])
    let taken = Set(try new.map { try $0.text("comment_id") })
    let old = try transaction.query(
      "DELETE FROM comment_likes WHERE viewer_id = ? RETURNING comment_id", [.text(guest)]
    ).map { try $0.text("comment_id") }
    // What both liked is one like less.
    try countLikes(-1, of: old.filter { !taken.contains($0) }, in: transaction)
  }
}
