public import Foundation

/// One HTTP exchange as the client sees it. Header names are lower case.
public struct WireRequest: Sendable, Equatable {
  public var method: String
  /// Path and query.
  public var target: String
  public var headers: [String: String]
  /// Nil where the method has none.
  public var body: Data?

  public init(_ method: String, _ target: String, headers: [String: String] = [:], body: Data? = nil) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }
}

public struct WireResponse: Sendable {
  public var status: Int
  public var headers: [String: String]
  public var body: Data

  public init(status: Int, headers: [String: String], body: Data) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// What carries a request: URLSession in the app, a socket in tests.
///
/// It throws only if there was no response; a status of 400 or more is a response.
public protocol Transport: Sendable {
  func send(_ request: WireRequest) async throws -> WireResponse
}

/// The typed API over any transport. A response that is an error is thrown as its `Problem`.
public struct Client: Sendable {
  public let transport: any Transport

  public init(transport: any Transport) {
    self.transport = transport
  }

  /// `tab`: in which order; without one it is `latest`.
  public func feed(
    _ tab: FeedTab? = nil, cursor: String? = nil, limit: Int? = nil
  ) async throws -> FeedPage {
    try await page(Route.feed.path(), cursor: cursor, limit: limit, tab: tab)
  }

  public func clip(_ id: String) async throws -> Clip {
    try await get(Route.clip.path(id))
  }

  /// The clip of an upload, whatever its visibility.
  public func clip(ofUpload id: String) async throws -> Clip {
    try await get(Route.uploadClip.path(id))
  }

  /// Any number of times is once, as for all of these.
  public func like(_ clip: String) async throws -> LikeState {
    try await answer(to: WireRequest("PUT", Route.like.path(clip)))
  }

  public func unlike(_ clip: String) async throws -> LikeState {
    try await answer(to: WireRequest("DELETE", Route.like.path(clip)))
  }

  public func bookmark(_ clip: String) async throws -> BookmarkState {
    try await answer(to: WireRequest("PUT", Route.bookmark.path(clip)))
  }

  public func unbookmark(_ clip: String) async throws -> BookmarkState {
    try await answer(to: WireRequest("DELETE", Route.bookmark.path(clip)))
  }

  public func follow(_ author: String) async throws -> FollowState {
    try await answer(to: WireRequest("PUT", Route.follow.path(author)))
  }

  public func unfollow(_ author: String) async throws -> FollowState {
    try await answer(to: WireRequest("DELETE", Route.follow.path(author)))
  }

  /// The same key again is the same share.
  public func share(_ clip: String, idempotencyKey: String) async throws -> ShareCount {
    try await answer(
      to: WireRequest("POST", Route.shares.path(clip), headers: ["idempotency-key": idempotencyKey]))
  }

  public func likes(cursor: String? = nil, limit: Int? = nil) async throws -> FeedPage {
    try await page(Route.likes.path(), cursor: cursor, limit: limit)
  }

  public func bookmarks(cursor: String? = nil, limit: Int? = nil) async throws -> FeedPage {
    try await page(Route.bookmarks.path(), cursor: cursor, limit: limit)
  }

  public func block(_ author: String) async throws -> BlockState {
    try await answer(to: WireRequest("PUT", Route.block.path(author)))
  }

  public func unblock(_ author: String) async throws -> BlockState {
    try await answer(to: WireRequest("DELETE", Route.block.path(author)))
  }

  public func blocks(cursor: String? = nil, limit: Int? = nil) async throws -> AuthorPage {
    try await page(Route.blocks.path(), cursor: cursor, limit: limit)
  }

  public func following(cursor: String? = nil, limit: Int? = nil) async throws -> AuthorPage {
    try await page(Route.following.path(), cursor: cursor, limit: limit)
  }

  /// A batch without an answer can be sent again.
  public func send(_ events: WatchEvents) async throws -> WatchEventsTaken {
    try await post(events, to: Route.events.path())
  }

  public func ready() async throws -> Health {
    try await get(Route.ready.path())
  }

  /// The bytes of a media file, or one range of it.
  public func media(_ url: String, range: ByteRange? = nil) async throws -> Data {
    var headers: [String: String] = [:]
    if let range { headers["range"] = "bytes=\(range.offset)-\(range.offset + range.size - 1)" }
    let response = try await transport.send(WireRequest("GET", url, headers: headers))
    try throwProblem(in: response)
    return response.body
  }

  /// `asked`: what is looked for; `tab`: in which order.
  func page<Value: Decodable>(
    _ path: String, cursor: String?, limit: Int?, asked: String? = nil, tab: FeedTab? = nil,
    order: CommentOrder? = nil
  ) async throws -> Value {
    var query: [String] = []
    if let order { query.append("order=\(order.rawValue)") }
    if let tab { query.append("tab=\(tab.rawValue)") }
    if let asked { query.append("q=\(Route.encoded(asked))") }
    if let cursor { query.append("cursor=\(Route.encoded(cursor))") }
    if let limit { query.append("limit=\(limit)") }
    return try await get(path + (query.isEmpty ? "" : "?" + query.joined(separator: "&")))
  }

  func get<Value: Decodable>(_ target: String) async throws -> Value {
    try await answer(to: WireRequest("GET", target))
  }

  func post<Value: Decodable>(
    _ body: some Encodable, to target: String, headers: [String: String] = [:]
  ) async throws -> Value {
    try await write("POST", body, to: target, headers: headers)
  }

  func write<Value: Decodable>(
    _ method: String, _ body: some Encodable, to target: String, headers: [String: String] = [:]
  ) async throws -> Value {
    try await answer(to: try Self.request(method, body, target, headers))
  }

  /// For what answers without a body.
  func command(_ method: String, _ body: some Encodable, to target: String) async throws {
    try await send(try Self.request(method, body, target, [:]))
  }

  func send(_ request: WireRequest) async throws {
    try throwProblem(in: try await transport.send(request))
  }

  private static func request(
    _ method: String, _ body: some Encodable, _ target: String, _ headers: [String: String]
  ) throws -> WireRequest {
    let type = ["content-type": "application/json"]
    return WireRequest(
      method, target, headers: headers.merging(type) { given, _ in given }, body: try WireCoding.encode(body))
  }

  func answer<Value: Decodable>(to request: WireRequest) async throws -> Value {
    var request = request
    request.headers["accept"] = "application/json"
    let response = try await transport.send(request)
    try throwProblem(in: response)
    return try WireCoding.decode(from: response.body)
  }

  private func throwProblem(in response: WireResponse) throws {
    guard response.status >= 400 else { return }
    if let problem = Problem(in: response) { throw problem }
    // Something between us and the server answered (a proxy's page), not the server itself.
    var problem = Problem(.unavailable, requestID: response.headers["x-request-id"] ?? "")
    problem.status = response.status
    problem.retryAfterSeconds = response.retryAfter()
    throw problem
  }
}
