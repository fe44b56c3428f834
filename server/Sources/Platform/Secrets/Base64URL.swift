/// Bytes as letters that an address takes as they are (RFC 4648, 5), without padding. For what every page
/// carries: Foundation's takes several times as long, with other letters.
public enum Base64URL {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  /// By letter; 64 where there is none.
  private static let places = letters.enumerated().reduce(into: Array(repeating: UInt8(64), count: 256)) {
    $0[Int($1.element)] = UInt8($1.offset)
  }

  public static func text(_ bytes: [UInt8]) -> String {
    var out: [UInt8] = []
    out.reserveCapacity((bytes.count * 4 + 2) / 3)
    var (bits, count) = (UInt32(0), 0)
    for byte in bytes {
      (bits, count) = (bits << 8 | UInt32(byte), count + 8)
      while count >= 6 {
        count -= 6
        out.append(letters[Int(bits >> count & 63)])
      }
    }
    if count > 0 { out.append(letters[Int(bits << (6 - count) & 63)]) }
    return String(decoding: out, as: UTF8.self)
  }

  /// Nil for what `text` never says: other letters, a length of no bytes, or spare bits at the end that are
  /// not 0.
  public static func bytes(_ text: String) -> [UInt8]? {
    var out: [UInt8] = []
    out.reserveCapacity(text.utf8.count * 3 / 4)
    var (bits, count) = (UInt32(0), 0)
    for letter in text.utf8 {
      let place = places[Int(letter)]
      guard place < 64 else { return nil }
      (bits, count) = (bits << 6 | UInt32(place), count + 6)
      guard count >= 8 else { continue }
      count -= 8
      out.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    return count < 6 && bits & (1 << count - 1) == 0 ? out : nil
  }
}
