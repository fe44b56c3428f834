internal import Contract
internal import Endpoints
internal import HTTPTypes
internal import Hummingbird
internal import OpenAPI
internal import Platform

/// Endpoints of features, by the operations that they carry out.
struct EndpointCalls: Sendable {
  private let endpoints: [String: Endpoint]

  /// NB: two for one operation are a mistake in our own wiring, which ends the start.
  init(_ endpoints: [Endpoint]) {
    self.endpoints = Dictionary(
      uniqueKeysWithValues: endpoints.flatMap { endpoint in endpoint.operations.map { ($0, endpoint) } })
  }

  func endpoint(of operation: OpenAPI.Operation) -> Endpoint? { endpoints[operation.id] }

  struct OfRequest: CallRequest {
    let operation: OpenAPI.Operation
    let request: Request
    let caller: Caller

    func writer() -> Viewer { caller.writer() }

    func page() throws -> (cursor: String?, limit: Int) {
      let place = try ListPlace(request)
      return (place.cursor, place.limit)
    }

    func idempotencyKey() throws -> String { try request.idempotencyKey() }

    func idempotencyKeyIfAny() throws -> String? {
      request.headers[.idempotencyKey] == nil ? nil : try idempotencyKey()
    }

    func body<Value: Decodable & Sendable>(_ type: Value.Type) async throws -> Value {
      let given = operation.bodies.first { $0.content != nil && $0.mediaType == request.mediaType }
      return try await JSONBody.read(type, of: request, as: given?.mediaType ?? "application/json")
    }
  }
}

extension HTTPField.Name {
  static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}
