internal import Platform

/// Opens an account once in place of its app's code: 80 bits, so that a hash of them is enough in the
/// database.
enum RecoveryCode {
  private static let bytes = 10
  private static let letters = 16

  /// In four groups, as people read it off paper.
  static func make() -> String {
    let text = Array(
      Base32.text((0..<bytes).map { _ in UInt8.random(in: 0...UInt8.max) }).utf8.map { $0 | 32 })
    return stride(from: 0, to: text.count, by: 4)
      .map { String(decoding: text[$0..<min($0 + 4, text.count)], as: UTF8.self) }.joined(separator: "-")
  }

  /// What is kept of one that was made, or typed in whatever spelling.
  static func hash(_ code: TypedCode, of account: String) -> String {
    SecretToken.hash(of: "recovery/1\n\(account)\n\(code.text)")
  }

  static func canBe(_ code: TypedCode) -> Bool { code.text.utf8.count == letters }
}

/// A code as somebody typed it, without what only helps the eye: spaces, hyphens and capitals.
struct TypedCode: Equatable {
  let text: String

  /// Nil for what can be no code.
  init?(_ typed: String) {
    var kept: [UInt8] = []
    for byte in typed.utf8 {
      switch byte {
      case UInt8(ascii: "-"), UInt8(ascii: " "): continue
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): kept.append(byte)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): kept.append(byte | 32)
      default: return nil
      }
    }
    text = String(decoding: kept, as: UTF8.self)
  }

  var isOfApp: Bool {
    text.utf8.count == TimeCode.digits
      && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
