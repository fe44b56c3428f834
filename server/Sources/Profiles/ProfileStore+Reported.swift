internal import Contract
public import Platform

/// For moderators.
extension ProfileStore {
  /// Those of these ids who have a profile: guests have none.
  public func people(among ids: [String], in transaction: any Transaction) throws -> Set<String> {
    guard !ids.isEmpty else { return [] }
    let list = SQLList(ids)
    return Set(
      try transaction.query(
        "SELECT id FROM authors WHERE id IN \(list.marks) AND handle <> ?",
        list.values + [.text(Author.guestHandle)]
      ).map { try $0.text("id") })
  }

  /// What somebody says of themselves: handle, name, and the rest; empty: there is nobody.
  public func words(of author: String, in transaction: any Transaction) throws -> String {
    let row = try transaction.query(
      """
      SELECT a.handle, a.name, p.bio, p.links FROM authors a LEFT JOIN profiles p ON p.author_id = a.id
      WHERE a.id = ?
      """, [.text(author)]
    ).first
    guard let row else { return "" }
    let parts = [
      "@\(try row.text("handle"))", try row.text("name"), row.optionalText("bio") ?? "",
      row.optionalText("links") ?? "",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
