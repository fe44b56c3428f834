internal import Contract
internal import HTTPServer
internal import HTTPTypes
internal import Hummingbird
internal import Platform

/// What each answer tells a browser to hold it to. One place decides by what the answer is, so that no route
/// can forget it.
enum SecurityHeaders {
  /// Made once: they go out with every answer.
  private typealias Fields = [HTTPField]

  static func add(to response: inout Response, _ route: Route?, _ path: String, isSecure: Bool) {
    let type = response.headers[.contentType]
    for field in fields(route, path, type ?? "") where !response.headers.contains(field.name) {
      response.headers.append(field)
    }
    if isSecure { response.headers.append(transport) }
  }

  /// RFC 6797. Without includeSubDomains, since neighbours may be another's.
  private static let transport = HTTPField(name: .strictTransportSecurity, value: "max-age=31536000")

  private static func fields(_ route: Route?, _ path: String, _ type: String) -> Fields {
    switch route {
    case .media, .sealedMedia: return media
    case .embed where type.starts(withBytesOf: "text/html"): return embed
    case .oembed, .openAPI: return open
    default: break
    }
    if type.starts(withBytesOf: "text/html") { return page }
    guard route == nil, !type.starts(withBytesOf: Problem.contentType) else { return data }
    return path.starts(withBytesOf: "/styles/embed/") ? shared : file
  }

  /// NB: what is read as something else than it says could be a script.
  private static let all = [HTTPField(name: .xContentTypeOptions, value: "nosniff")]
  /// Nothing is loaded, run or framed that comes as data, whatever a browser takes it for.
  private static let nothing = [
    policy("default-src 'none'; frame-ancestors 'none'"),
    HTTPField(name: .referrerPolicy, value: "no-referrer"),
  ]

  private static let data = all + nothing + [resources("same-origin")]
  private static let open = all + nothing + [resources("cross-origin")]
  /// A browser that opens a video or a picture by itself makes a page around it, under this very policy.
  private static let media =
    all + [
      policy("default-src 'none'; img-src 'self'; media-src 'self'; frame-ancestors 'none'"),
      HTTPField(name: .referrerPolicy, value: "no-referrer"), resources("cross-origin"),
    ]
  private static let file = all + [resources("same-origin")]
  /// A site may put the embedded page into a frame without an origin (`sandbox`), for which our own style is
  /// another site's.
  private static let shared = all + [resources("cross-origin")]
  private static let page =
    all + [
      HTTPField(name: .crossOriginOpenerPolicy, value: "same-origin"), resources("same-origin"),
      permissions(own: playing + ["camera", "microphone", "clipboard-write", "publickey-credentials-get"]),
    ]
  private static let embed = all + [resources("cross-origin"), permissions(own: playing)]

  private static func policy(_ text: String) -> HTTPField {
    HTTPField(name: .contentSecurityPolicy, value: text)
  }

  /// Of whom a browser lets load it.
  private static func resources(_ whose: String) -> HTTPField {
    HTTPField(name: .crossOriginResourcePolicy, value: whose)
  }

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

  private static func permissions(own: [String]) -> HTTPField {
    HTTPField(
      name: .permissionsPolicy,
      value: powers.map { own.contains($0) ? "\($0)=(self)" : "\($0)=()" }.joined(separator: ", "))
  }
}

extension HTTPField.Name {
  static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
  static let crossOriginResourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy")!
  static let permissionsPolicy = HTTPField.Name("Permissions-Policy")!
}
