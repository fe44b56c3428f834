internal import Contract
internal import Features
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
    let limits: RequestLimits
    let context: GatewayContext
    let concerned: Concerned

    var client: String { request.headers[.userAgent] ?? "" }

    var contentType: String { request.headers[.contentType] ?? "" }

    var wantsNoTraces: Bool { request.wantsNoTraces }

    var language: String? { caller.language(of: request) }

    func writer() -> Viewer { caller.writer() }

    func page() throws -> (cursor: String?, limit: Int) {
      let place = try ListPlace(request)
      return (place.cursor, place.limit)
    }

    func query(_ name: String) -> String? { request.uri.queryParameters[name[...]].map(String.init) }

    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { request.headers[$0] } }

    func idempotencyKey() throws -> String { try request.idempotencyKey() }

    func idempotencyKeyIfAny() throws -> String? {
      request.headers[.idempotencyKey] == nil ? nil : try idempotencyKey()
    }

    func body<Value: Decodable & Sendable>(_ type: Value.Type) async throws -> Value {
      let given = operation.bodies.first { $0.content != nil && $0.mediaType == request.mediaType }
      return try await JSONBody.read(type, of: request, as: given?.mediaType ?? "application/json")
    }

    func bodyIfAny<Value: Decodable & Sendable>(_ type: Value.Type) async throws -> Value? {
      try await JSONBody.readIfAny(type, of: request)
    }

    func bytes(atMost limit: Int, else code: ErrorCode) async throws -> [UInt8] {
      let types = operation.bodies.filter { $0.content == nil }.map(\.mediaType)
      // NB: another type is refused, since a browser sends some of them to any site without asking it.
      guard let type = request.mediaType, types.contains(type) else {
        throw AppError(
          .contentTypeUnsupported, "This address takes \(types.sorted().joined(separator: ", ")).",
          field: "Content-Type")
      }
      var bytes: [UInt8] = []
      for try await piece in request.body {
        guard bytes.count + piece.readableBytes <= limit else { throw AppError(code) }
        bytes += piece.readableBytesView
      }
      return bytes
    }

    func take(_ bucket: TokenBucket, _ key: String) async throws { try await limits.take(bucket, key) }

    func take(_ bucket: TokenBucket) async throws {
      try await limits.take(.caller(bucket), by: caller.viewer, upload: "", from: request, context)
    }

    func refill(_ bucket: TokenBucket, _ key: String) async { await limits.rates.refill(key, of: bucket) }

    func note(_ account: String?) { concerned.note(account) }

    func tell(_ event: String) { concerned.tell(event) }
  }
}

extension EndpointCalls.OfRequest {
  func credential(_ credential: Credential) -> String? { caller.sent.value(credential) }

  func keep(_ credential: Credential, _ value: String, seconds: Int) {
    caller.set(credential, to: value, seconds: seconds)
  }

  func forget(_ credential: Credential) { caller.clear(credential) }

  var bringsToken: Bool { request.headers[.authorization] != nil }

  var devices: [(account: String, id: String)] { caller.devices }

  func remember(_ account: String) { caller.remember(account) }

  func guestBecameAccount() { caller.guestBecameAccount() }
}

extension Request {
  /// Sec-GPC (W3C Global Privacy Control) or DNT, which browsers still send.
  var wantsNoTraces: Bool { headers[.globalPrivacyControl] == "1" || headers[.doNotTrack] == "1" }
}

extension HTTPField.Name {
  static let globalPrivacyControl = HTTPField.Name("Sec-GPC")!
  static let doNotTrack = HTTPField.Name("DNT")!
  static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}
