/// Who or what is meant: a clip, a viewer, an author. 128 bits, which are those of a UUID.
public struct EntityID: Hashable, Comparable, Sendable {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A small number, for data sets and tests.
  public init(_ number: UInt64) { self.init(high: 0, low: number) }

  /// Of 32 hexadecimal digits; hyphens between them are passed over. Nothing if it is another text.
  public init?(uuid text: String) {
    var words: [UInt64] = [0, 0]
    var digits = 0
    for byte in text.utf8 where byte != UInt8(ascii: "-") {
      let digit: UInt8? =
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
      guard let digit, digits < 32 else { return nil }
      words[digits / 16] = words[digits / 16] << 4 | UInt64(digit)
      digits += 1
    }
    guard digits == 32 else { return nil }
    self.init(high: words[0], low: words[1])
  }

  /// As a UUID is written.
  public var uuid: String {
    var text = ""
    for digit in 0..<32 {
      if [8, 12, 16, 20].contains(digit) { text += "-" }
      text += String((digit < 16 ? high : low) >> UInt64(60 - digit % 16 * 4) & 15, radix: 16)
    }
    return text
  }

  public static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  var hash: UInt64 { StableHash.of(high, low) }
}
