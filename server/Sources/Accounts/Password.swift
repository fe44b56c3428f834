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
  /// The first that are tried on any list of stolen ones, of those that are long enough.
  private static let common: Set<String> = [
    "00000000", "0123456789", "11111111", "1111111111", "111222333", "112233445566", "1234512345", "12341234",
    "123123123", "12345678", "123456789", "1234567890", "12345678910", "123456789a", "1234qwer", "123qweasd",
    "147258369", "1q2w3e4r", "1q2w3e4r5t", "1qaz2wsx", "22222222", "55555555", "66666666", "77777777",
    "777777777", "87654321", "88888888", "987654321", "9876543210", "99999999", "a1234567", "a12345678",
    "aa123456", "aa12345678", "abc12345", "abcd1234", "abcdefgh", "asdasdasd", "asdf1234", "asdfasdf",
    "asdfghjk", "asdfghjkl", "baseball", "changeme", "charlie1", "clipfeed", "computer", "dragon12",
    "football",
    "freedom1", "google123", "iloveyou", "iloveyou1", "internet", "jennifer", "letmein1", "liverpool",
    "michelle", "michael1", "monkey123", "p@ssw0rd", "p@ssword", "pass1234", "passw0rd", "password",
    "password1", "password12", "password123", "princess", "princess1", "q1w2e3r4", "q1w2e3r4t5", "qazwsxedc",
    "qwer1234", "qwerasdf", "qwerty12", "qwerty123", "qwerty1234", "qwertyui", "qwertyuiop", "samantha",
    "secret123", "starwars", "sunshine", "superman", "trustno1", "welcome1", "welcome123", "whatever",
    "zaq12wsx", "zxcvbnm1", "zxcvbnm123",
  ]

  /// The bytes that are hashed: NFC, since keyboards write é in two ways. Nil: longer than any password may be.
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
    let folded = text.lowercased()
    let own = [handle, email?.lowercased(), email?.lowercased().split(separator: "@").first.map(String.init)]
    guard !common.contains(folded), !own.contains(folded), Set(folded).count > 1 else {
      throw AppError(.passwordTooCommon, field: field)
    }
    return bytes
  }
}
