internal import Contract
public import HTTPServer
internal import HTTPTypes
internal import Hummingbird
internal import Platform

/// The site that is answered for: the files of its client, and the addresses by which it is known.
public struct Site: Sendable {
  let files: StaticSite
  let origin: SiteOrigin
  let crossOrigin: CrossOrigin
  let cookiePrefixes: CookiePrefixes

  /// `origin`: the address by which people reach the server (`https://clips.example.org`), for previews of
  /// clips; nil: the one that a request names. `isBehindProxy`: a reverse proxy of the operator's own stands
  /// in front. `allowedOrigins`: those of other sites' pages that may use the API.
  public init(
    files: StaticSite, origin: String? = nil, isBehindProxy: Bool = false, allowedOrigins: [String] = [],
    cookiePrefixes: CookiePrefixes
  ) {
    self.files = files
    self.origin = SiteOrigin(configured: origin, isBehindProxy: isBehindProxy)
    crossOrigin = CrossOrigin(allowedOrigins)
    self.cookiePrefixes = cookiePrefixes
  }
}

/// By which address people reach this server.
struct SiteOrigin: Sendable {
  /// What the operator says; nil: what requests say.
  let configured: String?
  /// Whether a proxy of the operator's own stands in front, whose word on http or https counts.
  let isBehindProxy: Bool

  /// Nil if the request does not say it, or nothing that can be an address. Whoever asks chooses what its
  /// Host header says, and the answer goes to nobody else.
  func of(_ request: Request) -> String? {
    if let configured { return configured }
    guard let host = request.head.authority, Self.isHost(host) else { return nil }
    return "\(isSecure(request) ? "https" : "http")://\(host)"
  }

  /// Whether browsers reach the site by https, as far as the operator or their proxy say.
  func isSecure(_ request: Request) -> Bool {
    configured?.starts(withBytesOf: "https:")
      ?? (isBehindProxy && request.headers[.forwardedProto] == "https")
  }

  static func isHost(_ text: String) -> Bool {
    guard (1...255).contains(text.utf8.count) else { return false }
    let (open, close) = (UInt8(ascii: "["), UInt8(ascii: "]"))
    var name = text.utf8[...]
    if let colon = name.lastIndex(of: UInt8(ascii: ":")), name.last != close {
      let port = SafeInteger.read(Substring(name[name.index(after: colon)...]), in: 1...65_535)
      guard port != nil else { return false }
      name = name[..<colon]
    }
    let isAddress = name.first == open && name.last == close && name.count > 2
    return !name.isEmpty
      && (isAddress ? name.dropFirst().dropLast() : name).allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
          UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "."):
          true
        case UInt8(ascii: "g")...UInt8(ascii: "z"), UInt8(ascii: "G")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
          !isAddress
        case UInt8(ascii: ":"): isAddress
        default: false
        }
      }
  }
}

extension HTTPField.Name {
  static let forwardedProto = HTTPField.Name("X-Forwarded-Proto")!
}
