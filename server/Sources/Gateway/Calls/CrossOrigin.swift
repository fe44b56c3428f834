internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import OpenAPI
internal import Platform

/// An origin as browsers write it: scheme, host, and the port unless it is the scheme's own.
public enum AllowedOrigin {
  public static func isOne(_ text: String) -> Bool {
    guard let match = text.wholeMatch(of: /(https?):\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::([1-9][0-9]{0,4}))?/)
    else {
      return false
    }
    let standard = match.1 == "https" ? "443" : "80"
    return match.3 != standard[...]
  }
}

/// Pages of other sites that may use the API as our own page does (CORS): those that the operator lists, by
/// their exact origins. To all others the browser shows no answer, and what needs a question first is not
/// sent.
///
/// NB: our cookies are `SameSite=Lax`. A listed page of the same site (another subdomain or port) is known by
/// them; one of another site has to bring a bearer token.
struct CrossOrigin: Sendable {
  private let listed: Set<String>

  /// For how long a browser need not ask again, in seconds. An origin that is taken off the list may go on
  /// asking for as long, and sees no answer.
  private static let maxAge = "600"

  /// What a page may send beside what operations describe, and what it may read beside that.
  private static let sent = ["Authorization", "Content-Type", "X-Request-Id"]
  private static let shown = ["Content-Language", "ETag", "Retry-After", "X-Request-Id"]

  init(_ listed: [String]) {
    self.listed = Set(listed)
  }

  func allows(_ origin: String?) -> Bool { origin.map(listed.contains) ?? false }

  /// The answer to a browser that asks whether such a request may be sent; nil if it is no such question, or
  /// not for us.
  func preflight(_ request: Request, _ route: Route?) -> Response? {
    guard request.method == .options, let route, Self.concerns(route), allows(request.headers[.origin]),
      request.headers[.accessControlRequestMethod] != nil
    else { return nil }
    let described = Operation.all.filter { $0.route == route }.flatMap(\.parameters)
      .filter { $0.place == .header }.map(\.name)
    return Response(
      status: .noContent,
      headers: [
        .accessControlAllowMethods: route.methods.joined(separator: ", "),
        .accessControlAllowHeaders: Self.list(Self.sent + described),
        .accessControlMaxAge: Self.maxAge,
      ])
  }

  /// Lets the page that asked read the answer, whatever it is: a refusal too.
  func open(_ response: inout Response, to request: Request, _ route: Route?) {
    guard let route, Self.concerns(route), !listed.isEmpty else { return }
    // Whoever keeps an answer must not give it to a page of another origin.
    response.vary(by: "Origin")
    guard let origin = request.headers[.origin], allows(origin) else { return }
    response.headers[.accessControlAllowOrigin] = origin
    response.headers[.accessControlAllowCredentials] = "true"
    if request.method != .options { response.headers[.accessControlExposeHeaders] = Self.exposed }
  }

  private static func concerns(_ route: Route) -> Bool { route.template.starts(withBytesOf: "/api/") }

  private static let exposed = list(
    shown + Operation.all.flatMap(\.answers).flatMap(\.headers).map(\.name).filter { $0 != "Set-Cookie" })

  private static func list(_ names: [String]) -> String { Set(names).sorted().joined(separator: ", ") }
}
