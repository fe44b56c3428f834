internal import Foundation
internal import Platform

/// What an issuer says of itself (OpenID Connect Discovery 1.0).
struct Discovery: Sendable {
  let authorization: ProviderAddress
  let token: ProviderAddress
  let keys: ProviderAddress
  let revocation: ProviderAddress?
  let userInfo: ProviderAddress?
  let takesSecretInHeader: Bool
  /// Every answer names who answered (RFC 9207).
  let namesIssuer: Bool

  private struct Document: Decodable {
    var issuer: String
    var authorization_endpoint: String
    var token_endpoint: String
    var jwks_uri: String
    var revocation_endpoint: String?
    var userinfo_endpoint: String?
    var token_endpoint_auth_methods_supported: [String]?
    var authorization_response_iss_parameter_supported: Bool?
  }

  struct Unusable: Error, CustomStringConvertible { let description: String }

  init(_ data: Data, issuer: String) throws {
    guard let document = try? JSONDecoder().decode(Document.self, from: data) else {
      throw Unusable(description: "its discovery document cannot be read")
    }
    // Otherwise one issuer could speak for another.
    guard document.issuer == issuer, let own = ProviderAddress(issuer) else {
      throw Unusable(
        description: "its discovery document is of the issuer \(document.issuer.debugDescription)")
    }
    func address(_ text: String, _ name: String) throws -> ProviderAddress {
      guard let address = ProviderAddress(text, besides: own) else {
        throw Unusable(description: "its \(name) is no https address")
      }
      return address
    }
    authorization = try address(document.authorization_endpoint, "authorization_endpoint")
    token = try address(document.token_endpoint, "token_endpoint")
    keys = try address(document.jwks_uri, "jwks_uri")
    revocation = try document.revocation_endpoint.map { try address($0, "revocation_endpoint") }
    // Nobody signs in by it, so it may be missing or wrong.
    userInfo = document.userinfo_endpoint.flatMap { ProviderAddress($0, besides: own) }
    // Without a word on it, that is what is taken (Discovery, 3).
    takesSecretInHeader =
      document.token_endpoint_auth_methods_supported?.contains("client_secret_basic") ?? true
    namesIssuer = document.authorization_response_iss_parameter_supported ?? false
  }
}

/// The documents of one issuer.
struct ProviderDocuments: Sendable {
  private let discovered: CachedDocument<Discovery>
  private let keySet: CachedDocument<IssuerKeys>

  init(issuer: String, client: ProviderClient, time: any TimeSource) {
    let discovered = CachedDocument(time: time) {
      let slash = issuer.ends(withBytesOf: "/") ? "" : "/"
      let answer = try await client.get(issuer + slash + ".well-known/openid-configuration")
      guard answer.status == 200 else {
        throw Discovery.Unusable(description: "its discovery document is not there (\(answer.status))")
      }
      return try Discovery(answer.body, issuer: issuer)
    }
    self.discovered = discovered
    keySet = CachedDocument(time: time) {
      let answer = try await client.get(try await discovered.value().keys.text)
      guard answer.status == 200 else {
        throw Discovery.Unusable(description: "its keys are not there (\(answer.status))")
      }
      return try IssuerKeys(answer.body)
    }
  }

  func discovery() async throws -> Discovery { try await discovered.value() }
  func keys() async throws -> IssuerKeys { try await keySet.value() }

  /// The key that a token names; asked for once more where it is not known, since issuers change their keys.
  func key(_ header: IdentityToken.Header) async throws -> IssuerKeys.Key? {
    if let key = try await keys().key(for: header) { return key }
    return try await keySet.renewed().key(for: header)
  }
}
