internal import Contract
internal import Foundation
internal import Platform

/// Turns passwords into what is kept of them, and compares. The work is made slow and large on purpose.
public protocol PasswordHashing: Sendable {
  /// With parameters and salt in it. Throws `unavailable` if too many are waiting.
  func hash(_ password: [UInt8]) async throws -> String
  /// Takes as long for a wrong password as for the right one. Throws `unavailable`, too.
  func isRight(_ password: [UInt8], for hash: String) async throws -> Bool
  /// Made with weaker parameters than a new one would be.
  func isOutdated(_ hash: String) -> Bool
  /// A hash that fits no password, and costs what any other costs.
  var decoy: String { get }
}

enum Password {
  /// The bytes that are hashed: NFC, since keyboards write é in two ways. Nil: longer than any password may
  /// be.
  static func bytes(_ text: String) -> [UInt8]? {
    // NB: before it is normalised, which costs time by its length.
    guard text.utf8.count <= Limits.passwordBytes * 3 else { return nil }
    let bytes = Array(text.precomposedStringWithCanonicalMapping.utf8)
    return bytes.count <= Limits.passwordBytes ? bytes : nil
  }

  /// A new password. Throws `password_too_short`, `password_too_long` and `password_too_common`.
  static func checked(_ text: String, handle: String, email: String? = nil, field: String = "password") throws
    -> [UInt8]
  {
    guard let bytes = bytes(text) else { throw AppError(.passwordTooLong, field: field) }
    guard text.count >= Limits.passwordLength else { throw AppError(.passwordTooShort, field: field) }
    let address = email?.lowercased()
    let own = [handle, address, address?.split(atByte: UInt8(ascii: "@")).first.map(String.init)].compactMap {
      $0
    }
    guard !CommonPassword.isOne(text.lowercased(), own: own) else {
      throw AppError(.passwordTooCommon, field: field)
    }
    return bytes
  }
}
