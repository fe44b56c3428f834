public import Platform

/// A request as an endpoint sees it: checked against its operation, from somebody who may.
public struct Call: Sendable {
  /// What stands in the place of `{id}`; empty where the address has no such place.
  public let id: String
  /// Nil: somebody who has neither an account nor left anything here so far.
  public let viewer: Viewer?
  private let request: any CallRequest

  public init(id: String, viewer: Viewer?, request: any CallRequest) {
    self.id = id
    self.viewer = viewer
    self.request = request
  }

  /// On whose behalf something is kept. Whoever is not known yet becomes a guest here, and not before: reading leaves no trace.
  public func writer() -> Viewer { request.writer() }

  /// Which part of a list is wanted. Throws `invalid_parameter`.
  public func page() throws -> (cursor: String?, limit: Int) { try request.page() }

  /// Throws `invalid_idempotency_key` if there is none.
  public func idempotencyKey() throws -> String { try request.idempotencyKey() }

  /// Nil: there is none, where the operation does not demand it. Throws `invalid_idempotency_key`.
  public func idempotencyKeyIfAny() throws -> String? { try request.idempotencyKeyIfAny() }

  /// The body, of a type that the operation takes, held against the schema that it shows of it. Throws `content_type_unsupported`, `body_too_large`,
  /// `request_refused` and what the schema names.
  public func body<Value: Decodable & Sendable>(_ type: Value.Type) async throws -> Value {
    try await request.body(type)
  }
}

/// What an HTTP server knows of a request, and reads of it only when it is asked.
public protocol CallRequest: Sendable {
  func writer() -> Viewer
  func page() throws -> (cursor: String?, limit: Int)
  func idempotencyKey() throws -> String
  func idempotencyKeyIfAny() throws -> String?
  func body<Value: Decodable & Sendable>(_ type: Value.Type) async throws -> Value
}
