public import Contract
public import Platform

/// What is told of comments to those whom they concern.
extension CommentStore {
  /// Marks that are looked at for names: guests have none.
  private static let namesLooked = 1000

  /// What may be told of it when it is told; nil: nothing any more.
  public func text(
    ofComment id: String, for viewer: String, in transaction: any Transaction
  ) throws -> String? {
    try content(ofComment: id, for: viewer, in: transaction)?.text
  }

  /// As its reader may have it; nil: it is gone, or the reader is kept apart from it.
  public func content(
    ofComment id: String, for viewer: String, in transaction: any Transaction
  ) throws -> (text: String, parentID: String?, author: Author?, isOwn: Bool)? {
    do {
      let row = try requireRow(id, to: viewer, in: transaction)
      let author = try row.optionalText("author_id").map(row.author)
      return (
        try row.text("text"), row.optionalText("parent_id"), author, Self.isOwn(row, of: viewer)
      )
    } catch let error as AppError where [.commentNotFound, .authorBlocked].contains(error.code) {
      return nil
    }
  }

  /// People with names who like a comment, newest first, without this one.
  public func likers(
    ofComment id: String, except viewer: String, limit: Int, in transaction: any Transaction
  ) throws -> [(author: Author, atMs: Int64)] {
    try transaction.query(
      """
      SELECT latest.viewer_id, latest.created_at_ms, a.handle, a.name, a.picture
      FROM (SELECT viewer_id, created_at_ms FROM comment_likes WHERE comment_id = ? AND viewer_id <> ?
          ORDER BY created_at_ms DESC LIMIT \(Self.namesLooked)) latest JOIN authors a ON a.id = latest.viewer_id
      ORDER BY latest.created_at_ms DESC, latest.viewer_id LIMIT ?
      """, [.text(id), .text(viewer), SQLValue(limit)]
    ).map { row in
      (try row.author(try row.text("viewer_id")), try row.integer("created_at_ms"))
    }
  }
}
