internal import Foundation

/// Where an operator's model is, and how it is spoken to.
public struct ModelServerSettings: Sendable {
  public enum Dialect: String, Sendable, CaseIterable {
    /// Triton, KServe, MLServer and others.
    case openInference = "open-inference"
    case tensorFlow = "tensorflow"
  }

  /// `http://` or `https://`, a host, and maybe a path below which the protocol's paths are.
  public let address: String
  public let host: String
  public var dialect: Dialect
  public var model: String
  /// Nil: the one that the server takes by itself.
  public var version: String?
  /// For `Authorization: Bearer`; nil: none.
  public var token: String?
  /// Whether it is told which clips and which viewer these are.
  public var sendsIDs: Bool

  /// Nil: this is no such address.
  public init?(
    address: String, dialect: Dialect = .openInference, model: String, version: String? = nil,
    token: String? = nil, sendsIDs: Bool = false
  ) {
    guard let parts = URLComponents(string: address), ["http", "https"].contains(parts.scheme ?? ""),
      let host = parts.host, !host.isEmpty, parts.query == nil, parts.fragment == nil, parts.user == nil,
      parts.password == nil
    else { return nil }
    self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
    // As a resolver takes it: an address of IPv6 stands in brackets in a URL alone.
    self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    self.dialect = dialect
    self.model = model
    self.version = version
    self.token = token
    self.sendsIDs = sendsIDs
  }

  public var hasTLS: Bool { address.hasPrefix("https:") }

  /// Of a name or a version that can be a part of a path, and of a token that can be in a header: printable
  /// ASCII without spaces.
  public static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".." && text.utf8.count <= 4_096
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
