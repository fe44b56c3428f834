internal import Foundation
internal import JWTKit
internal import Platform

/// The secret of a client at Apple: a token that we sign with the operator's key, good for minutes.
struct AppleSecret: Sendable {
  private struct Payload: JWTPayload {
    var iss: String
    var iat: Int64
    var exp: Int64
    var aud: String
    var sub: String

    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }

  static let lifeSeconds: Int64 = 300

  let team: String
  let keyID: String
  let issuer: String
  private let key: ES256PrivateKey

  /// Throws if that is no key of P-256.
  init(team: String, keyID: String, pem: String, issuer: String) throws {
    self.team = team
    self.keyID = keyID
    self.issuer = issuer
    key = try ES256PrivateKey(pem: pem)
  }

  func make(for client: String, at nowMs: Int64) async throws -> String {
    let kid = JWKIdentifier(string: keyID)
    let keys = JWTKeyCollection()
    await keys.add(ecdsa: key, kid: kid)
    let now = nowMs / 1000
    return try await keys.sign(
      Payload(iss: team, iat: now, exp: now + Self.lifeSeconds, aud: issuer, sub: client), kid: kid)
  }
}
