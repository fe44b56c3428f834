public import Contract

/// Where pages of the feed come from.
///
/// - `page` answers the clips of a tab behind a cursor, or the first ones without. It throws a `Problem`
///   where the server answered by one, and anything else where no answer came.
/// - `clip` answers the clip as it is now, with media addresses that hold. It throws as `page` does.
public protocol FeedSource: Sendable {
  func page(of tab: FeedTab, after cursor: String?, limit: Int) async throws -> FeedPage
  func clip(_ id: String) async throws -> Clip
}

extension Client: FeedSource {
  public func page(of tab: FeedTab, after cursor: String?, limit: Int) async throws -> FeedPage {
    try await feed(tab, cursor: cursor, limit: limit)
  }
}
