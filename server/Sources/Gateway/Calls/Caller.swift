internal import Contract
internal import Features
internal import HTTPTypes
internal import Hummingbird
internal import OpenAPI
public import Platform
internal import Synchronization

/// What the gateway needs to tell who asks.
public protocol Identifying: Sendable {
  /// The account of an access token. Throws `access_token_invalid`, `access_token_expired` and
  /// `session_ended`.
  func account(ofAccessToken token: String) async throws -> Viewer
  /// Of an access token that is over while its session goes on: good for reading. Nil for any other.
  func reader(ofOverToken token: String) async throws -> Viewer?
  /// The account of a key, for what the key is good for. Throws `api_key_invalid`.
  func account(ofKey secret: String) async throws -> Viewer
  /// Nil for what is no guest's token, and for one of a guest who is an account by now.
  func guest(ofToken token: String) async throws -> Viewer?
  func makeGuest() -> (viewer: Viewer, token: String)
  /// What a guest is to hand back instead from now on, since keys change; nil: the same, or that is none.
  func renewed(guestToken token: String) -> String?
  /// Some guest has become an account.
  func guestsChanged()
  /// The devices of which a browser has kept this, each with the account that was signed in to there.
  func devices(in text: String) -> [(account: String, id: String)]
  /// What it keeps from now on.
  func remember(_ account: String, in devices: String) -> String
}

/// Who sent one request, and by which cookies they are known next time.
struct Caller: Sendable {
  /// Nil: somebody who has neither an account nor left anything here so far.
  let viewer: Viewer?
  let sent: SentCookies
  private let identities: any Identifying
  private let answer = Answer()

  /// What this request adds to its answer.
  private final class Answer: Sendable {
    let guest = Mutex<(viewer: Viewer, token: String)?>(nil)
    let cookies = Mutex<[HTTPField]>([])
    let isByLanguage = Mutex(false)
  }

  init(viewer: Viewer?, sent: SentCookies, identities: any Identifying) {
    self.viewer = viewer
    self.sent = sent
    self.identities = identities
  }

  /// The id of a guest; nil for an account, and for who left nothing.
  var guest: String? { viewer.flatMap { $0.isGuest ? $0.id : nil } }

  /// On whose behalf something is kept. Whoever is not known yet becomes a guest here, and not before:
  /// reading leaves no trace.
  func writer() -> Viewer {
    if let viewer { return viewer }
    return answer.guest.withLock { guest in
      if let guest { return guest.viewer }
      let new = identities.makeGuest()
      guest = new
      return new.viewer
    }
  }

  /// What whoever asks reads most, where the answer hangs on it: from here on the answer says so. Nil: they
  /// do not say.
  func language(of request: Request) -> String? {
    answer.isByLanguage.withLock { $0 = true }
    return request.language
  }

  /// Whether the answer hangs on what whoever asks reads.
  var isAnsweredByLanguage: Bool { answer.isByLanguage.withLock { $0 } }

  /// Of which the browser has kept something, each with the account that was signed in to there.
  var devices: [(account: String, id: String)] { identities.devices(in: sent.value(.device) ?? "") }

  func remember(_ account: String) {
    let devices = sent.value(.device) ?? ""
    let remembered = identities.remember(account, in: devices)
    if remembered != devices || sent.isToBeRenamed(.device) {
      set(.device, to: remembered, seconds: Credential.deviceSeconds)
    }
  }

  func set(_ cookie: Credential, to value: String, seconds: Int) {
    answer.cookies.withLock { $0 += sent.fields(cookie, value, maxAge: seconds) }
  }

  func clear(_ cookie: Credential) { set(cookie, to: "", seconds: 0) }

  /// Whoever was a guest is an account from now on.
  func guestBecameAccount() {
    guard guest != nil else { return }
    identities.guestsChanged()
    clear(.guest)
  }

  /// What lets the caller be known again, or no more.
  var cookies: HTTPFields {
    var fields: HTTPFields = [:]
    let given = answer.cookies.withLock { $0 }
    // A guest's is renewed by nothing else. One who becomes an account in this very answer needs none any
    // more.
    let kept = given.isEmpty && guest != nil ? sent.value(.guest) : nil
    let renewed = kept.flatMap {
      identities.renewed(guestToken: $0) ?? (sent.isToBeRenamed(.guest) ? $0 : nil)
    }
    if let token = answer.guest.withLock({ $0?.token }) ?? renewed {
      for field in sent.fields(.guest, token, maxAge: Credential.guestSeconds) { fields.append(field) }
    }
    for field in given { fields.append(field) }
    return fields
  }
}

/// Finds out who sent a request, and whether they may.
struct Callers: Sendable {
  let identities: any Identifying
  let origin: SiteOrigin
  let crossOrigin: CrossOrigin
  let prefixes: CookiePrefixes

  /// A token in `Authorization` counts alone; cookies only where there is none. Who asks for a file is
  /// nobody's business.
  func caller(of request: Request, for route: Route?, _ operation: Operation?) async throws -> Caller {
    let sent = SentCookies(request, isSecure: origin.isSecure(request), prefixes)
    if let route, route.isOfDialect {
      guard let rule = Operation.Access.rule(for: route, operation) else { throw AppError(.notAllowed) }
      let viewer = try await holder(of: request)
      try rule.admit(viewer)
      return Caller(viewer: viewer, sent: sent, identities: identities)
    }
    guard let route, route.isOfAPI else {
      return Caller(viewer: nil, sent: sent, identities: identities)
    }
    try refuseOtherSites(request)
    guard request.method != .options else {
      return Caller(viewer: nil, sent: sent, identities: identities)
    }
    guard let rule = Operation.Access.rule(for: route, operation) else { throw AppError(.notAllowed) }
    let viewer = try await viewer(of: request, sent, under: rule)
    try rule.admit(viewer)
    return Caller(viewer: viewer, sent: sent, identities: identities)
  }

  private func viewer(
    of request: Request, _ sent: SentCookies, under rule: Operation.Access
  ) async throws -> Viewer? {
    let isByCookie = request.headers[.authorization] == nil
    do {
      return try await viewer(of: request, sent)
    } catch let error as AppError where error.code.status == 401 {
      let isReading = [.get, .head].contains(request.method)
      if rule == .anybody, isReading, isByCookie {
        // A page asks for the feed before any script of it can refresh. As nobody's it would begin with what
        // was seen.
        guard error.code == .accessTokenExpired, let token = sent.value(.access) else {
          return nil
        }
        return try await identities.reader(ofOverToken: token)
      }
      if rule == .unasked { return isByCookie ? nil : try await guest(of: sent) }
      guard isByCookie, error.code != .accessTokenExpired else { throw error }
      // A session that is over must not stay in the way: the next request is a guest's.
      var headers: HTTPFields = [:]
      for field in [Credential.access, .refresh].flatMap({ sent.fields($0, "", maxAge: 0) }) {
        headers.append(field)
      }
      throw Refusal(error.code, error.detail, headers)
    }
  }

  /// What stands behind `Bearer`; nil where something else is in its place.
  private static func token(in authorization: String) -> String? {
    let words = authorization.split(atByte: UInt8(ascii: " "))
    return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
  }

  /// By a key alone: what a browser keeps, and an access token, count for nothing here.
  private func holder(of request: Request) async throws -> Viewer {
    guard let secret = request.headers[.authorization].flatMap(Self.token(in:)) else {
      throw AppError(.apiKeyInvalid, "Authorization must be Bearer and a key; make one in your account.")
    }
    return try await identities.account(ofKey: secret)
  }

  private func viewer(of request: Request, _ sent: SentCookies) async throws -> Viewer? {
    if let given = request.headers[.authorization] {
      guard let token = Self.token(in: given) else {
        throw AppError(.accessTokenInvalid, "Authorization must be Bearer and an access token.")
      }
      guard GuestTokens.isLike(token) else {
        return try await identities.account(ofAccessToken: token)
      }
      guard let guest = try await identities.guest(ofToken: token) else {
        throw AppError(.accessTokenInvalid)
      }
      return guest
    }
    if let token = sent.value(.access) { return try await identities.account(ofAccessToken: token) }
    return try await guest(of: sent)
  }

  private func guest(of sent: SentCookies) async throws -> Viewer? {
    guard let token = sent.value(.guest) else { return nil }
    return try await identities.guest(ofToken: token)
  }

  /// A page of another site can make a browser send a request with our cookies, though it cannot see the
  /// answer. Browsers say where such a request comes from; what says nothing of the kind is no browser, and
  /// has no cookies of other people.
  private func refuseOtherSites(_ request: Request) throws {
    guard ![.get, .head, .options].contains(request.method), request.headers[.authorization] == nil else {
      return
    }
    // Browsers name the page in every request that writes; which pages may is the operator's word.
    if crossOrigin.allows(request.headers[.origin]) { return }
    if let site = request.headers[.secFetchSite] {
      guard ["same-origin", "none"].contains(site) else { throw AppError(.crossSiteRefused) }
    } else if let other = request.headers[.origin] {
      // NB: without a configured origin the scheme is not compared, since a proxy that ends TLS need not tell
      // us.
      let own = origin.configured ?? origin.of(request)
      let isOwn = origin.configured == nil ? Self.host(other) == own.map(Self.host) : other == own
      guard isOwn, other != "null" else { throw AppError(.crossSiteRefused) }
    }
  }

  private static func host(_ origin: String) -> String {
    String(origin.split(atByte: UInt8(ascii: "/")).last ?? "").lowercased()
  }
}

extension HTTPField.Name {
  static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
