internal import Contract
internal import Foundation
internal import Platform

/// One way to a provider and back: what was asked for, by whom, and a secret from which all follows that the
/// answer has to match. It is kept where the asking began, a browser's cookie or an app, and nowhere here:
/// whoever asks and never comes back leaves nothing. A tag that only this instance can make keeps it as it
/// was.
struct SignInFlow: Sendable, Equatable {
  private static let prefix = "s1"
  private static let maximumBytes = 400

  var provider: String
  /// Nil: to sign in.
  var purpose: SignInPurpose?
  /// Who was signed in then.
  var account: String?
  var expiresMs: Int64
  var secret: String

  /// Goes to the provider and comes back with the answer: an answer to what another browser asked has another
  /// one.
  func state(_ key: String) -> String { SecretToken.derived(from: secret, salt: "state", key: key) }
  /// Stands in the identity token: one that was made for another question has another one.
  func nonce(_ key: String) -> String { SecretToken.derived(from: secret, salt: "nonce", key: key) }
  /// 43 characters of base64url, as RFC 7636 demands.
  func verifier(_ key: String) -> String { SecretToken.derived(from: secret, salt: "verifier", key: key) }

  func text(_ key: String) -> String {
    let body = [
      Self.prefix, provider, purpose?.rawValue ?? "", account ?? "", "\(expiresMs)", secret,
    ].joined(separator: ".")
    return body + "." + Self.tag(of: body, key)
  }

  /// Nil for what this instance did not make.
  static func read(_ text: String, _ key: String) -> SignInFlow? {
    guard text.utf8.count <= maximumBytes else { return nil }
    let parts = text.split(atByte: UInt8(ascii: "."), omittingEmpty: false).map(String.init)
    guard parts.count == 7, parts[0] == prefix, let expiresMs = SafeInteger.read(parts[4]).map(Int64.init),
      isSame(parts[6], tag(of: parts[..<6].joined(separator: "."), key))
    else { return nil }
    return SignInFlow(
      provider: parts[1], purpose: SignInPurpose(rawValue: parts[2]),
      account: parts[3].isEmpty ? nil : parts[3], expiresMs: expiresMs, secret: parts[5])
  }

  private static func tag(of body: String, _ key: String) -> String {
    SecretToken.derived(from: body, salt: "sign-in", key: key)
  }

  /// Takes as long whatever differs.
  static func isSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    return one.count == other.count && zip(one, other).reduce(UInt8(0), { $0 | ($1.0 ^ $1.1) }) == 0
  }
}
