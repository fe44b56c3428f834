internal import Contract
internal import Crypto
internal import Foundation
public import Platform
internal import Synchronization

/// By which push services know who writes: a key that stays for the life of the instance, since browsers
/// subscribe to it alone, and a token that is signed with it for each service (RFC 8292).
public final class ServerKey: Sendable {
  private static let setting = "web_push_key"
  /// A service refuses a token that is good for more than a day.
  static let lifeMs: Int64 = 12 * 3_600_000
  /// Tokens of so many services are kept.
  private static let kept = 64

  private let key: P256.Signing.PrivateKey
  private let contact: String
  private let time: any TimeSource
  private let tokens = Mutex<[String: (text: String, madeMs: Int64)]>([:])

  init(key: P256.Signing.PrivateKey, contact: String, time: any TimeSource) {
    self.key = key
    self.contact = contact
    self.time = time
  }

  /// The one of the instance, made once. `contact`: whom a service asks if something is wrong, `mailto:` or
  /// `https:`.
  public static func of(
    _ settings: Settings, contact: String, time: any TimeSource
  ) async throws -> ServerKey {
    let stored = try await settings.value(setting) {
      Base64URL.text(Array(P256.Signing.PrivateKey().rawRepresentation))
    }
    guard let bytes = Base64URL.bytes(stored),
      let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes)
    else {
      throw AppError(.internalError, "The key for notifications to browsers in the database is damaged.")
    }
    return ServerKey(key: key, contact: contact, time: time)
  }

  /// A point that is not compressed, in base64url.
  var text: String { Base64URL.text(Array(key.publicKey.x963Representation)) }

  /// `origin`: of the push service.
  func authorization(for origin: String) throws -> String {
    let now = time.nowMs
    if let known = tokens.withLock({ $0[origin] }), (0..<Self.lifeMs / 2).contains(now - known.madeMs) {
      return known.text
    }
    let made = "vapid t=\(try token(for: origin, at: now)), k=\(text)"
    tokens.withLock { tokens in
      if tokens.count >= Self.kept { tokens.removeAll() }
      tokens[origin] = (made, now)
    }
    return made
  }

  private struct Claims: Encodable {
    var aud: String
    var exp: Int64
    var sub: String
  }

  private func token(for origin: String, at nowMs: Int64) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let claims = try encoder.encode(
      Claims(aud: origin, exp: (nowMs + Self.lifeMs) / 1000, sub: contact))
    let signed =
      Base64URL.text(Array(#"{"alg":"ES256","typ":"JWT"}"#.utf8)) + "." + Base64URL.text(Array(claims))
    let signature = try key.signature(for: Array(signed.utf8))
    return signed + "." + Base64URL.text(Array(signature.rawRepresentation))
  }
}
