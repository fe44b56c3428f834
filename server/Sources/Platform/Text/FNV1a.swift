/// FNV-1a of 64 bits (Fowler, Noll and Vo, RFC 9923): a number for a text, the same in every process and for
/// good, so it may be kept. Not for secrets: who wants two texts with one number finds them.
public enum FNV1a {
  public static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
