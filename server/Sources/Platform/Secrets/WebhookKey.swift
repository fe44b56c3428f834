internal import Crypto
public import Foundation

/// By what a webhook shows who sent it (standardwebhooks.com): a keyed hash over its id, its time and its
/// body.
///
/// It knows no request and keeps no ids. Whoever hears webhooks has to remember them: the same id is the same
/// message once more.
public struct WebhookKey: Sendable, CustomStringConvertible, CustomReflectable {
  /// Seconds that the two clocks may differ, either way. An older message may be one that somebody kept.
  public static let toleranceSeconds: Int64 = 300
  /// A sender that changes its secret has two for a while. More than these are not looked at.
  static let mostSignatures = 16

  private let key: SymmetricKey

  /// `whsec_` and base64, or without that start the bytes as they are. Nil: neither.
  public init?(_ secret: String) {
    if let encoded = secret.rest(behind: "whsec_") {
      guard let bytes = Data(base64Encoded: String(encoded)), !bytes.isEmpty else { return nil }
      key = SymmetricKey(data: bytes)
    } else {
      guard !secret.isEmpty else { return nil }
      key = SymmetricKey(data: Array(secret.utf8))
    }
  }

  /// A new one of 256 bits.
  public static func makeSecret() -> String {
    "whsec_" + SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64EncodedString()
  }

  /// What stands in the header of that name. Of several keys: joined by a space.
  public func signature(id: String, timestamp: Int64, body: some DataProtocol) -> String {
    "v1," + Data(code(id, "\(timestamp)", body)).base64EncodedString()
  }

  /// What the headers of a message say.
  public struct Claim: Sendable, Equatable {
    public var id: String
    public var timestamp: String
    public var signatures: String

    public init(id: String, timestamp: String, signatures: String) {
      (self.id, self.timestamp, self.signatures) = (id, timestamp, signatures)
    }
  }

  public enum Refused: Error, Sendable, Equatable {
    /// Not as the scheme has it.
    case malformed
    /// Too old, or of a time to come.
    case untimely
    /// None of its signatures is by this key.
    case wrong
  }

  /// `body`: as it came, before anything read it. Throws `Refused`.
  public func verify(_ claim: Claim, body: some DataProtocol, nowMs: Int64) throws {
    guard Self.isID(claim.id), let timestamp = SafeInteger.read(claim.timestamp) else {
      throw Refused.malformed
    }
    let distance = nowMs / 1000 - Int64(timestamp)
    guard (-Self.toleranceSeconds...Self.toleranceSeconds).contains(distance) else { throw Refused.untimely }
    let signed = Self.signed(claim.id, claim.timestamp, body)
    // NB: all of them are looked at, and each in the same time whatever is in it.
    var isRight = false
    for part in claim.signatures.split(atByte: UInt8(ascii: " ")).prefix(Self.mostSignatures) {
      guard let encoded = part.rest(behind: "v1,"), let code = Data(base64Encoded: String(encoded)) else {
        continue
      }
      if HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: signed, using: key) { isRight = true }
    }
    guard isRight else { throw Refused.wrong }
  }

  /// NB: without a full stop, which ends it in what is signed: part of the body could be taken for the id.
  private static func isID(_ id: String) -> Bool {
    (1...256).contains(id.utf8.count)
      && id.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ".") }
  }

  private static func signed(_ id: String, _ timestamp: String, _ body: some DataProtocol) -> Data {
    var signed = Data("\(id).\(timestamp).".utf8)
    signed.append(contentsOf: body)
    return signed
  }

  private func code(_ id: String, _ timestamp: String, _ body: some DataProtocol) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: Self.signed(id, timestamp, body), using: key))
  }

  public var description: String { "(a key of webhooks)" }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
