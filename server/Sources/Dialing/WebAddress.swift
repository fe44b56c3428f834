internal import Foundation
internal import Platform

/// An address of https or http, in the one spelling in which it is checked and then asked: whoever reads it a
/// second time must not find another host in it.
public struct WebAddress: Sendable, Hashable, CustomStringConvertible {
  /// Longer ones are no addresses of anything here.
  public static let longest = 4096

  public let isSecure: Bool
  /// In lower case, ASCII; a number of IPv6 without brackets.
  public let host: String
  public let port: Int
  /// From its "/" on, without a fragment.
  public let target: String

  /// Nil: not a whole address, another scheme, a user or password in it, or anything else that is not plainly
  /// an address.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.longest, let url = URL(string: text) else { return nil }
    self.init(url)
  }

  /// Where a reference leads that stands in what lies here (RFC 3986, section 5).
  public func resolving(_ reference: String) -> WebAddress? {
    guard reference.utf8.count <= Self.longest, let base = URL(string: description),
      let url = URL(string: reference, relativeTo: base)
    else { return nil }
    return WebAddress(url.absoluteURL)
  }

  private init?(_ url: URL) {
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), parts.user == nil,
      parts.password == nil, let scheme = parts.scheme?.lowercased(), let host = parts.host
    else { return nil }
    guard scheme.hasSameBytes(as: "https") || scheme.hasSameBytes(as: "http") else { return nil }
    isSecure = scheme.hasSameBytes(as: "https")
    var name = host.lowercased().utf8[...]
    if name.first == UInt8(ascii: "["), name.last == UInt8(ascii: "]") { name = name.dropFirst().dropLast() }
    self.host = String(Substring(name))
    port = parts.port ?? (isSecure ? 443 : 80)
    let path = parts.percentEncodedPath
    target = (path.isEmpty ? "/" : path) + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
    guard Self.isHost(self.host), (1...65_535).contains(port), target.starts(withBytesOf: "/"),
      target.utf8.count <= Self.longest, target.utf8.allSatisfy({ (33...126).contains($0) })
    else { return nil }
  }

  /// As `--allow-host` names it: with the port, unless that is the one of https.
  public var place: String { port == 443 ? bracketed : "\(bracketed):\(port)" }

  public var description: String { origin + target }

  /// Without what it has there.
  public var origin: String {
    let usual = isSecure ? 443 : 80
    return "\(isSecure ? "https" : "http")://\(bracketed)\(port == usual ? "" : ":\(port)")"
  }

  private var bracketed: String { host.contains(byte: UInt8(ascii: ":")) ? "[\(host)]" : host }

  /// Letters, digits, dots, hyphens and underscores; or a number of IPv6, without a zone.
  private static func isHost(_ host: String) -> Bool {
    guard (1...253).contains(host.utf8.count) else { return false }
    if host.contains(byte: UInt8(ascii: ":")) {
      return NetworkAddress(host) != nil && !host.contains(byte: UInt8(ascii: "%"))
    }
    return host.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}
