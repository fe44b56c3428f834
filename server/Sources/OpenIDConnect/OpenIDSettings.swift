public import Contract
internal import Foundation
internal import Platform

/// One provider, as the operator describes it.
public struct OpenIDSettings: Sendable, Equatable {
  /// How we show a provider that it is us who ask.
  public enum Secret: Sendable, Equatable {
    /// None: PKCE alone (a public client).
    case none
    case text(String)
    /// Apple's: a key, by which short-lived secrets are signed. PEM of PKCS #8, as the .p8 file has it.
    case apple(team: String, keyID: String, key: String)
  }

  public var id: String
  public var name: String
  public var issuer: String
  public var client: String
  /// Clients of ours in whose apps the system signs people in: Apple's bundle ids.
  public var apps: [String]
  public var secret: Secret
  /// Whether it may be on this machine or in an inner network, by the operator's word.
  public var isInner = false

  public var kind: SignInProviderKind {
    if case .apple = secret { .apple } else { .oidc }
  }

  public init(id: String, name: String, issuer: String, client: String, apps: [String] = [], secret: Secret) {
    self.id = id
    self.name = name
    self.issuer = issuer
    self.client = client
    self.apps = apps
    self.secret = secret
  }
}

/// An address of a provider: https, and http only where the issuer is this very machine's, as in tests.
public struct ProviderAddress: Sendable, Equatable {
  public let text: String
  let isLoopback: Bool

  /// Nil for anything else.
  public init?(_ text: String, besides issuer: ProviderAddress? = nil) {
    guard text.utf8.count <= 2048, text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }),
      let url = URLComponents(string: text), let host = url.host, !host.isEmpty, url.user == nil,
      url.password == nil, url.fragment == nil
    else { return nil }
    let isLoopback = NetworkAddress.isLoopback(host: host)
    switch url.scheme?.lowercased() {
    case "https": break
    // What a provider names in its documents must not lead from the network to what listens on this machine
    // alone.
    case "http" where isLoopback && issuer?.isLoopback != false: break
    default: return nil
    }
    if let issuer, isLoopback, !issuer.isLoopback { return nil }
    self.text = text
    self.isLoopback = isLoopback
  }

  var reach: ProviderReach { isLoopback ? .machine : .open }
}
