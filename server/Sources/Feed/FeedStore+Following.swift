internal import Contract
public import Platform

extension FeedStore {
  /// Public clips of authors whom the viewer follows, newest first, seen or not. Throws `invalid_cursor`.
  public func following(cursor: String?, limit: Int, for viewer: String?) async throws -> EncodedFeedPage {
    let cursors = followingCursors
    let start = try cursors.start(of: own(cursor, cursors))
    guard let viewer else { return EncodedFeedPage(items: [], nextCursor: nil) }
    let shown = ages.condition(for: viewer)
    return try await database.read { transaction in
      // One more than asked tells whether there is a next page.
      let rows = try transaction.query(
        """
        SELECT c.id, c.published_number FROM clips c
        WHERE c.author_id IN (SELECT author_id FROM follows WHERE viewer_id = ?)
        AND c.state = 'ready' AND \(Self.isPublic) AND c.published_number < ? AND \(shown.sql)
        ORDER BY c.published_number DESC LIMIT \(limit + 1)
        """, [.text(viewer), .integer(start)] + shown.values)
      let ids = try rows.prefix(limit).map { try $0.text("id") }
      let items: [EncodedClip] = try allowed(
        ids, where: Self.isPublic, for: viewer, in: transaction)
      let next =
        rows.count > limit ? try cursors.token(number: rows[limit - 1].integer("published_number")) : nil
      return EncodedFeedPage(items: items, nextCursor: next)
    }
  }
}
