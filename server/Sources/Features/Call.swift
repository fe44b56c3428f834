public import Contract
public import Platform

/// A request as an endpoint sees it: checked against its operation, from somebody who may.
public struct Call: Sendable {
  /// What stands in the places of the address, in their order: `{id}`, `{language}`.
  public let values: [String]
  /// Nil: somebody who has neither an account nor left anything here so far.
  public let viewer: Viewer?
  let request: any CallRequest

  public init(values: [String], viewer: Viewer?, request: any CallRequest) {
    self.values = values
    self.viewer = viewer
    self.request = request
  }

  /// The first of the values; empty where the address has no such place.
  public var id: String { values.first ?? "" }

  /// The id of who asks if that is a guest; nil for an account, and for who left nothing.
  public var guest: String? { viewer.flatMap { $0.isGuest ? $0.id : nil } }

  /// Throws `sign_in_needed`. The operation's access has seen to it already where only accounts may ask, so
  /// this is a matter of types.
  public func account() throws -> Viewer {
    guard let viewer, !viewer.isGuest else { throw AppError(.signInNeeded) }
    return viewer
  }

  /// On whose behalf something is kept. Whoever is not known yet becomes a guest here, and not before:
  /// reading leaves no trace.
  public func writer() -> Viewer { request.writer() }

  /// What the client calls itself.
  public var client: String { request.client }

  /// Of the body, with its parameters; empty where there is none.
  public var contentType: String { request.contentType }

  /// Whoever asks has a browser say so (Global Privacy Control, Do Not Track): nothing is learned of it.
  public var wantsNoTraces: Bool { request.wantsNoTraces }

  /// What whoever asks reads most: the first part of a tag of BCP 47 in lower case. Nil: they do not say.
  /// The answer says that it hangs on it.
  public var language: String? { request.language }

  /// Which part of a list is wanted. Throws `invalid_parameter`.
  public func page() throws -> (cursor: String?, limit: Int) { try request.page() }

  /// A parameter of the address's query.
  public func query(_ name: String) -> String? { request.query(name) }

  /// One of the headers that the operation names. Nil: it is not there.
  public func header(_ name: String) -> String? { request.header(name) }

  /// Throws `invalid_idempotency_key` if there is none.
  public func idempotencyKey() throws -> String { try request.idempotencyKey() }

  /// Nil: there is none, where the operation does not demand it. Throws `invalid_idempotency_key`.
  public func idempotencyKeyIfAny() throws -> String? { try request.idempotencyKeyIfAny() }

  /// The body, of a type that the operation takes, held against the schema that it shows of it. Throws
  /// `content_type_unsupported`, `body_too_large`, `request_refused` and what the schema names.
  public func body<Value: Decodable & Sendable>(_ type: Value.Type) async throws -> Value {
    try await request.body(type)
  }

  /// Nil: there is no body, where the operation does not demand one.
  public func bodyIfAny<Value: Decodable & Sendable>(_ type: Value.Type) async throws -> Value? {
    try await request.bodyIfAny(type)
  }

  /// A body that is no JSON, as it is. Throws `content_type_unsupported` for a type that the operation does
  /// not name, and `code` for more than `limit` bytes.
  public func bytes(atMost limit: Int, else code: ErrorCode) async throws -> [UInt8] {
    try await request.bytes(atMost: limit, else: code)
  }
}

/// What an HTTP server knows of a request, and reads of it only when it is asked. `Call` says what each is.
public protocol CallRequest: Credentials {
  var client: String { get }
  var contentType: String { get }
  var wantsNoTraces: Bool { get }
  var language: String? { get }
  func writer() -> Viewer
  func page() throws -> (cursor: String?, limit: Int)
  func query(_ name: String) -> String?
  func header(_ name: String) -> String?
  func idempotencyKey() throws -> String
  func idempotencyKeyIfAny() throws -> String?
  func body<Value: Decodable & Sendable>(_ type: Value.Type) async throws -> Value
  func bodyIfAny<Value: Decodable & Sendable>(_ type: Value.Type) async throws -> Value?
  func bytes(atMost limit: Int, else code: ErrorCode) async throws -> [UInt8]
  func take(_ bucket: TokenBucket, _ key: String) async throws
  func take(_ bucket: TokenBucket) async throws
  func refill(_ bucket: TokenBucket, _ key: String) async
  func note(_ account: String?)
  func tell(_ event: String)
}

/// For the limits and the log of who signs in.
extension Call {
  /// Takes a token beside those that the operation's limit takes. Throws `too_many_requests`.
  public func take(_ bucket: TokenBucket, _ key: String) async throws { try await request.take(bucket, key) }

  /// Takes a token of another class of whoever asks, as one of the class that the operation says. Throws
  /// `too_many_requests`.
  public func take(_ bucket: TokenBucket) async throws { try await request.take(bucket) }

  /// Counts under the key until the work has succeeded, and then no longer; nil: nothing is guessed. The same
  /// for accounts that are not there. Throws `too_many_requests`.
  public func guessing<Value>(
    _ bucket: TokenBucket, _ key: String?, _ work: () async throws -> Value
  ) async throws -> Value {
    guard let key else { return try await work() }
    try await request.take(bucket, key)
    let value = try await work()
    await request.refill(bucket, key)
    return value
  }

  /// The account that the security log names if the operation is an event of it.
  public func note(_ account: String?) { request.note(account) }

  /// Which event it turned out to be, where one operation does several things.
  public func tell(_ event: String) { request.tell(event) }
}
