public import Contract
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Platform

/// What the gateway needs of comments and reactions.
///
/// All throw `clip_not_found`. `page` throws `invalid_cursor`; `add` and `react` throw `comments_off`; `add` throws
/// `comment_empty` and `comment_too_long`, answers the same key with the same comment, and throws
/// `idempotency_key_reused` if the text is another.
public protocol CommentKeeping: Sendable {
  func page(of clipID: String, cursor: String?, limit: Int) async throws -> CommentPage
  func add(_ text: String, to clipID: String, idempotencyKey: String) async throws -> ClipComment
  func react(_ reaction: Reaction, to clipID: String) async throws -> ReactionCount
}

/// Requests about comments and reactions.
struct CommentRequests: Sendable {
  let comments: any CommentKeeping
  let guests: GuestLimits

  func page(of clipID: String, _ request: Request) async throws -> CommentPage {
    let place = try ListPlace(request)
    return try await comments.page(of: clipID, cursor: place.cursor, limit: place.limit)
  }

  func add(to clipID: String, _ request: Request, _ context: GatewayContext) async throws -> ClipComment {
    let key = request.headers[.idempotencyKey] ?? ""
    guard Limits.idempotencyKeyLength.contains(key.utf8.count),
      key.utf8.allSatisfy({ (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) })
    else { throw AppError(.invalidIdempotencyKey) }
    try guests.takeComment(from: request, context)
    let body = try await Self.body(NewComment.self, of: request, #"{"text": "…"}"#)
    return try await comments.add(body.text, to: clipID, idempotencyKey: key)
  }

  func react(to clipID: String, _ request: Request, _ context: GatewayContext) async throws -> ReactionCount {
    try guests.takeReaction(from: request, context)
    let kinds = Reaction.allCases.map(\.rawValue).joined(separator: ", ")
    let body = try await Self.body(NewReaction.self, of: request, #"{"reaction": one of \#(kinds)}"#)
    return try await comments.react(body.reaction, to: clipID)
  }

  /// NB: another type than JSON is refused, since a browser sends a form or plain text to any site without asking it.
  private static func body<Value: Decodable>(
    _ type: Value.Type, of request: Request, _ shape: String
  ) async throws -> Value {
    let named = request.headers[.contentType]?.split(separator: ";").first.map { $0.filter { $0 != " " } }
    guard named?.lowercased() == "application/json" else { throw AppError(.contentTypeUnsupported) }
    var bytes = Data()
    for try await piece in request.body {
      guard bytes.count + piece.readableBytes <= Limits.bodyBytes else { throw AppError(.bodyTooLarge) }
      bytes.append(contentsOf: piece.readableBytesView)
    }
    guard let value = try? WireCoding.decode(type, from: bytes) else {
      throw AppError(.requestRefused, "The body must be \(shape).")
    }
    return value
  }
}

extension HTTPField.Name {
  static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
  static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
}
