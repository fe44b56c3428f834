public import Foundation

/// A clip by its own address: `https://{server}/c/{id}`, `clipfeed://c/{id}`. The address of a private clip
/// has its upload behind the `#`, which no server is told. `?comment={id}` names one of its comments.
public struct ClipLink: Equatable, Sendable {
  public let clip: String
  /// Whoever knows it owns the clip.
  public let upload: String?
  /// The comment that is to be seen; what is no id is none.
  public let comment: String?

  /// Why a link opens no clip.
  public enum Refusal: Error, Equatable {
    /// Of another server than the one that this app is for.
    case otherServer
    /// No link to a clip.
    case unknown
  }

  /// Ids are shorter; more is not one.
  private static let longest = 64
  private static let uploadLength = 32

  /// `server`: the instance's own address.
  public init(_ url: URL, server: URL) throws(Refusal) {
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let scheme = parts.scheme?.lowercased()
    else { throw .unknown }
    // NB: taken apart before it is decoded, or an id with `%2F` would be two names.
    var names = parts.percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false).map {
      String($0)
    }
    switch scheme {
    case "clipfeed":
      // "clipfeed://c/abc": what stands in a host's place is the first name.
      guard names.first == "" || names.isEmpty else { throw .unknown }
      if let host = parts.host, !host.isEmpty { names.insert(host.lowercased(), at: min(1, names.count)) }
    case "https", "http":
      guard Self.isSame(parts, server) else { throw .otherServer }
    default: throw .unknown
    }
    if names.last == "" { names.removeLast() }
    guard names.count == 3, names[0] == "", names[1] == "c", Self.isID(names[2]) else { throw .unknown }
    clip = names[2]
    upload = parts.percentEncodedFragment.flatMap { Self.isUpload($0) ? $0 : nil }
    comment = parts.percentEncodedQueryItems?.first { $0.name == "comment" }?.value
      .flatMap { Self.isID($0) ? $0 : nil }
  }

  private static func isSame(_ parts: URLComponents, _ server: URL) -> Bool {
    guard let own = URLComponents(url: server, resolvingAgainstBaseURL: true),
      let host = parts.host?.lowercased(), !host.isEmpty
    else { return false }
    return host == own.host?.lowercased() && port(parts) == port(own)
  }

  private static func port(_ parts: URLComponents) -> Int {
    parts.port ?? (parts.scheme?.lowercased() == "http" ? 80 : 443)
  }

  /// Letters, digits, `-` and `_`, as the server's ids have them.
  private static func isID(_ text: String) -> Bool {
    (1...longest).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45
          || byte == 95
      }
  }

  private static func isUpload(_ text: String) -> Bool {
    text.utf8.count == uploadLength
      && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}
