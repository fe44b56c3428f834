public import Contract
internal import HTTPTypes
internal import Hummingbird
internal import Platform

/// What the gateway needs of likes, bookmarks, follows and shares. `viewer` is the id of an account or of a guest.
///
/// Those of a clip throw `clip_not_found`, those of an author `author_not_found`, both `author_blocked`; `follow` throws
/// `follow_oneself`, `block` `block_oneself`; the lists throw `invalid_cursor`. Doing the same again changes nothing.
public protocol SocialKeeping: Sendable {
  func like(_ clipID: String, by viewer: String) async throws -> LikeState
  func unlike(_ clipID: String, by viewer: String) async throws -> LikeState
  func bookmark(_ clipID: String, by viewer: String) async throws -> BookmarkState
  func unbookmark(_ clipID: String, by viewer: String) async throws -> BookmarkState
  func follow(_ author: String, by viewer: String) async throws -> FollowState
  func unfollow(_ author: String, by viewer: String) async throws -> FollowState
  func block(_ author: String, by viewer: String) async throws -> BlockState
  func unblock(_ author: String, by viewer: String) async throws -> BlockState
  func share(_ clipID: String, by viewer: String, idempotencyKey: String) async throws -> ShareCount
  func likes(of viewer: String, cursor: String?, limit: Int) async throws -> FeedPage
  func bookmarks(of viewer: String, cursor: String?, limit: Int) async throws -> FeedPage
  func following(of viewer: String, cursor: String?, limit: Int) async throws -> AuthorPage
  func blocks(of viewer: String, cursor: String?, limit: Int) async throws -> AuthorPage
}

struct SocialRequests: Sendable {
  let social: any SocialKeeping
  let guarding: any MediaGuarding
  let guests: GuestLimits

  func like(
    _ clipID: String, _ caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> LikeState {
    try await mark(clipID, caller, request, context, social.like, social.unlike)
  }

  func bookmark(
    _ clipID: String, _ caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> BookmarkState {
    try await mark(clipID, caller, request, context, social.bookmark, social.unbookmark)
  }

  func follow(
    _ author: String, _ caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> FollowState {
    try await mark(author, caller, request, context, social.follow, social.unfollow)
  }

  func block(
    _ author: String, _ caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> BlockState {
    try await mark(author, caller, request, context, social.block, social.unblock)
  }

  /// `on` for PUT, `off` for DELETE.
  private func mark<State>(
    _ id: String, _ caller: Caller, _ request: Request, _ context: GatewayContext,
    _ on: (String, String) async throws -> State, _ off: (String, String) async throws -> State
  ) async throws -> State {
    if request.method == .put { return try await on(id, caller.writer().id) }
    // Who is nobody yet has nothing to take back, and becomes nobody's guest by trying.
    return try await off(id, caller.viewer?.id ?? "")
  }

  func share(
    _ clipID: String, _ caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> ShareCount {
    let key = try request.idempotencyKey()
    return try await social.share(clipID, by: caller.writer().id, idempotencyKey: key)
  }

  func likes(_ caller: Caller, _ request: Request) async throws -> FeedPage {
    try await clips(caller, request, social.likes)
  }

  func bookmarks(_ caller: Caller, _ request: Request) async throws -> FeedPage {
    try await clips(caller, request, social.bookmarks)
  }

  func following(_ caller: Caller, _ request: Request) async throws -> AuthorPage {
    try await authors(caller, request, social.following)
  }

  func blocks(_ caller: Caller, _ request: Request) async throws -> AuthorPage {
    try await authors(caller, request, social.blocks)
  }

  private func authors(
    _ caller: Caller, _ request: Request, _ list: (String, String?, Int) async throws -> AuthorPage
  ) async throws -> AuthorPage {
    let place = try ListPlace(request)
    guard let viewer = caller.viewer else { return AuthorPage(items: [], nextCursor: nil) }
    return try await list(viewer.id, place.cursor, place.limit)
  }

  /// Somebody who has done nothing yet has an empty list. Clips that are not public are in it for whoever had their link.
  private func clips(
    _ caller: Caller, _ request: Request, _ list: (String, String?, Int) async throws -> FeedPage
  ) async throws -> FeedPage {
    let place = try ListPlace(request)
    guard let viewer = caller.viewer else { return FeedPage(items: [], nextCursor: nil) }
    var page = try await list(viewer.id, place.cursor, place.limit)
    for index in page.items.indices where page.items[index].visibility != nil {
      page.items[index] = try await guarding.sealed(page.items[index], forOwner: false)
    }
    return page
  }
}
