/// Letters that make one `Character` of themselves and the one that means something: U+0D4E takes the next
/// for its own, U+0301 is part of the one before.
enum HostileText {
  static func around(_ scalar: Unicode.Scalar) -> [String] { ["\u{D4E}\(scalar)", "\(scalar)\u{301}"] }

  /// Sorting these into their normal order takes time quadratic in how many there are.
  static let marks =
    "a" + String(repeating: "\u{301}", count: 30_000) + String(repeating: "\u{316}", count: 30_000)
}
