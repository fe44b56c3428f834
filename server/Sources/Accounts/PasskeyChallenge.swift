internal import Foundation
internal import Platform

/// What a device is asked to sign. Whoever asks and never comes back leaves nothing: it says itself what it
/// is for, and a tag that only this instance can make keeps it as it was. That it is good once is kept where
/// it was used.
struct PasskeyChallenge: Sendable, Equatable {
  enum Purpose: String, Sendable { case make, signIn }

  private static let prefix = "k1"
  private static let maximumBytes = 300

  var purpose: Purpose
  /// For whom a key is made; empty: whoever has one.
  var account: String
  var expiresMs: Int64
  var secret: String

  func text(_ key: String) -> String {
    let body = [Self.prefix, purpose.rawValue, account, "\(expiresMs)", secret].joined(separator: ".")
    return body + "." + Self.tag(of: body, key)
  }

  /// Nil for what this instance did not make by one of these keys.
  static func read(_ bytes: [UInt8], _ keys: [String]) -> PasskeyChallenge? {
    guard bytes.count <= maximumBytes else { return nil }
    let parts = String(decoding: bytes, as: UTF8.self)
      .split(atByte: UInt8(ascii: "."), omittingEmpty: false).map(String.init)
    guard parts.count == 6, parts[0] == prefix, let purpose = Purpose(rawValue: parts[1]),
      let expiresMs = SafeInteger.read(parts[3]).map(Int64.init)
    else { return nil }
    let body = parts[..<5].joined(separator: ".")
    guard keys.contains(where: { SignInFlow.isSame(parts[5], tag(of: body, $0)) }) else { return nil }
    return PasskeyChallenge(purpose: purpose, account: parts[2], expiresMs: expiresMs, secret: parts[4])
  }

  private static func tag(of body: String, _ key: String) -> String {
    SecretToken.derived(from: body, salt: "passkey", key: key)
  }
}
