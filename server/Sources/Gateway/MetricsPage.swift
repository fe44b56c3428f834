internal import HTTPTypes
public import Hummingbird
internal import NIOCore

/// `/metrics`, on a port of its own: what an instance does is nobody's business but its operator's.
public struct MetricsPage: HTTPResponder {
  private let text: @Sendable () async -> String

  public init(_ text: @escaping @Sendable () async -> String) {
    self.text = text
  }

  public func respond(to request: Request, context: GatewayContext) async throws -> Response {
    guard request.uri.path == "/metrics" else { return Response(status: .notFound) }
    guard request.method == .get || request.method == .head else {
      return Response(status: .methodNotAllowed, headers: [.allow: "GET, HEAD"])
    }
    let response = Response(
      status: .ok,
      headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
      body: .init(byteBuffer: ByteBuffer(string: await text())))
    return request.method == .head ? response.createHeadResponse() : response
  }
}
