internal import Contract
internal import Crypto
internal import CryptoExtras
internal import Foundation
internal import Platform

/// The public half of a passkey (COSE, RFC 9053), of the three kinds that devices have: P-256, Ed25519, RSA.
enum SigningKey {
  case es256(P256.Signing.PublicKey)
  case edDSA(Curve25519.Signing.PublicKey)
  case rs256(_RSA.Signing.PublicKey)

  /// Of RSA: from 2048 bits on, and no more than what is checked in a moment.
  private static let modulusBytes = 256...512
  /// Of the last exponents that anybody uses, 65537 is the largest; a huge one takes long.
  private static let exponentBytes = 1...4

  /// Throws `passkey_refused`.
  init(cose bytes: [UInt8]) throws {
    var reader = CBORReader(bytes[...])
    let map = try reader.value()
    guard reader.rest.isEmpty else { throw AppError(.passkeyRefused) }
    let part = { (label: Int64) in map[.number(label)] }
    // Kind, algorithm, curve: RFC 9053, 2 and 7.
    switch (part(1), part(3), part(-1)) {
    case (.number(2), .number(-7), .number(1)):
      guard let x = part(-2)?.bytes, let y = part(-3)?.bytes, x.count == 32, y.count == 32,
        let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y)
      else { throw AppError(.passkeyRefused) }
      self = .es256(key)
    case (.number(1), .number(-8), .number(6)):
      guard let x = part(-2)?.bytes, x.count == 32,
        let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x)
      else { throw AppError(.passkeyRefused) }
      self = .edDSA(key)
    case (.number(3), .number(-257), .bytes(let n)):
      guard let e = part(-2)?.bytes, Self.modulusBytes.contains(n.count),
        Self.exponentBytes.contains(e.count),
        let key = try? _RSA.Signing.PublicKey(n: n, e: e)
      else { throw AppError(.passkeyRefused) }
      self = .rs256(key)
    default: throw AppError(.passkeyRefused)
    }
  }

  func isSignature(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
    switch self {
    case .es256(let key):
      guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else {
        return false
      }
      return key.isValidSignature(signature, for: SHA256.hash(data: bytes))
    case .edDSA(let key): return key.isValidSignature(signature, for: bytes)
    case .rs256(let key):
      return key.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: bytes),
        padding: .insecurePKCS1v1_5)
    }
  }
}
