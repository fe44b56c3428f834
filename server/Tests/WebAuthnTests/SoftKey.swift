import Crypto
import CryptoExtras
import Foundation
import Platform

@testable import WebAuthn

/// An authenticator that is a value: it writes what devices write.
struct SoftKey {
  enum Kind: CaseIterable { case es256, edDSA, rs256 }

  static let site = "clips.example"
  static let origin = "https://clips.example"

  let credential = (0..<16).map { UInt8($0) }
  let kind: Kind
  private let es256 = P256.Signing.PrivateKey()
  private let edDSA = Curve25519.Signing.PrivateKey()
  private let rs256: _RSA.Signing.PrivateKey?

  init(_ kind: Kind = .es256) throws {
    self.kind = kind
    rs256 = kind == .rs256 ? try _RSA.Signing.PrivateKey(keySize: .bits2048) : nil
  }

  /// The public half, as it is written.
  func cose() throws -> [UInt8] {
    switch kind {
    case .es256:
      let point = Array(es256.publicKey.x963Representation)
      return map([
        (int(1), int(2)), (int(3), int(-7)), (int(-1), int(1)), (int(-2), bytes(Array(point[1..<33]))),
        (int(-3), bytes(Array(point[33...]))),
      ])
    case .edDSA:
      return map([
        (int(1), int(1)), (int(3), int(-8)), (int(-1), int(6)),
        (int(-2), bytes(Array(edDSA.publicKey.rawRepresentation))),
      ])
    case .rs256:
      guard let parts = try rs256?.publicKey.getKeyPrimitives() else { return [] }
      return map([
        (int(1), int(3)), (int(3), int(-257)), (int(-1), bytes(Array(parts.modulus))),
        (int(-2), bytes(Array(parts.publicExponent))),
      ])
    }
  }

  func sign(_ message: [UInt8]) throws -> [UInt8] {
    switch kind {
    case .es256: Array(try es256.signature(for: SHA256.hash(data: message)).derRepresentation)
    case .edDSA: Array(try edDSA.signature(for: message))
    case .rs256:
      Array(
        try rs256?.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5).rawRepresentation
          ?? Data())
    }
  }

  func data(
    flags: UInt8 = 0x05, count: UInt32 = 1, site: String = Self.site, withKey: Bool = false
  ) throws -> [UInt8] {
    var out = Array(SHA256.hash(data: Data(site.utf8))) + [withKey ? flags | 0x40 : flags]
    out += (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> UInt32($0 * 8)) }
    guard withKey else { return out }
    return out + [UInt8](repeating: 0, count: 16) + [0, UInt8(credential.count)] + credential + (try cose())
  }

  func attestation(_ data: [UInt8], format: String = "none") -> [UInt8] {
    map([(text("fmt"), text(format)), (text("attStmt"), map([])), (text("authData"), bytes(data))])
  }

  static func clientData(
    _ type: String, _ challenge: [UInt8], origin: String = Self.origin, more: String = ""
  ) -> [UInt8] {
    Array(
      #"{"type":"\#(type)","challenge":"\#(Base64URL.text(challenge))","origin":"\#(origin)"\#(more)}"#.utf8)
  }
}

// MARK: Writing (RFC 8949)

func head(_ kind: UInt8, _ length: Int) -> [UInt8] {
  switch length {
  case ..<24: [kind << 5 | UInt8(length)]
  case ..<256: [kind << 5 | 24, UInt8(length)]
  default: [kind << 5 | 25, UInt8(length >> 8), UInt8(length & 255)]
  }
}
func int(_ number: Int) -> [UInt8] { number < 0 ? head(1, -1 - number) : head(0, number) }
func bytes(_ bytes: [UInt8]) -> [UInt8] { head(2, bytes.count) + bytes }
func text(_ text: String) -> [UInt8] { head(3, text.utf8.count) + Array(text.utf8) }
func map(_ entries: [([UInt8], [UInt8])]) -> [UInt8] {
  entries.reduce(head(5, entries.count)) { $0 + $1.0 + $1.1 }
}
