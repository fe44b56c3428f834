public import Foundation

/// The address of a server as a person types it: "clips.example.org", "https://example.org", "10.0.0.4:8080".
///
/// Without a scheme it is `https`; `http` is for the own network, since the system refuses it elsewhere.
public struct ServerAddress: Equatable, Sendable {
  public let url: URL

  /// The longest name of a host, a scheme and a port.
  private static let longest = 280

  public init?(_ text: String) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty, text.utf8.count <= Self.longest, !text.contains("%") else { return nil }
    let whole = text.contains("://") ? text : (Self.isLocal(Self.host(text)) ? "http://" : "https://") + text
    guard var parts = URLComponents(string: whole), let scheme = parts.scheme?.lowercased(),
      let host = parts.host?.lowercased(), Self.isName(host), parts.user == nil, parts.password == nil,
      parts.port.map({ (1...65_535).contains($0) }) ?? true
    else { return nil }
    guard scheme == "https" || (scheme == "http" && Self.isLocal(host)) else { return nil }
    guard parts.percentEncodedPath.isEmpty || parts.percentEncodedPath == "/" else { return nil }
    parts.scheme = scheme
    parts.host = host
    parts.path = "/"
    parts.query = nil
    parts.fragment = nil
    guard let url = parts.url else { return nil }
    self.url = url
  }

  /// As people read it.
  public var text: String {
    let host = url.host() ?? ""
    let name = url.port.map { "\(host):\($0)" } ?? host
    return url.scheme == "https" ? name : "http://" + name
  }

  private static func host(_ text: String) -> String {
    String(text.lowercased().prefix { $0 != ":" && $0 != "/" })
  }

  private static func isName(_ host: String) -> Bool {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    return host.utf8.count <= 253
      && labels.allSatisfy { label in
        !label.isEmpty && label.utf8.count <= 63
          && label.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (97...122).contains(byte) || byte == 45
          }
      }
  }

  /// `NSAllowsLocalNetworking`: addresses of the own network, names without a dot, and `.local`.
  private static func isLocal(_ host: String) -> Bool {
    if host == "localhost" || host.hasSuffix(".local") { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    guard numbers.count == 4, let first = numbers[0], let second = numbers[1],
      numbers.allSatisfy({ $0 != nil })
    else { return !host.contains(".") && !host.isEmpty }
    return first == 127 || first == 10 || (first == 192 && second == 168) || (first == 169 && second == 254)
      || (first == 172 && (16...31).contains(second))
  }
}
