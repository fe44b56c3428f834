/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014):
/// randomness that lives in a machine's state, so that the same events give the same commands.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// A number in `0 ..< bound`; 0 if the bound is not positive. The bias of the remainder is
  /// below one in a billion for the small bounds used here.
  public mutating func next(below bound: Int64) -> Int64 {
    guard bound > 0 else { return 0 }
    return Int64(next() % UInt64(bound))
  }
}
