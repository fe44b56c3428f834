internal import Contract
public import Foundation

/// An address of the instance that the app opens: what the server's `apple-app-site-association` names, and
/// the app's own scheme for clips.
public enum ServerLink: Equatable, Sendable {
  case clip(ClipLink)
  case tag(String)
  /// Out of a message of the server. The token stands behind the `#`, which no server is told.
  case reset(token: String)
  case confirm(token: String)

  /// Tokens are shorter; more is not one.
  private static let longest = 512

  /// `server`: the instance's own address.
  public init(_ url: URL, server: URL) throws(ClipLink.Refusal) {
    do throws(ClipLink.Refusal) {
      self = .clip(try ClipLink(url, server: server))
    } catch {
      guard error == .unknown, let other = Self.other(url) else { throw error }
      self = other
    }
  }

  /// NB: of the same server, or `ClipLink` would have said so. A token never comes by the app's own scheme,
  /// which any page can open.
  private static func other(_ url: URL) -> ServerLink? {
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      ["https", "http"].contains(parts.scheme?.lowercased())
    else { return nil }
    let names = parts.percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false)
    if names.count == 3, names[1] == "t", let tag = names[2].removingPercentEncoding, !tag.isEmpty,
      tag.unicodeScalars.count <= Limits.tagLength
    {
      return .tag(tag)
    }
    guard names.allSatisfy(\.isEmpty), names.count < 3 else { return nil }
    let words = (parts.fragment ?? "").split(separator: "=", maxSplits: 1).map { String($0) }
    guard words.count == 2, (1...longest).contains(words[1].utf8.count) else { return nil }
    switch words[0] {
    case "reset": return .reset(token: words[1])
    case "confirm": return .confirm(token: words[1])
    default: return nil
    }
  }
}
