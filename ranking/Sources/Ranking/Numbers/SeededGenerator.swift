internal import Foundation

/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014). All chance in
/// this module comes from here, so that a seed and a history give the same pages on every machine.
public struct SeededGenerator: RandomNumberGenerator, Sendable, Equatable {
  /// Where the sequence stands; in a snapshot.
  public private(set) var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return StableHash.mixed(state)
  }

  /// In [0, 1), of 53 bits.
  public mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// In `0 ..< bound`; 0 if the bound is not positive.
  public mutating func below(_ bound: Int) -> Int {
    guard bound > 0 else { return 0 }
    return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// Of mean 0 and variance 1 (Box and Muller 1958).
  public mutating func normal() -> Double { twoNormals().0 }

  /// Both that Box and Muller give.
  mutating func twoNormals() -> (Double, Double) {
    let radius = (-2 * log(1 - uniform())).squareRoot()
    let angle = 2 * .pi * uniform()
    return (radius * cos(angle), radius * sin(angle))
  }
}
