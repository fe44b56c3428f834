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
    guard address.utf8.count <= Limits.emailBytes, parts.count == 2, isLocal(parts[0]), isDomain(parts[1])
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
      && text.utf8.allSatisfy { isAlphanumeric($0) || others.contains($0) }
  }

  private static func isDomain(_ text: Substring) -> Bool {
    let labels = text.split(atByte: UInt8(ascii: "."), omittingEmpty: false)
    return labels.count >= 2
      && labels.allSatisfy { label in
        (1...63).contains(label.utf8.count) && !label.starts(withBytesOf: "-")
          && !label.ends(withBytesOf: "-")
          && label.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
      }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
