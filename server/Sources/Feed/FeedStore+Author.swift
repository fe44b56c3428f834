public import Platform

extension FeedStore {
  /// An author's public clips, newest first, seen or not. Throws `invalid_cursor`.
  ///
  /// NB: whether the viewer is kept apart from the author is for whoever asks to look at first.
  public func page(
    ofAuthor author: String, cursor: String?, limit: Int, for viewer: String?
  ) async throws -> EncodedFeedPage {
    let cursors = CursorCodec(keys: cursorKeys, list: "author \(author)")
    let start = try cursors.start(of: cursor)
    let shown = ages.condition(for: viewer)
    return try await database.read { transaction in
      // One more than asked tells whether there is a next page.
      let rows = try transaction.query(
        """
        SELECT c.id, c.published_number FROM clips c
        WHERE c.author_id = ? AND c.state = 'ready' AND \(Self.isPublic) AND c.published_number < ?
            AND \(shown.sql)
        ORDER BY c.published_number DESC LIMIT \(limit + 1)
        """, [.text(author), .integer(start)] + shown.values)
      let ids = try rows.prefix(limit).map { try $0.text("id") }
      let next =
        rows.count > limit ? try cursors.token(number: rows[limit - 1].integer("published_number")) : nil
      return EncodedFeedPage(
        items: try inOrder(ids, where: Self.isPublic, for: viewer, in: transaction), nextCursor: next)
    }
  }

  /// How many public clips of an author the viewer is shown, by the index of them alone.
  public func count(
    ofAuthor author: String, for viewer: String?, in transaction: any Transaction
  ) throws -> Int {
    let shown = ages.condition(for: viewer)
    return Int(
      try transaction.query(
        """
        SELECT COUNT(*) AS n FROM clips c
        WHERE c.author_id = ? AND c.state = 'ready' AND \(Self.isPublic) AND \(shown.sql)
        """, [.text(author)] + shown.values)[0].integer("n"))
  }
}
