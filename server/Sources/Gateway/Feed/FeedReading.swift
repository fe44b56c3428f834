public import Contract
public import Platform

/// What the gateway needs of the feed.
///
/// `text` throws `invalid_cursor` for a cursor that was not handed out; `clip` throws `clip_not_found`, also
/// for a private clip unless it is asked for its owner; `tagged` throws `route_not_found` for what is no tag,
/// and has no clips for a tag that nobody uses; `clips(withSound:)` throws `route_not_found` for a sound that
/// no public clip has. `viewer` is the id of who asks; nil for somebody of whom nothing is known.
public protocol FeedReading: Sendable {
  func text(cursor: String?, limit: Int, for viewer: String?) async throws -> EncodedFeedPage
  /// Of the tab "For you"; of a viewer who wants nothing learned it is `text`. `language`: what the viewer
  /// reads, the first part of a tag of BCP 47 in lower case; nil: it is not known.
  func forYou(
    cursor: String?, limit: Int, for viewer: String?, language: String?
  ) async throws -> EncodedFeedPage
  /// Whether those who read this language have a first page of "For you" of their own while nothing is known
  /// of them. It is so of few languages, and answered at once.
  func hasFront(in language: String, _ limit: Int) -> Bool
  func following(cursor: String?, limit: Int, for viewer: String?) async throws -> EncodedFeedPage
  func clip(id: String, forOwner isOwner: Bool, for viewer: String?) async throws -> Clip
  func tagged(_ name: String, cursor: String?, limit: Int) async throws -> TaggedClips
  func clips(withSound id: String, cursor: String?, limit: Int) async throws -> SoundClips
}
