/// What people write under clips, and throw at them.
extension Client {
  /// Those under the clip itself, the pinned one first; without an order it is `newest`.
  public func comments(
    on clip: String, order: CommentOrder? = nil, cursor: String? = nil, limit: Int? = nil
  ) async throws -> CommentPage {
    try await page(Route.comments.path(clip), cursor: cursor, limit: limit, order: order)
  }

  /// The same key again answers with the same comment, so a request without an answer can be repeated.
  /// `replyTo`: the comment that it answers.
  public func comment(
    on clip: String, text: String, replyTo: String? = nil, idempotencyKey: String
  ) async throws -> ClipComment {
    try await post(
      NewComment(text: text, replyTo: replyTo), to: Route.comments.path(clip),
      headers: ["idempotency-key": idempotencyKey])
  }

  /// Throws `comment_not_found` also where it is gone.
  public func comment(_ id: String) async throws -> ClipComment {
    try await get(Route.comment.path(id))
  }

  /// Oldest first.
  public func replies(to comment: String, cursor: String? = nil, limit: Int? = nil) async throws
    -> CommentPage
  {
    try await page(Route.commentReplies.path(comment), cursor: cursor, limit: limit)
  }

  /// With its replies. Throws `comment_not_yours`; of whoever deleted it before, twice is once.
  public func deleteComment(_ id: String) async throws {
    try await send(WireRequest("DELETE", Route.comment.path(id)))
  }

  /// Any number of times is once, as for all of these.
  public func likeComment(_ id: String) async throws -> LikeState {
    try await answer(to: WireRequest("PUT", Route.commentLike.path(id)))
  }

  public func unlikeComment(_ id: String) async throws -> LikeState {
    try await answer(to: WireRequest("DELETE", Route.commentLike.path(id)))
  }

  /// Puts it first under its clip, in the place of another. Throws `comment_not_yours` and
  /// `comment_is_reply`.
  public func pinComment(_ id: String) async throws -> ClipComment {
    try await answer(to: WireRequest("PUT", Route.commentPin.path(id)))
  }

  public func unpinComment(_ id: String) async throws -> ClipComment {
    try await answer(to: WireRequest("DELETE", Route.commentPin.path(id)))
  }

  /// With a key the same key again is the same reaction.
  public func react(
    to clip: String, _ reaction: Reaction, idempotencyKey: String? = nil
  ) async throws -> ReactionCount {
    try await post(
      NewReaction(reaction: reaction), to: Route.reactions.path(clip),
      headers: idempotencyKey.map { ["idempotency-key": $0] } ?? [:])
  }
}
