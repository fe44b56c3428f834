public import Contract
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Platform

/// What the gateway needs of comments and reactions.
///
/// `author`: the account that writes; nil: a guest, who is refused where only accounts may, and is `guest` if known.
///
/// All throw `clip_not_found` and `author_blocked`. `page` throws `invalid_cursor`; `add` and `react` throw `comments_off`;
/// `add` throws `comment_empty` and `comment_too_long`. Both answer the same key with the same, and throw
/// `idempotency_key_reused` if what comes with it is another.
public protocol CommentKeeping: Sendable {
  func page(of clipID: String, cursor: String?, limit: Int, for viewer: String?) async throws -> CommentPage
  func add(
    _ text: String, to clipID: String, by author: String?, guest: String?, idempotencyKey: String
  ) async throws -> ClipComment
  func react(
    _ reaction: Reaction, to clipID: String, by author: String?, guest: String?, idempotencyKey: String?
  ) async throws -> ReactionCount
}

/// Requests about comments and reactions.
struct CommentRequests: Sendable {
  let comments: any CommentKeeping
  let guests: GuestLimits

  func page(of clipID: String, for viewer: Viewer?, _ request: Request) async throws -> CommentPage {
    let place = try ListPlace(request)
    return try await comments.page(
      of: clipID, cursor: place.cursor, limit: place.limit, for: viewer?.id)
  }

  func add(
    to clipID: String, by viewer: Viewer?, _ request: Request, _ context: GatewayContext
  ) async throws -> ClipComment {
    let key = try request.idempotencyKey()
    let body = try await JSONBody.read(NewComment.self, of: request)
    return try await comments.add(
      body.text, to: clipID, by: viewer?.accountID, guest: viewer?.id, idempotencyKey: key)
  }

  func react(
    to clipID: String, by caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> ReactionCount {
    let key = request.headers[.idempotencyKey] == nil ? nil : try request.idempotencyKey()
    let body = try await JSONBody.read(NewReaction.self, of: request)
    let viewer = caller.writer()
    return try await comments.react(
      body.reaction, to: clipID, by: viewer.accountID, guest: viewer.id, idempotencyKey: key)
  }
}

extension HTTPField.Name {
  static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
  static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
}
