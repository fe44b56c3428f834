internal import Contract
public import Platform

/// For moderators.
extension CommentStore {
  /// As it is when somebody reports it, whom a block keeps from nothing here.
  public struct Reported: Sendable {
    /// Nil: a guest's.
    public let author: String?
    public let clipID: String
    public let text: String
  }

  /// Throws `comment_not_found`, and `report_oneself` for the viewer's own.
  public func reported(
    _ id: String, by viewer: String, in transaction: any Transaction
  ) throws -> Reported {
    guard let row = try row(id, in: transaction), row.optionalInteger("removed_at_ms") == nil else {
      throw AppError(.commentNotFound)
    }
    let clip = try row.text("clip_id")
    do {
      _ = try clips.author(ofVisible: clip, in: transaction)
    } catch let error as AppError where error.code == .clipNotFound {
      throw AppError(.commentNotFound)
    }
    guard !Self.isOwn(row, of: viewer) else { throw AppError(.reportOneself) }
    return Reported(author: row.optionalText("author_id"), clipID: clip, text: try row.text("text"))
  }

  /// Those of these that are not removed.
  public func there(among ids: [String], in transaction: any Transaction) throws -> Set<String> {
    guard !ids.isEmpty else { return [] }
    let list = SQLList(ids)
    return Set(
      try transaction.query(
        "SELECT id FROM comments WHERE id IN \(list.marks) AND removed_at_ms IS NULL", list.values
      ).map { try $0.text("id") })
  }
}
