internal import Contract
public import CoreMetrics
public import Features
internal import Foundation
internal import HTTPServer
internal import HTTPTypes
public import Hummingbird
internal import Logging
public import NIOCore
internal import NIOHTTP1
internal import OpenAPI
public import Platform

/// Answers every request: finds what an address means, and turns whatever goes wrong into problem details.
///
/// `Route.find` knows the addresses and the methods that each takes, which 404 and 405 need. Whatever is
/// asked there goes to the responder of the route, or to the endpoint of the operation; all else is a file of
/// the site. It refuses to know what any feature does.
public struct Gateway: HTTPResponder {
  private let endpoints: EndpointCalls
  /// By the templates of their routes.
  private let responders: [String: Responder]
  private let media: MediaDelivery
  private let site: Site
  private let callers: Callers
  private let limits: RequestLimits
  private let metrics: RequestMetrics
  private let security: SecurityLog

  /// `media`: out of which endpoints hand their media. NB: two responders for one route are a mistake in our
  /// own wiring, which ends the start.
  public init(
    endpoints: [Endpoint], responders: [Responder], media: MediaDelivery, site: Site,
    identities: any Identifying, limits: RequestLimits, security: SecurityLog = SecurityLog(),
    metrics: any MetricsFactory = NOOPMetricsHandler.instance
  ) {
    self.endpoints = EndpointCalls(endpoints)
    self.responders = Dictionary(
      uniqueKeysWithValues: responders.flatMap { responder in
        responder.routes.map { ($0.template, responder) }
      })
    self.media = media
    self.site = site
    self.limits = limits
    self.security = security
    self.metrics = RequestMetrics(metrics)
    callers = Callers(
      identities: identities, origin: site.origin, crossOrigin: site.crossOrigin,
      prefixes: site.cookiePrefixes)
  }

  /// Methods and addresses at which nobody answers: none, where all that there is was wired.
  var unanswered: [String] {
    Route.all.filter { responders[$0.template] == nil }.flatMap { route in
      route.methods.filter { method in
        OpenAPI.Operation.of(route, method).flatMap { endpoints.endpoint(of: $0) } == nil
      }.map { "\($0) \(route.template)" }
    }
  }

  public func respond(to request: Request, context: GatewayContext) async throws -> Response {
    let requestID = Self.requestID(request)
    let began = ContinuousClock.now
    metrics.began()
    // Found before anything can go wrong, so that what goes wrong is counted where it did.
    let route = Route.find(request.uri.path)
    let response: Response
    var code: ErrorCode?
    do {
      response =
        isStream(route?.route)
        ? try await answerBesides(request, route, context) : try await answer(request, route, context)
    } catch {
      var problem = Self.problem(because: error, request, route?.route, requestID, context)
      if route?.route.isOfDialect == true { problem = DialectError.answer(because: error, problem) }
      let refusal = Self.code(of: error)
      code = refusal
      context.concerned.refused(refusal)
      response = shown(problem, code, request, route?.route, requestID)
    }
    tell(request, route?.route, code, context)
    return ended(response, request, route?.route, requestID, began, context)
  }

  private func isStream(_ route: Route?) -> Bool {
    route.flatMap { responders[$0.template] }?.isStream == true
  }

  /// In a task of its own. What a task's stack once needed it keeps until its end, and that of a connection
  /// lasts as long as the stream that it is for.
  @inline(never)
  private func answerBesides(
    _ request: Request, _ found: (route: Route, values: [String])?, _ context: GatewayContext
  ) async throws -> Response {
    try await withThrowingTaskGroup(of: Response.self) { group in
      group.addTask { try await answer(request, found, context) }
      guard let response = try await group.next() else { throw CancellationError() }
      return response
    }
  }

  /// The same as a page, for a person in front of a browser.
  @inline(never)
  private func shown(
    _ problem: Response, _ code: ErrorCode?, _ request: Request, _ route: Route?, _ requestID: String
  ) -> Response {
    guard let code, ErrorPage.isWanted(by: request, route) else { return problem }
    let page = ErrorPage(problem: Problem(code, requestID: requestID))
    guard var response = try? site.files.answer(page, problem.status, request) else { return problem }
    for field in problem.headers where !response.headers.contains(field.name) {
      response.headers.append(field)
    }
    return response
  }

  static func code(of error: any Error) -> ErrorCode {
    switch error {
    case let error as Refusal: error.code
    case let error as AppError: error.code
    case is HTTPParserError: .requestRefused
    case is CancellationError: .unavailable
    default: .internalError
    }
  }

  @inline(never)
  private func tell(_ request: Request, _ route: Route?, _ code: ErrorCode?, _ context: GatewayContext) {
    let concerned = context.concerned
    guard let name = SecurityEvents.name(route, request.method.rawValue, code, event: concerned.event)
    else { return }
    security.write(
      SecurityLog.Event(
        name, route: route?.template, outcome: code?.rawValue ?? "ok", account: concerned.account,
        address: limits.shownAddress(of: request, context), network: limits.address(of: request, context)))
  }

  // NB: what needs not wait stands apart from what does: everything in a frame that waits is held for as long
  // as that.
  @inline(never)
  private static func problem(
    because error: any Error, _ request: Request, _ route: Route?, _ requestID: String,
    _ context: GatewayContext
  ) -> Response {
    switch error {
    case let error as Refusal:
      return problem(
        error.code, error.detail, error.field, error.headers, requestID, challenge: error.challenge)
    case let error as AppError:
      // 501 is about what was asked for, and nothing that an operator could mend.
      if error.code.status >= 500, error.code.status != 501 {
        context.logger.error("\(error)", metadata: ["request": "\(requestID)"])
      }
      return problem(
        error.code, error.detail, error.field, [:], requestID, challenge: error.challenge)
    case is HTTPParserError:
      // The body has no end that can be believed, or the other side broke off in it: nothing of ours went
      // wrong.
      return problem(.requestRefused, "The body could not be read to its end.", nil, [:], requestID)
    case is CancellationError:
      return problem(.unavailable, nil, nil, [:], requestID)
    default:
      // What exactly went wrong is for the log; a stranger learns only the id to ask for.
      context.logger.error(
        "\(error)",
        metadata: [
          "request": "\(requestID)", "route": "\(name(of: route))",
          "method": "\(request.method.rawValue)",
        ])
      return problem(.internalError, nil, nil, [:], requestID)
    }
  }

  @inline(never)
  private func ended(
    _ response: Response, _ request: Request, _ route: Route?, _ requestID: String,
    _ began: ContinuousClock.Instant, _ context: GatewayContext
  ) -> Response {
    var response = response
    response.headers[.xRequestID] = requestID
    SecurityHeaders.add(to: &response, route, request.uri.path, isSecure: site.origin.isSecure(request))
    site.crossOrigin.open(&response, to: request, route)
    let took = ContinuousClock.now - began
    metrics.ended(request, route, response, took: took)
    // NB: the template and never the path: ids of uploads and seals in it are keys.
    context.logger.info(
      "request",
      metadata: [
        "request": "\(requestID)", "method": "\(request.method.rawValue)",
        "route": "\(Self.name(of: route))",
        "status": "\(response.status.code)", "duration_ms": "\(took.shownMs)",
        "bytes": "\(response.headers[.contentLength] ?? response.body.contentLength.map(String.init) ?? "-")",
      ])
    return request.method == .head ? response.createHeadResponse() : response
  }

  private static func name(of route: Route?) -> String { route?.template ?? "site" }

  private func answer(
    _ request: Request, _ found: (route: Route, values: [String])?, _ context: GatewayContext
  ) async throws -> Response {
    let written = request.uri.path
    guard let path = written.utf8.contains(UInt8(ascii: "%")) ? written.removingPercentEncoding : written,
      !path.utf8.contains(0)
    else { throw AppError(.requestRefused, "The address is not valid percent-encoded text.") }
    let (route, values) = (found?.route, found?.values ?? [])
    if let permission = site.crossOrigin.preflight(request, route) { return permission }
    let methods = route?.methods ?? ["GET", "HEAD"]
    guard methods.contains(request.method.rawValue) else {
      // An unknown address stays a 404, whatever the method.
      let isKnown = route != nil || site.files.has(path)
      throw isKnown
        ? Refusal(
          .methodNotAllowed, "These methods can be used here: \(methods.joined(separator: ", ")).",
          [.allow: methods.joined(separator: ", ")])
        : Refusal(.routeNotFound)
    }
    let operation = route.flatMap { Operation.of($0, request.method.rawValue) }
    let caller = try await callers.caller(of: request, for: route, operation)
    context.concerned.note(caller.viewer?.accountID)
    if let route {
      try RequestCheck.hold(request, against: operation)
      try await take(route, operation, values.first ?? "", caller, request, context)
    }
    do {
      var response: Response
      // Before the others: what a task's stack once needed it keeps, and a stream may be all that a
      // connection is for.
      if let route, let responder = responders[route.template] {
        response = try await responder.respond(
          RoutedRequest(route: route, values: values, caller: caller, request: request, context: context))
      } else if let operation, let endpoint = endpoints.endpoint(of: operation) {
        response = try await call(endpoint, of: operation, values, caller, request, context)
      } else {
        response = try await site.files.answer(path, request)
      }
      if caller.isAnsweredByLanguage { response.vary(by: "Accept-Language") }
      for cookie in caller.cookies { response.headers.append(cookie) }
      return response
    } catch let error as AppError where error.code.status == 401 {
      // What cannot be used any more is forgotten with the refusal.
      throw Refusal(
        error.code, error.detail, caller.cookies, field: error.field, challenge: error.challenge)
    }
  }

  // NB: in a frame of its own, which is over before anything is waited for that lasts.
  @inline(never)
  private func take(
    _ route: Route, _ operation: OpenAPI.Operation?, _ value: String, _ caller: Caller, _ request: Request,
    _ context: GatewayContext
  ) async throws {
    guard let limit = RouteLimit.rule(for: route, request.method.rawValue, operation) else {
      throw AppError(.notAllowed)
    }
    try await limits.take(limit, by: caller.viewer, upload: value, from: request, context)
  }

  @inline(never)
  private func call(
    _ endpoint: Endpoint, of operation: OpenAPI.Operation, _ values: [String], _ caller: Caller,
    _ request: Request, _ context: GatewayContext
  ) async throws -> Response {
    let call = Call(
      values: values, viewer: caller.viewer,
      request: EndpointCalls.OfRequest(
        operation: operation, request: request, caller: caller, limits: limits, context: context,
        concerned: context.concerned))
    let status = HTTPResponse.Status(code: operation.answers[0].status)
    switch try await endpoint.answer(call) {
    case .empty: return Response(status: status)
    case .value(let value): return try .json(value, to: request, status: status)
    case .json(let text): return try .json(text: text, to: request, status: status)
    case .medium(let name): return try await media.answer(to: name, request)
    }
  }

  /// In seconds, by status, unless who refuses knows better.
  private static let retryAfter = [423: "1", 429: "60", 503: "2", 507: "60"]

  private static func problem(
    _ code: ErrorCode, _ detail: String?, _ field: String?, _ extra: HTTPFields, _ requestID: String,
    challenge: String? = nil
  ) -> Response {
    let field = field ?? (code == .invalidCursor ? "cursor" : nil)
    let problem = Problem(code, detail: detail, field: field, challenge: challenge, requestID: requestID)
    let body = (try? WireCoding.encode(problem)) ?? Data()
    var headers: HTTPFields = [.contentType: Problem.contentType, .cacheControl: "no-store"]
    // A clip that is being made is there soon.
    if let seconds = code == .clipNotReady ? "1" : retryAfter[code.status] { headers[.retryAfter] = seconds }
    // RFC 9110, 15.5.2. Browsers ask nobody for a bearer token.
    if problem.status == 401 { headers[.wwwAuthenticate] = "Bearer" }
    for field in extra {
      // Several cookies may be set at once; every other header stands once.
      if field.name == .setCookie { headers.append(field) } else { headers[field.name] = field.value }
    }
    return Response(
      status: .init(code: problem.status), headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body)))
  }

  /// The caller's id if it is harmless in a log line, else a new one.
  private static func requestID(_ request: Request) -> String {
    if let given = request.headers[.xRequestID], (1...64).contains(given.utf8.count),
      given.utf8.allSatisfy(isOfRequestID)
    {
      return given
    }
    return Identifier.make(at: SystemTime())
  }

  private static func isOfRequestID(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

/// What is known of a request beside its words.
public struct GatewayContext: RequestContext, RemoteAddressRequestContext {
  public var coreContext: CoreRequestContextStorage
  public let remoteAddress: SocketAddress?
  let channel: any Channel
  let concerned = Concerned()

  public init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    remoteAddress = source.channel.remoteAddress
    channel = source.channel
  }
}

extension HTTPField.Name {
  static let xRequestID = HTTPField.Name("X-Request-Id")!
}

extension Duration {
  /// To a hundredth of a millisecond.
  fileprivate var shownMs: String {
    "\(Double(Int(clamping: (self / .microseconds(10)).rounded(.towardZero))) / 100)"
  }
}
