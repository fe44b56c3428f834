public import Contract

/// What the gateway needs of the feed.
///
/// `page` throws `invalid_cursor` for a cursor that was not handed out; `clip` throws `clip_not_found`, also for a
/// private clip unless it is asked for its owner. `viewer` is the id of who asks; nil for somebody of whom nothing is known.
public protocol FeedReading: Sendable {
  func page(cursor: String?, limit: Int, for viewer: String?) async throws -> FeedPage
  func clip(id: String, forOwner isOwner: Bool, for viewer: String?) async throws -> Clip
}
