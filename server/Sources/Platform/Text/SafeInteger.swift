/// Whole numbers from outside: from a header, a query, a file, another program's output.
///
/// Plain arithmetic on a number that somebody else chose traps where it does not fit, and a trap ends the
/// process. What comes through here is at most 2^53 - 1 away from zero (what JSON carries exactly: RFC 8259,
/// section 6), so that sums and differences of a thousand of them fit into 64 bits. Products need a narrower
/// range.
public enum SafeInteger {
  public static let most = (1 << 53) - 1
  public static let range = -most...most

  /// Digits of ASCII alone, at most twenty, without a sign. Nil: something else, or a number outside of
  /// `range`.
  public static func read(_ text: some StringProtocol, in range: ClosedRange<Int> = 0...most) -> Int? {
    var value = 0
    var count = 0
    for byte in text.utf8 {
      guard (48...57).contains(byte), count < 20, value <= most else { return nil }
      value = value * 10 + Int(byte - 48)
      count += 1
    }
    return count > 0 && range.contains(value) ? value : nil
  }
}

extension Int64 {
  /// The nearest whole number. What is no number, or has none that is so large, is the one at the end of all.
  public init(clamping value: Double) { self.init(Int(clamping: value, to: .min ... .max)) }
}

extension Int {
  /// The nearest whole number, held to a range. What is no number is the lower end.
  public init(clamping value: Double, to range: ClosedRange<Int> = SafeInteger.range) {
    guard value > Double(range.lowerBound) else {
      self = range.lowerBound
      return
    }
    self =
      value < Double(range.upperBound) ? Int(exactly: value.rounded()) ?? range.upperBound : range.upperBound
  }
}
