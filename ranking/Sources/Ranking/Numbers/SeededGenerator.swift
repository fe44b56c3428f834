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
  private mutating func twoNormals() -> (Double, Double) {
    let radius = (-2 * log(1 - uniform())).squareRoot()
    let angle = 2 * .pi * uniform()
    return (radius * cos(angle), radius * sin(angle))
  }

  /// Of this shape (above 0) and scale 1: Marsaglia and Tsang, "A simple method for generating gamma
  /// variables", 2000.
  ///
  /// - Parameter first: a normal number that nobody else uses, to begin with.
  mutating func gamma(_ shape: Double, from first: Double? = nil) -> Double {
    let first = first ?? normal()
    // Below 1 by the theorem of the paper's last section.
    if shape < 1 { return gamma(shape + 1, from: first) * pow(max(uniform(), 1e-300), 1 / max(shape, 1e-3)) }
    let d = shape - 1.0 / 3
    let c = 1 / (9 * d).squareRoot()
    var next: Double? = first
    while true {
      let x = next ?? normal()
      next = nil
      let cube = 1 + c * x
      guard cube > 0 else { continue }
      let v = cube * cube * cube
      let u = 1 - uniform()
      // The paper's squeeze: what it takes, the exact condition takes too, and nearly all without logarithms.
      if u < 1 - 0.0331 * x * x * x * x { return d * v }
      if log(u) < 0.5 * x * x + d - d * v + d * log(v) { return d * v }
    }
  }

  /// In [0, 1], of Beta(α, β).
  public mutating func beta(_ alpha: Double, _ beta: Double) -> Double {
    let (first, second) = twoNormals()
    let left = gamma(max(alpha, 1e-3), from: first)
    let right = gamma(max(beta, 1e-3), from: second)
    return left + right > 0 ? left / (left + right) : 0.5
  }
}
