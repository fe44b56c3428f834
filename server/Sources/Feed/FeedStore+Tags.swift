internal import Contract
public import Platform

extension FeedStore {
  /// `tag` in the spelling in which tags are kept. Throws `invalid_cursor` for a cursor that is not of this
  /// tag.
  public func clips(tagged tag: String, cursor: String?, limit: Int) async throws -> TaggedClips {
    let cursors = CursorCodec(keys: cursorKeys, list: "tag \(tag)")
    // Behind every id.
    var start = "~"
    if let cursor {
      guard case .words(let id) = try cursors.place(of: cursor) else { throw AppError(.invalidCursor) }
      start = id
    }
    let shown = ages.condition(for: nil)
    return try await database.read { [start] transaction in
      // One more than asked tells whether there is a next page.
      let ids = try transaction.query(
        """
        SELECT t.clip_id FROM clip_tags t JOIN clips c ON c.id = t.clip_id
        WHERE t.tag = ? AND t.clip_id < ? AND c.state = 'ready' AND \(Self.isPutForward)
            AND \(shown.sql)
        ORDER BY t.clip_id DESC LIMIT \(limit + 1)
        """, [.text(tag), .text(start)] + shown.values
      ).map { try $0.text("clip_id") }
      let items: [Clip] = try inOrder(Array(ids.prefix(limit)), for: nil, in: transaction)
      let next = ids.count > limit ? cursors.token(ids[limit - 1]) : nil
      return TaggedClips(tag: tag, items: items, nextCursor: next)
    }
  }
}
