internal import Contract
public import Platform

extension FeedStore {
  /// Throws `route_not_found` for a sound that no clip has that is put before everybody, and `invalid_cursor`
  /// for a cursor that is not of this sound.
  public func clips(withSound id: String, cursor: String?, limit: Int) async throws -> SoundClips {
    // No database is asked for such a text.
    guard !id.utf8.contains(0) else { throw AppError(.routeNotFound) }
    let found = found(by: .sound(id))
    return try await page(of: .sound(id), cursor: cursor, limit: limit) { items, next, transaction in
      let first = try transaction.query(
        "SELECT c.author_id \(found.sql) ORDER BY c.id LIMIT 1", found.values
      ).first
      guard let maker = try first?.text("author_id") else { throw AppError(.routeNotFound) }
      let author = try transaction.query(
        "SELECT handle, name, picture FROM authors WHERE id = ?", [.text(maker)])[0].author(maker)
      let clips = try transaction.query(
        """
        SELECT COUNT(*) AS n FROM (SELECT c.id \(found.sql) LIMIT \(SoundClips.mostCounted + 1)) counted
        """, found.values)[0].integer("n")
      return SoundClips(id: id, clips: Int(clamping: clips), author: author, items: items, nextCursor: next)
    }
  }
}
