internal import Contract
internal import Foundation
internal import HTTPTypes
public import Hummingbird
internal import NIOCore

/// `/metrics`, and `/readyz` with each of its parts, on a port of its own: what an instance does is nobody's
/// business but its operator's.
public struct MetricsPage: HTTPResponder {
  private let text: @Sendable () async -> String
  private let readiness: Readiness?

  /// `readiness`: of a process that serves; nil: it has none.
  public init(readiness: Readiness? = nil, _ text: @escaping @Sendable () async -> String) {
    self.text = text
    self.readiness = readiness
  }

  public func respond(to request: Request, context: GatewayContext) async throws -> Response {
    let isReadiness = readiness != nil && request.uri.path == Route.ready.path()
    guard isReadiness || request.uri.path == "/metrics" else { return Response(status: .notFound) }
    guard request.method == .get || request.method == .head else {
      return Response(status: .methodNotAllowed, headers: [.allow: "GET, HEAD"])
    }
    let response =
      if let readiness, isReadiness {
        try Self.answer(await readiness.check())
      } else {
        Self.answer(.ok, "text/plain; version=0.0.4; charset=utf-8", ByteBuffer(string: await text()))
      }
    return request.method == .head ? response.createHeadResponse() : response
  }

  private static func answer(_ health: Health) throws -> Response {
    answer(
      health.httpStatus, "application/json; charset=utf-8",
      ByteBuffer(bytes: try WireCoding.encode(health)))
  }

  private static func answer(
    _ status: HTTPResponse.Status, _ type: String, _ body: ByteBuffer
  ) -> Response {
    Response(
      status: status,
      headers: [.contentType: type, .cacheControl: "no-store", .xContentTypeOptions: "nosniff"],
      body: .init(byteBuffer: body))
  }
}
