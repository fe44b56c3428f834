internal import Contract
internal import HTTPTypes
internal import Hummingbird
public import Platform
internal import Synchronization

/// What the gateway needs to tell who asks.
public protocol Identifying: Sendable {
  /// The account of an access token. Throws `access_token_invalid`, `access_token_expired` and `session_ended`.
  func account(ofAccessToken token: String) async throws -> Viewer
  /// Nil for what is no guest's token, and for one of a guest who is an account by now.
  func guest(ofToken token: String) async throws -> Viewer?
  func makeGuest() -> (viewer: Viewer, token: String)
}

/// Who sent one request.
struct Caller: Sendable {
  /// Nil: somebody who has neither an account nor left anything here so far.
  let viewer: Viewer?
  private let identities: any Identifying
  private let isSecure: Bool
  private let made = Made()

  /// The guest that this request made, if it did.
  private final class Made: Sendable {
    let guest = Mutex<(viewer: Viewer, token: String)?>(nil)
  }

  init(viewer: Viewer?, identities: any Identifying, isSecure: Bool) {
    self.viewer = viewer
    self.identities = identities
    self.isSecure = isSecure
  }

  /// On whose behalf something is kept. Whoever is not known yet becomes a guest here, and not before: reading leaves no
  /// trace.
  func writer() -> Viewer {
    if let viewer { return viewer }
    return made.guest.withLock { guest in
      if let guest { return guest.viewer }
      let new = identities.makeGuest()
      guest = new
      return new.viewer
    }
  }

  /// Lets a guest who was made by this request be known again.
  func complete(_ response: inout Response) {
    guard let guest = made.guest.withLock({ $0 }) else { return }
    response.headers.append(Cookie.guest.field(guest.token, maxAge: Cookie.guestSeconds, isSecure: isSecure))
  }
}

/// Finds out who sent a request.
struct Callers: Sendable {
  let identities: any Identifying
  let origin: SiteOrigin

  /// A token in `Authorization` counts alone; cookies only where there is none. Who asks for a file is nobody's business.
  func caller(of request: Request, for route: Route?) async throws -> Caller {
    guard route?.template.hasPrefix("/api/") == true else {
      return Caller(viewer: nil, identities: identities, isSecure: false)
    }
    try refuseOtherSites(request)
    let isSecure = origin.of(request)?.hasPrefix("https:") == true
    return Caller(viewer: try await viewer(of: request), identities: identities, isSecure: isSecure)
  }

  private func viewer(of request: Request) async throws -> Viewer? {
    if let given = request.headers[.authorization] {
      let words = given.split(separator: " ", omittingEmptySubsequences: true)
      guard words.count == 2, words[0].lowercased() == "bearer" else {
        throw AppError(.accessTokenInvalid, "Authorization must be Bearer and an access token.")
      }
      let token = String(words[1])
      guard token.hasPrefix(GuestTokens.prefix) else {
        return try await identities.account(ofAccessToken: token)
      }
      guard let guest = try await identities.guest(ofToken: token) else {
        throw AppError(.accessTokenInvalid)
      }
      return guest
    }
    guard let token = Cookie.guest.value(in: request) else { return nil }
    return try await identities.guest(ofToken: token)
  }

  /// A page of another site can make a browser send a request with our cookies, though it cannot see the answer. Browsers
  /// say where such a request comes from; what says nothing of the kind is no browser, and has no cookies of other people.
  private func refuseOtherSites(_ request: Request) throws {
    guard ![.get, .head, .options].contains(request.method), request.headers[.authorization] == nil else {
      return
    }
    if let site = request.headers[.secFetchSite] {
      guard ["same-origin", "none"].contains(site) else { throw AppError(.crossSiteRefused) }
    } else if let other = request.headers[.origin] {
      // NB: without a configured origin the scheme is not compared, since a proxy that ends TLS need not tell us.
      let own = origin.configured ?? origin.of(request)
      let isOwn = origin.configured == nil ? Self.host(other) == own.map(Self.host) : other == own
      guard isOwn, other != "null" else { throw AppError(.crossSiteRefused) }
    }
  }

  private static func host(_ origin: String) -> String {
    String(origin.split(separator: "/", omittingEmptySubsequences: true).last ?? "").lowercased()
  }
}

extension HTTPField.Name {
  static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
