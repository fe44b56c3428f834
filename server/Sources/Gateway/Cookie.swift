internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import Platform

/// The cookies by which a browser is known again. No script can read them.
enum Cookie: String {
  case guest = "clipfeed_guest"
  case access = "clipfeed_access"
  case refresh = "clipfeed_refresh"
  /// Somebody has signed in here before (`DeviceTokens`).
  case device = "clipfeed_device"
  /// The way to a provider, and what it answered.
  case signIn = "clipfeed_sign_in"
  case signInAnswer = "clipfeed_sign_in_answer"

  /// As long as browsers keep a cookie at most: 400 days.
  static let guestSeconds = 400 * 86_400
  static let deviceSeconds = 400 * 86_400

  /// Where requests get the cookie. The one that opens a session for weeks goes nowhere but where it is used.
  private var path: String {
    switch self {
    case .guest: "/"
    case .access, .signIn, .signInAnswer: "/api/"
    case .refresh, .device: Route.sessions.path()
    }
  }

  func value(in request: Request) -> String? {
    for field in request.headers[values: .cookie] {
      for pair in field.split(atByte: UInt8(ascii: ";")) {
        if let value = pair.withoutBlanks.rest(behind: rawValue + "=") { return String(value) }
      }
    }
    return nil
  }

  /// `maxAge` in seconds; with 0 the browser forgets it. Lax, not Strict: who follows a link to a clip is still known.
  func field(_ value: String, maxAge: Int, isSecure: Bool) -> HTTPField {
    HTTPField(
      name: .setCookie,
      value: "\(rawValue)=\(value); Path=\(path); Max-Age=\(maxAge); HttpOnly; SameSite=Lax"
        + (isSecure ? "; Secure" : ""))
  }
}
