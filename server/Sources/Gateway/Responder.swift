internal import Contract
internal import HTTPTypes
internal import Hummingbird

/// Answers all requests at some addresses by itself: what needs more of HTTP than an `Endpoint` has, as
/// uploads, media, pages and streams do. Made by the functions beside what they answer with.
public struct Responder: Sendable {
  let routes: [Route]
  /// The connection may stay for it alone, and for long.
  let isStream: Bool
  let respond: @Sendable (RoutedRequest) async throws -> Response

  init(
    _ routes: Route..., isStream: Bool = false,
    respond: @escaping @Sendable (RoutedRequest) async throws -> Response
  ) {
    self.routes = routes
    self.isStream = isStream
    self.respond = respond
  }
}

/// A request that may be answered: whoever asks may, and not too often.
struct RoutedRequest: Sendable {
  let route: Route
  /// What stands in the places of the route's template.
  let values: [String]
  let caller: Caller
  let request: Request
  let context: GatewayContext

  /// The first of `values`; empty where the template has no place.
  var value: String { values.first ?? "" }
}
