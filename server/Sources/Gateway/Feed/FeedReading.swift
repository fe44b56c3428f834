public import Contract
public import Platform

/// What the gateway needs of the feed.
///
/// `text` throws `invalid_cursor` for a cursor that was not handed out; `clip` throws `clip_not_found`, also
/// for a private clip unless it is asked for its owner; `tagged` throws `route_not_found` for what is no tag,
/// and has no clips for a tag that nobody uses. `viewer` is the id of who asks; nil for somebody of whom
/// nothing is known.
public protocol FeedReading: Sendable {
  func text(cursor: String?, limit: Int, for viewer: String?) async throws -> EncodedFeedPage
  /// Of the tab "For you"; of a viewer who wants nothing learned it is `text`.
  func forYou(cursor: String?, limit: Int, for viewer: String?) async throws -> EncodedFeedPage
  func following(cursor: String?, limit: Int, for viewer: String?) async throws -> EncodedFeedPage
  func clip(id: String, forOwner isOwner: Bool, for viewer: String?) async throws -> Clip
  func tagged(_ name: String, cursor: String?, limit: Int) async throws -> TaggedClips
}
