internal import Contract
internal import Foundation
internal import Platform

/// An e-mail address as people have them. What the standard allows beyond that (quotation marks, comments,
/// addresses of machines) nobody has, and it ends up in headers and command lines.
enum EmailAddress {
  /// Throws `email_invalid`.
  static func checked(_ text: String) throws -> String {
    let address = text.trimmingWhitespace()
    let parts = address.split(atByte: UInt8(ascii: "@"), omittingEmpty: false)
    guard address.utf8.count <= Limits.emailBytes, parts.count == 2, isLocal(parts[0]),
      DomainName.isWellFormed(parts[1])
    else { throw AppError(.emailInvalid, field: "email") }
    return address
  }

  /// As it is compared: nobody's provider tells addresses apart by case.
  static func key(_ address: String) -> String {
    address.trimmingWhitespace().lowercased()
  }

  private static func isLocal(_ text: Substring) -> Bool {
    let others = Array("!#$%&'*+/=?^_`{|}~.-".utf8)
    return (1...64).contains(text.utf8.count) && !text.starts(withBytesOf: "-")
      && !text.starts(withBytesOf: ".")
      && !text.ends(withBytesOf: ".") && !text.contains("..")
      && text.utf8.allSatisfy { $0.isAlphanumeric || others.contains($0) }
  }
}
