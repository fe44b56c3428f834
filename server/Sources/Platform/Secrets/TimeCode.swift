internal import Crypto
internal import Foundation

/// Codes that an app makes of a secret and the time (RFC 6238), as every such app does by itself: SHA-1, six
/// digits, 30 seconds.
public enum TimeCode {
  public static let stepMs: Int64 = 30_000
  public static let digits = 6
  /// RFC 4226 asks for 160 bits, and apps for no more.
  public static let secretBytes = 20
  /// Clocks differ, and people type: the code before and the one behind count as well (RFC 6238, 5.2).
  private static let tolerance: Int64 = 1

  public static func makeSecret() -> [UInt8] {
    (0..<secretBytes).map { _ in UInt8.random(in: 0...UInt8.max) }
  }

  public static func step(atMs nowMs: Int64) -> Int64 { max(0, nowMs) / stepMs }

  /// What the app shows during a step.
  public static func code(_ secret: [UInt8], step: Int64) -> String {
    let counter = (0..<8).reversed().map { UInt8(truncatingIfNeeded: step >> (Int64($0) * 8)) }
    let hash = Array(
      HMAC<Insecure.SHA1>.authenticationCode(for: Data(counter), using: SymmetricKey(data: Data(secret))))
    // RFC 4226, 5.3: four bytes of the twenty, from a place that the last one names.
    let place = Int(hash[hash.count - 1] & 15)
    let number = hash[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
    let text = "\(number % 1_000_000)"
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }

  /// The step whose code this is, newer than `used`, since a code is good once; nil: none that counts now.
  /// The comparison takes as long whatever differs.
  public static func step(
    of text: String, _ secret: [UInt8], atMs nowMs: Int64, after used: Int64
  ) -> Int64? {
    let (given, now) = (Array(text.utf8), step(atMs: nowMs))
    var found: Int64?
    for step in max(0, now - tolerance)...now + tolerance {
      let code = Array(code(secret, step: step).utf8)
      let isSame = given.count == code.count && zip(given, code).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
      if isSame, step > used { found = found ?? step }
    }
    return found
  }
}
