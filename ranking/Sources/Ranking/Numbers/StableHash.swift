/// Hashes that are the same in every process, unlike the standard library's: they stand in snapshots and
/// choose places of weights.
public enum StableHash {
  /// SplitMix64's finisher: every bit of the word moves about half of the result's.
  static func mixed(_ word: UInt64) -> UInt64 {
    var word = word
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// Of two words in their order.
  @inline(__always)
  static func of(_ first: UInt64, _ second: UInt64) -> UInt64 { joined(joined(start, first), second) }

  /// Of three words in their order.
  @inline(__always)
  static func of(_ first: UInt64, _ second: UInt64, _ third: UInt64) -> UInt64 {
    joined(joined(joined(start, first), second), third)
  }

  private static let start: UInt64 = 0x5851_F42D_4C95_7F2D

  @inline(__always)
  private static func joined(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    mixed(hash &+ 0x9E37_79B9_7F4A_7C15 ^ word)
  }

  /// FNV-1a, then mixed: of a tag, a sound or a language as text, by its UTF-8. The text itself is not kept.
  public static func of(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return mixed(hash)
  }
}
