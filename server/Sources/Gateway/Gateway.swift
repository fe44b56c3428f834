internal import Contract
public import CoreMetrics
public import Features
internal import Foundation
public import HTTPServer
internal import HTTPTypes
public import Hummingbird
internal import Logging
public import NIOCore
internal import NIOHTTP1
internal import OpenAPI
public import Platform

/// Answers every request: finds what an address means, and turns whatever goes wrong into problem details.
///
/// `Route.find` knows the addresses and the methods that each takes, which 404 and 405 need. An operation
/// that a feature has an endpoint for goes there; one switch over the routes has the rest.
public struct Gateway: HTTPResponder {
  private let feed: any FeedReading
  private let firstPages: [FeedTab: FirstPages]
  private let uploads: UploadRequests
  private let endpoints: EndpointCalls
  private let media: MediaDelivery
  private let archives: (any ArchiveOpening)?
  private let archiveDelivery: MediaDelivery?
  private let site: StaticSite
  private let readiness: Readiness
  private let metrics: RequestMetrics
  private let guarding: any MediaAuthorizing
  private let origin: SiteOrigin
  private let proxies: Int
  private let callers: Callers
  private let crossOrigin: CrossOrigin
  private let document = ServedDocument()
  private let association: AppSiteAssociation?
  private let live: LiveRequests
  private let guests: RequestLimits
  private let security: SecurityLog

  /// `origin`: the address by which people reach the server (`https://clips.example.org`), for previews of
  /// clips; nil: the one that a request names. `allowedOrigins`: those of other sites' pages that may use the
  /// API. `apps`: Apple's ids of apps that belong to the site. `cache`: shared with other servers; nil: there
  /// are none.
  public init(
    feed: any FeedReading, changes: FeedChanges, cache: (any Cache & MessageBus)? = nil,
    uploads: any UploadKeeping, endpoints: [Endpoint], identities: any Identifying, live: any LiveReading,
    streams: StreamLimits = StreamLimits(),
    guests: RequestLimits,
    guarding: any MediaAuthorizing, media: any BlobStore,
    direct: (any DirectReads)? = nil, archives: (opening: any ArchiveOpening, blobs: any BlobStore)? = nil,
    site: StaticSite, origin: String? = nil, allowedOrigins: [String] = [],
    apps: [String] = [], cookiePrefixes: CookiePrefixes, readiness: Readiness,
    security: SecurityLog = SecurityLog(),
    metrics: any MetricsFactory = NOOPMetricsHandler.instance
  ) {
    self.feed = feed
    self.guests = guests
    self.security = security
    // Of whom nothing is known, nobody is known to be followed.
    firstPages = [
      .latest: FirstPages("feed", changes: changes, cache: cache) {
        try await feed.text(cursor: nil, limit: $0, for: nil)
      },
      .forYou: FirstPages("for you", changes: changes, cache: cache) {
        try await feed.forYou(cursor: nil, limit: $0, for: nil)
      },
    ]
    self.uploads = UploadRequests(uploads: uploads, guests: guests, guarding: guarding)
    self.endpoints = EndpointCalls(endpoints)
    self.live = LiveRequests(live: live, guests: guests, streams: streams)
    self.media = MediaDelivery(blobs: media, direct: direct, guarding: guarding)
    self.archives = archives?.opening
    archiveDelivery = archives.map { MediaDelivery(blobs: $0.blobs, guarding: guarding) }
    self.site = site
    self.readiness = readiness
    self.metrics = RequestMetrics(metrics)
    self.guarding = guarding
    self.origin = SiteOrigin(configured: origin, isBehindProxy: guests.proxies > 0)
    crossOrigin = CrossOrigin(allowedOrigins)
    association = AppSiteAssociation(apps: apps)
    callers = Callers(
      identities: identities, origin: self.origin, crossOrigin: crossOrigin, prefixes: cookiePrefixes)
    proxies = guests.proxies
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
      response = try await answer(request, route, context)
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

  /// The same as a page, for a person in front of a browser.
  @inline(never)
  private func shown(
    _ problem: Response, _ code: ErrorCode?, _ request: Request, _ route: Route?, _ requestID: String
  ) -> Response {
    guard let code, ErrorPage.isWanted(by: request, route) else { return problem }
    let page = ErrorPage(problem: Problem(code, requestID: requestID))
    guard var response = try? site.answer(page, problem.status, request) else { return problem }
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
        address: guests.shownAddress(of: request, context), network: guests.address(of: request, context)))
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
    SecurityHeaders.add(to: &response, route, request.uri.path, isSecure: origin.isSecure(request))
    crossOrigin.open(&response, to: request, route)
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
    if let permission = crossOrigin.preflight(request, route) { return permission }
    let methods = route?.methods ?? ["GET", "HEAD"]
    guard methods.contains(request.method.rawValue) else {
      // An unknown address stays a 404, whatever the method.
      let isKnown = route != nil || site.has(path)
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
      // Before the others: what a task's stack once needed it keeps, and a stream may be all that a
      // connection is for.
      if route == .live { return try await live.stream(caller, request, context) }
      var response: Response
      if let route, [.uploads, .upload, .uploadCommit].contains(route) {
        response = try await upload(route, values.first ?? "", caller, request, context)
      } else if let operation, let endpoint = endpoints.endpoint(of: operation) {
        response = try await call(endpoint, of: operation, values, caller, request, context)
      } else {
        response = try await answer(route, values, path, caller, request, context)
      }
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
    try await guests.take(limit, by: caller.viewer, upload: value, from: request, context)
  }

  // NB: not among all the others, whose frame has 11 KB: hundreds of people may be sending for minutes.
  @inline(never)
  private func upload(
    _ route: Route, _ id: String, _ caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> Response {
    try respond(await uploads.answer(route, id, by: caller, request, context), request)
  }

  @inline(never)
  private func respond(_ answer: UploadRequests.Answer, _ request: Request) throws -> Response {
    switch answer {
    case .upload(let upload, let status, let headers):
      var response = try json(upload, request, status: status)
      for field in headers { response.headers[field.name] = field.value }
      return response
    case .headers(let status, let headers): return Response(status: status, headers: headers)
    }
  }

  @inline(never)
  private func call(
    _ endpoint: Endpoint, of operation: OpenAPI.Operation, _ values: [String], _ caller: Caller,
    _ request: Request, _ context: GatewayContext
  ) async throws -> Response {
    let call = Call(
      values: values, viewer: caller.viewer,
      request: EndpointCalls.OfRequest(
        operation: operation, request: request, caller: caller, limits: guests, context: context,
        concerned: context.concerned))
    let status = HTTPResponse.Status(code: operation.answers[0].status)
    switch try await endpoint.answer(call) {
    case .empty: return Response(status: status)
    case .value(let value): return try json(value, request, status: status)
    case .medium(let name): return try await media.answer(to: name, request)
    }
  }

  // NB: in a frame of its own, kilobytes large, since all that it calls is put into it.
  @inline(never)
  private func answer(
    _ route: Route?, _ values: [String], _ path: String, _ caller: Caller, _ request: Request,
    _ context: GatewayContext
  ) async throws -> Response {
    let value = values.first ?? ""
    switch route {
    case .feed:
      let place = try ListPlace(request)
      return try await page(at: place, caller, request)
    case .clipPage: return try await page(of: value, request)
    case .tagPage: return try await page(ofTag: value, request)
    case .oembed:
      guard let origin = origin.of(request) else { throw AppError(.clipNotFound) }
      let question = try ClipEmbed.Question(request, origin: origin)
      let embed = ClipEmbed(clip: try await clip(question.clipID), origin: origin)
      var response = try json(embed.description(for: question), request)
      // It says what everybody may know, so every page may read it.
      response.headers[.accessControlAllowOrigin] = "*"
      return response
    case .embed: return try await embed(of: value, request)
    case .signInReturn:
      return try await SignInReturn.answer(to: value, request, isSecure: origin.isSecure(request))
    case .media: return try await media.answer(value, request)
    case .sealedMedia: return try await media.answer(values[2], of: value, by: values[1], request)
    case .exportArchive:
      guard let archives, let archiveDelivery else { throw AppError(.exportNotFound) }
      return try await archiveDelivery.answer(try await archives.open(value, by: values[1]), request)
    case .openAPI: return try document.answer(request)
    case .appSiteAssociation:
      guard let association else { throw AppError(.routeNotFound) }
      return try association.answer()
    case .health: return try json(Health(status: "ok"), request)
    case .ready:
      let health = await readiness.check()
      let isOperator = ClientAddress.isOnThisMachine(request, context, proxies: proxies)
      return try json(isOperator ? health : Health(status: health.status), request, status: health.httpStatus)
    default: return try await site.answer(path, request)
    }
  }

  private func page(at place: ListPlace, _ caller: Caller, _ request: Request) async throws -> Response {
    // RFC 9111, 5.2.1.4: whoever says no-cache wants nothing that was kept.
    let takesKept = request.headers[.cacheControl]?.contains("no-cache") != true
    let tab = Self.tab(of: request)
    if caller.viewer == nil, place.cursor == nil, takesKept, let firstPages = firstPages[tab] {
      let page = try await firstPages.page(place.limit)
      metrics.handedOut(clips: page.clips)
      var headers = Self.jsonHeaders
      let isPacked = page.packed != nil && Gzip.isAccepted(by: request)
      if isPacked { headers[.contentEncoding] = "gzip" }
      return Response(
        status: .ok, headers: headers, body: .init(byteBuffer: isPacked ? page.packed! : page.plain))
    }
    let viewer = caller.viewer?.id
    let page =
      switch tab {
      case .forYou: try await feed.forYou(cursor: place.cursor, limit: place.limit, for: viewer)
      case .following: try await feed.following(cursor: place.cursor, limit: place.limit, for: viewer)
      case .latest: try await feed.text(cursor: place.cursor, limit: place.limit, for: viewer)
      }
    metrics.handedOut(clips: page.items.count)
    // Level 1 makes 13 % more bytes than what is used elsewhere, in a third of the time.
    return try encoded(
      page.json(commentsOpen: caller.viewer?.accountID != nil), request, status: .ok, level: 1)
  }

  /// Whoever wants no traces left gets an order that leaves none.
  private static func tab(of request: Request) -> FeedTab {
    let tab = request.uri.queryParameters["tab"].flatMap { FeedTab(rawValue: String($0)) } ?? .latest
    return tab == .forYou && request.wantsNoTraces ? .latest : tab
  }

  /// For a page that anybody may open.
  private func clip(_ id: String) async throws -> Clip {
    try await guarding.sealed(feed.clip(id: id, forOwner: false, for: nil), forOwner: false)
  }

  private func page(of clipID: String, _ request: Request) async throws -> Response {
    do {
      return try site.answer(ClipPage(clip: try await clip(clipID), origin: origin.of(request)), request)
    } catch let error as AppError where error.code == .clipNotFound {
      return try site.answer(ClipPage(clip: nil, origin: nil), request)
    } catch let error as AppError where error.code == .clipForAdults {
      // Whoever opens it may be an adult; what previews show of it is for everybody.
      return try site.answer(ClipPage(clip: nil, origin: nil, isThere: true), request)
    }
  }

  private func page(ofTag name: String, _ request: Request) async throws -> Response {
    let place = try ListPlace(request)
    do {
      let clips = try await feed.tagged(name, cursor: place.cursor, limit: TagPage.length)
      return try site.answer(listed: TagPage(clips: clips).page, .ok, request)
    } catch let error as AppError where error.code == .routeNotFound {
      return try site.answer(listed: TagPage.missingPage, .notFound, request)
    }
  }

  private func embed(of clipID: String, _ request: Request) async throws -> Response {
    do {
      let embed = ClipEmbed(clip: try await clip(clipID), origin: "")
      return try site.answer(embedded: embed.page, .ok, request)
    } catch let error as AppError where error.code == .clipNotFound {
      return try site.answer(embedded: ClipEmbed.missingPage, .notFound, request)
    } catch let error as AppError where error.code == .clipForAdults {
      return try site.answer(embedded: ClipEmbed.page(forAdults: clipID), .forbidden, request)
    }
  }

  private func json(
    _ value: some Encodable, _ request: Request, status: HTTPResponse.Status = .ok
  ) throws -> Response {
    try encoded([UInt8](try WireCoding.encode(value)), request, status: status)
  }

  private static let jsonHeaders: HTTPFields = [
    .contentType: "application/json; charset=utf-8", .cacheControl: "no-store", .vary: "Accept-Encoding",
  ]

  private func encoded(
    _ bytes: [UInt8], _ request: Request, status: HTTPResponse.Status, level: Int32 = 6
  ) throws -> Response {
    var body = bytes
    var headers = Self.jsonHeaders
    if body.count > Gzip.worthwhile, Gzip.isAccepted(by: request) {
      body = try Gzip.compress(body, level: level)
      headers[.contentEncoding] = "gzip"
    }
    return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body)))
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
