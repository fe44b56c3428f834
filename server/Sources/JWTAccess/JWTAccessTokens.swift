public import Accounts
internal import Foundation
internal import JWTKit
public import Platform
internal import Synchronization

/// Access tokens as JWTs (RFC 9068 in form: `at+jwt`), under HMAC-SHA-256: whoever reads them is whoever made
/// them, and nobody else ever has to.
public final class JWTAccessTokens: AccessTokens {
  private struct Payload: JWTPayload {
    var sub: String
    var sid: String
    var role: String
    /// Left out where it is false.
    var suspended: Bool?
    /// Milliseconds, unlike `exp`: what is made in the second of a revocation must be told from what was made
    /// before.
    var madeMs: Int64
    var exp: Int64

    enum CodingKeys: String, CodingKey {
      case sub, sid, role, suspended, exp
      case madeMs = "made_ms"
    }

    /// Whether it is over is for the reader to say, who has a clock.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }

  private struct Known: Sendable {
    let keys: [String]
    let collection: JWTKeyCollection
    let newest: JWKIdentifier
  }

  private static let type = "at+jwt"
  private static let algorithm = "HS256"
  /// Our own have some four hundred.
  private static let maximumBytes = 2048

  private let ring: KeyRing
  private let known = Mutex<Known?>(nil)

  public init(ring: KeyRing) {
    self.ring = ring
  }

  public func make(_ claims: AccessClaims) async throws -> String {
    let known = try await collection(.usual)
    let payload = Payload(
      sub: claims.account, sid: claims.session, role: claims.role.rawValue,
      suspended: claims.isSuspended ? true : nil, madeMs: claims.madeMs, exp: claims.expiresMs / 1000)
    return try await known.collection.sign(payload, kid: known.newest, header: ["typ": .string(Self.type)])
  }

  public func read(_ token: String) async throws -> AccessClaims? {
    guard token.utf8.count <= Self.maximumBytes else { return nil }
    if let claims = await read(token, with: try await collection(.usual).collection) { return claims }
    // Another process may have made a new key a moment ago.
    return await read(token, with: try await collection(.inDoubt).collection)
  }

  /// NB: each key is for one algorithm, whatever the header says.
  private func read(_ token: String, with keys: JWTKeyCollection) async -> AccessClaims? {
    guard let payload = try? await keys.verify(token, as: Payload.self),
      let role = Viewer.Role(rawValue: payload.role), payload.exp < Int64.max / 1000
    else { return nil }
    return AccessClaims(
      account: payload.sub, session: payload.sid, role: role, isSuspended: payload.suspended ?? false,
      madeMs: payload.madeMs, expiresMs: payload.exp * 1000)
  }

  private func collection(_ freshness: KeyRing.Freshness) async throws -> Known {
    let keys = try await ring.keys(freshness)
    if let known = known.withLock({ $0 }), known.keys == keys { return known }
    let collection = JWTKeyCollection()
    for key in keys {
      await collection.add(
        hmac: HMACKey(from: key), digestAlgorithm: .sha256, kid: Self.identifier(of: key))
    }
    let made = Known(keys: keys, collection: collection, newest: Self.identifier(of: keys[0]))
    known.withLock { $0 = made }
    return made
  }

  private static func identifier(of key: String) -> JWKIdentifier {
    JWKIdentifier(string: String(ContentHash.of(Array("kid/\(key)".utf8)).prefix(8)))
  }
}
