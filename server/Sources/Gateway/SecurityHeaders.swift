internal import Contract
internal import HTTPTypes
internal import Hummingbird

/// What each answer tells a browser to hold it to. One place decides by what the answer is, so that no route can forget it.
enum SecurityHeaders {
  private typealias Fields = [(HTTPField.Name, String)]

  static func add(to response: inout Response, _ route: Route?, _ path: String, isSecure: Bool) {
    let type = response.headers[.contentType]
    for (name, value) in fields(route, path, type ?? "") where response.headers[name] == nil {
      response.headers[name] = value
    }
    // RFC 6797. Without includeSubDomains, since neighbours may be another's.
    if isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
  }

  private static func fields(_ route: Route?, _ path: String, _ type: String) -> Fields {
    switch route {
    case .media, .sealedMedia: return media
    case .embed where type.hasPrefix("text/html"): return embed
    case .oembed, .openAPI: return open
    default: break
    }
    if type.hasPrefix("text/html") { return page }
    guard route == nil, !type.hasPrefix(Problem.contentType) else { return data }
    return path.hasPrefix("/styles/embed/") ? shared : file
  }

  /// NB: what is read as something else than it says could be a script.
  private static let all: Fields = [(.xContentTypeOptions, "nosniff")]
  /// Nothing is loaded, run or framed that comes as data, whatever a browser takes it for.
  private static let nothing: Fields = [
    (.contentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'"), (.referrerPolicy, "no-referrer"),
  ]

  private static let data = all + nothing + [(.crossOriginResourcePolicy, "same-origin")]
  private static let open = all + nothing + [(.crossOriginResourcePolicy, "cross-origin")]
  /// A browser that opens a video or a picture by itself makes a page around it, under this very policy.
  private static let media: Fields =
    all + [
      (
        .contentSecurityPolicy,
        "default-src 'none'; img-src 'self'; media-src 'self'; frame-ancestors 'none'"
      ), (.referrerPolicy, "no-referrer"), (.crossOriginResourcePolicy, "cross-origin"),
    ]
  private static let file: Fields = all + [(.crossOriginResourcePolicy, "same-origin")]
  /// A site may put the embedded page into a frame without an origin (`sandbox`), for which our own style is another site's.
  private static let shared: Fields = all + [(.crossOriginResourcePolicy, "cross-origin")]
  private static let page: Fields =
    all + [
      (.crossOriginOpenerPolicy, "same-origin"), (.crossOriginResourcePolicy, "same-origin"),
      (
        .permissionsPolicy,
        permissions(own: playing + ["camera", "microphone", "clipboard-write"])
      ),
    ]
  private static let embed: Fields =
    all + [
      (.crossOriginResourcePolicy, "cross-origin"), (.permissionsPolicy, permissions(own: playing)),
    ]

  private static let playing = ["autoplay", "fullscreen", "picture-in-picture", "screen-wake-lock"]
  /// Those that browsers know and give to a page by default. What a browser does not
  /// know is a complaint in its console.
  private static let powers = [
    "accelerometer", "autoplay", "camera", "clipboard-read", "clipboard-write",
    "display-capture", "encrypted-media", "fullscreen", "gamepad", "geolocation", "gyroscope", "hid",
    "idle-detection", "keyboard-map", "local-fonts", "magnetometer", "microphone", "midi", "payment",
    "picture-in-picture", "publickey-credentials-get", "screen-wake-lock", "serial", "storage-access",
    "sync-xhr", "usb", "window-management", "xr-spatial-tracking",
  ]

  private static func permissions(own: [String]) -> String {
    powers.map { own.contains($0) ? "\($0)=(self)" : "\($0)=()" }.joined(separator: ", ")
  }
}

extension HTTPField.Name {
  static let contentSecurityPolicy = HTTPField.Name("Content-Security-Policy")!
  static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
  static let crossOriginResourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy")!
  static let permissionsPolicy = HTTPField.Name("Permissions-Policy")!
  static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
}
