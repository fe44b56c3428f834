/// Bytes as letters that people type (RFC 4648, 6), without padding.
public enum Base32 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  public static func text(_ bytes: [UInt8]) -> String {
    var out: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for byte in bytes {
      (bits, count) = (bits << 8 | UInt32(byte), count + 8)
      while count >= 5 {
        count -= 5
        out.append(letters[Int(bits >> count & 31)])
      }
    }
    if count > 0 { out.append(letters[Int(bits << (5 - count) & 31)]) }
    return String(decoding: out, as: UTF8.self)
  }
}
