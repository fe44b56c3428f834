import Contract
import Hummingbird
import OpenAPI
import Testing

@testable import Gateway
@testable import PlatformTesting

/// A gateway whose refusals are held to what `/openapi.json` says of their operation, in whatever test asks.
struct DescribedAnswers: HTTPResponder {
  let gateway: Gateway

  /// Before anybody knows which operation is meant, and what any of them may be told.
  private static let ofAll: Set<ErrorCode> = [.routeNotFound, .methodNotAllowed, .notAllowed]

  func respond(to request: Request, context: GatewayContext) async throws -> Response {
    let response = try await gateway.respond(to: request, context: context)
    if let code = context.concerned.refusal, !Self.ofAll.contains(code),
      let route = Route.find(request.uri.path)?.route,
      let operation = Operation.of(route, request.method.rawValue),
      !operation.problems.contains(where: { $0.codes.contains(code) })
    {
      Issue.record("\(operation.id) answers with \(code.rawValue), which its operation does not name")
    }
    return response
  }
}
