internal import Crypto
internal import Foundation

/// Text that only its holder and nobody who reads the database knows: 256 bits, kept as their hash.
public enum SecretToken {
  /// Base64url (RFC 4648) without padding: 43 characters.
  public static func make() -> String {
    Base64URL.text(
      (0..<4).flatMap { _ in withUnsafeBytes(of: UInt64.random(in: 0...UInt64.max), Array.init) })
  }

  /// What is kept. Nothing slower is needed: nobody tries all of 256 bits.
  public static func hash(of secret: String) -> String { ContentHash.of(Array(secret.utf8)) }

  /// Another secret that only the holder of `secret` and whoever knows `key` and `salt` can tell.
  public static func derived(from secret: String, salt: String, key: String) -> String {
    let code = HMAC<SHA256>.authenticationCode(
      for: Data("secret/1\n\(salt)\n\(secret)".utf8), using: SymmetricKey(data: Data(key.utf8)))
    return Base64URL.text(Array(code))
  }
}
