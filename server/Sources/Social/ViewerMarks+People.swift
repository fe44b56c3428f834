public import Contract
public import Platform

/// Who has marked something, newest first.
extension ViewerMarks {
  /// Marks that are looked at for names: guests have none.
  private static let looked = 1000

  /// People with names who like a clip, without this one.
  public func likers(
    ofClip id: String, except viewer: String, limit: Int, in transaction: any Transaction
  ) throws -> [(author: Author, atMs: Int64)] {
    try people(
      "SELECT viewer_id, created_at_ms FROM likes WHERE clip_id = ? AND viewer_id <> ?",
      [.text(id), .text(viewer)], limit, in: transaction)
  }

  /// Those who have followed an author since some time of this stretch.
  public func followers(
    of author: String, since stretch: Range<Int64>, limit: Int, in transaction: any Transaction
  ) throws -> [(author: Author, atMs: Int64)] {
    try people(
      "SELECT viewer_id, created_at_ms FROM follows WHERE author_id = ? AND created_at_ms >= ? AND created_at_ms < ?",
      [.text(author), .integer(stretch.lowerBound), .integer(stretch.upperBound)], limit, in: transaction)
  }

  /// Ids of those who follow an author, in their order behind this one.
  public func followers(
    of author: String, behind id: String, limit: Int, in transaction: any Transaction
  ) throws -> [String] {
    try transaction.query(
      "SELECT viewer_id FROM follows WHERE author_id = ? AND viewer_id > ? ORDER BY viewer_id LIMIT ?",
      [.text(author), .text(id), SQLValue(limit)]
    ).map { try $0.text("viewer_id") }
  }

  private func people(
    _ marks: String, _ values: [SQLValue], _ limit: Int, in transaction: any Transaction
  ) throws -> [(author: Author, atMs: Int64)] {
    try transaction.query(
      """
      SELECT latest.viewer_id, latest.created_at_ms, a.handle, a.name, a.picture
      FROM (\(marks) ORDER BY created_at_ms DESC LIMIT \(Self.looked)) latest JOIN authors a ON a.id = latest.viewer_id
      ORDER BY latest.created_at_ms DESC, latest.viewer_id LIMIT ?
      """, values + [SQLValue(limit)]
    ).map { row in
      (try row.author(try row.text("viewer_id")), try row.integer("created_at_ms"))
    }
  }
}
