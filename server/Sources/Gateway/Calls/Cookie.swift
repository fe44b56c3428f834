internal import Contract
internal import Features
internal import HTTPTypes
internal import Hummingbird
public import Platform

/// The cookies in which a browser keeps its credentials. No script can read them.
extension Credential {
  /// Without a prefix.
  fileprivate var plainName: String {
    switch self {
    case .guest: "clipfeed_guest"
    case .access: "clipfeed_access"
    case .refresh: "clipfeed_refresh"
    case .device: "clipfeed_device"
    case .signIn: "clipfeed_sign_in"
    case .signInAnswer: "clipfeed_sign_in_answer"
    }
  }

  /// As long as browsers keep a cookie at most: 400 days.
  static let guestSeconds = 400 * 86_400
  static let deviceSeconds = 400 * 86_400
  /// A session's tokens lie as long as it sleeps at most.
  private static let sessionSeconds = 60 * 86_400

  /// Where requests get the cookie. The one that opens a session for weeks goes nowhere but where it is used.
  private var path: String {
    switch self {
    case .guest: "/"
    case .access, .signIn, .signInAnswer: "/api/"
    case .refresh, .device: Route.sessions.path()
    }
  }

  /// Where they get the same a second time: the ways in have no path in common but that of everything.
  fileprivate var otherPath: String? { self == .device ? Route.signIns.path() : nil }

  /// For how long one lies in a browser at most, in seconds.
  fileprivate var lifeSeconds: Int {
    switch self {
    case .guest: Self.guestSeconds
    case .device: Self.deviceSeconds
    case .access, .refresh: Self.sessionSeconds
    case .signIn, .signInAnswer: Int(Limits.signInMs / 1000)
    }
  }

  /// Where the site is https the name itself makes browsers refuse the cookie from anybody else (RFC 6265bis,
  /// 4.1.3): from a page without TLS, and, with the path `/`, from a neighbouring subdomain that says it for
  /// the whole domain.
  fileprivate func name(isSecure: Bool) -> String {
    guard isSecure else { return plainName }
    return (path == "/" ? "__Host-" : "__Secure-") + plainName
  }

  /// `maxAge` in seconds; with 0 the browser forgets it. Lax, not Strict: who follows a link to a clip is
  /// still known.
  func field(_ value: String, maxAge: Int, isSecure: Bool) -> HTTPField {
    line(name(isSecure: isSecure), value, maxAge, isSecure, path)
  }

  fileprivate func otherField(_ value: String, maxAge: Int, isSecure: Bool) -> HTTPField? {
    otherPath.map { line(name(isSecure: isSecure), value, maxAge, isSecure, $0) }
  }

  /// Has the browser forget those without a prefix.
  fileprivate var forgottenPlain: [HTTPField] {
    ([path] + [otherPath].compactMap { $0 }).map { line(plainName, "", 0, true, $0) }
  }

  private func line(_ name: String, _ value: String, _ maxAge: Int, _ isSecure: Bool, _ path: String)
    -> HTTPField
  {
    HTTPField(
      name: .setCookie,
      value: "\(name)=\(value); Path=\(path); Max-Age=\(maxAge); HttpOnly; SameSite=Lax"
        + (isSecure ? "; Secure" : ""))
  }
}

/// Since when an instance has given its cookies names with prefixes where the site is https. Before, they had
/// none.
public struct CookiePrefixes: Sendable {
  fileprivate let sinceMs: Int64
  fileprivate let time: any TimeSource

  public init(sinceMs: Int64, time: any TimeSource) {
    self.sinceMs = sinceMs
    self.time = time
  }
}

/// What one request has of our cookies.
struct SentCookies: Sendable {
  let isSecure: Bool
  private let lines: [String]
  private let prefixes: CookiePrefixes

  init(_ request: Request, isSecure: Bool, _ prefixes: CookiePrefixes) {
    self.init(lines: request.headers[values: .cookie], isSecure: isSecure, prefixes)
  }

  /// `lines`: of each `Cookie` field.
  init(lines: [String], isSecure: Bool, _ prefixes: CookiePrefixes) {
    self.isSecure = isSecure
    self.lines = lines
    self.prefixes = prefixes
  }

  func value(_ cookie: Credential) -> String? {
    guard isSecure else { return named(cookie.plainName) }
    return named(cookie.name(isSecure: true)) ?? plain(cookie)
  }

  /// What is good under its plain name alone: the browser is to know it by the other name from now on.
  func isToBeRenamed(_ cookie: Credential) -> Bool {
    isSecure && named(cookie.name(isSecure: true)) == nil && plain(cookie) != nil
  }

  /// What sets a cookie, and takes away the one of an older version that would come back with it.
  func fields(_ cookie: Credential, _ value: String, maxAge: Int) -> [HTTPField] {
    let field = cookie.field(value, maxAge: maxAge, isSecure: isSecure)
    let other = cookie.otherField(value, maxAge: maxAge, isSecure: isSecure)
    let fields = [field, other].compactMap { $0 }
    return isSecure && named(cookie.plainName) != nil ? fields + cookie.forgottenPlain : fields
  }

  /// NB: a plain name counts only for as long as a cookie of an older version can still lie somewhere. It
  /// could be anybody's, and for ever it would make the prefix worth nothing.
  private func plain(_ cookie: Credential) -> String? {
    let ageMs = prefixes.time.nowMs - prefixes.sinceMs
    return ageMs < Int64(cookie.lifeSeconds) * 1000 ? named(cookie.plainName) : nil
  }

  private func named(_ name: String) -> String? {
    let start = name + "="
    for line in lines {
      // NB: one pair after the other: a line may hold 15,000, and is read once for each cookie that is asked
      // for.
      var rest = line.utf8[...]
      while !rest.isEmpty {
        let pair = rest.prefix { $0 != UInt8(ascii: ";") }
        rest = rest[pair.endIndex...].dropFirst()
        let trimmed = pair.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        if trimmed.starts(with: start.utf8), let value = Substring(pair).withoutBlanks.rest(behind: start) {
          return String(value)
        }
      }
    }
    return nil
  }
}
