internal import Dialing
internal import Foundation
internal import Platform

/// Where a vendor is: `https://` or `http://`, a host, and maybe a path below which its protocol's paths are.
///
/// The operator wrote it, so it may be in their own network.
public struct VendorAddress: Sendable, Equatable, CustomStringConvertible {
  let place: WebAddress
  /// Without a slash at its end.
  private let path: String

  /// Nil: no such address. `usualPath`: where there is no path in it.
  public init?(_ text: String, usualPath: String = "") {
    guard let place = WebAddress(text), !place.target.contains(byte: UInt8(ascii: "?")) else { return nil }
    self.place = place
    var path = place.target.utf8[...]
    while path.last == UInt8(ascii: "/") { path = path.dropLast() }
    self.path = path.isEmpty ? usualPath : String(Substring(path))
  }

  public var description: String { place.origin + path }

  /// `parts`: each of them a part of a path, and nothing more, whatever is in it. Nil: there is one that
  /// cannot be that.
  func appending(_ parts: [String], suffix: String = "", query: [(String, String)] = []) -> WebAddress? {
    var text = place.origin + path
    for part in parts {
      guard let encoded = Self.part(part) else { return nil }
      text += "/" + encoded
    }
    text += suffix
    if !query.isEmpty {
      text += "?" + query.map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }.joined(separator: "&")
    }
    return WebAddress(text)
  }

  private static func part(_ text: String) -> String? {
    guard !text.isEmpty, !text.hasSameBytes(as: "."), !text.hasSameBytes(as: "..") else { return nil }
    return encoded(text)
  }

  private static func encoded(_ text: String) -> String {
    var kept = CharacterSet()
    kept.insert(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: kept) ?? ""
  }
}
