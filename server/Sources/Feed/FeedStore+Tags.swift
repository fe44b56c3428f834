internal import Contract
public import Platform

extension FeedStore {
  /// `tag` in the spelling in which tags are kept. Throws `invalid_cursor` for a cursor that is not of this
  /// tag.
  public func clips(tagged tag: String, cursor: String?, limit: Int) async throws -> TaggedClips {
    try await page(of: .tag(tag), cursor: cursor, limit: limit) { items, next, _ in
      TaggedClips(tag: tag, items: items, nextCursor: next)
    }
  }
}
