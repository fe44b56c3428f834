public import Foundation

/// An address of the web on somebody's profile, as it is shown and opened in the system's browser.
///
/// The server takes nothing else. All the same none is opened by this device that is not of the web, or that
/// looks like another address than it is.
public struct ProfileLink: Equatable, Hashable, Sendable {
  public let url: URL
  /// Without what each address begins with.
  public let text: String

  /// `nil`: nothing to open.
  init?(_ address: String) {
    guard let parts = URLComponents(string: address), let scheme = parts.scheme?.lowercased(),
      ["https", "http"].contains(scheme), let host = parts.host, !host.isEmpty, parts.user == nil,
      parts.password == nil, let url = parts.url
    else { return nil }
    self.url = url
    var rest = address.unicodeScalars.dropFirst(scheme.unicodeScalars.count + 3)
    if rest.last == "/" { rest.removeLast() }
    text = String(String.UnicodeScalarView(rest))
  }
}
