public import CoreTypes
internal import Foundation

/// Draws from the distributions that the model is made of. All randomness of a simulation comes from
/// `SeededGenerator`s, one for each thing that varies, so that a change in one (another policy, another
/// link) leaves what the others draw as it was.
extension SeededGenerator {
  /// A generator of its own for each thing that varies: `stream` names it.
  public init(seed: UInt64, stream: UInt64) {
    var mixer = SeededGenerator(seed: seed ^ (stream &* 0xD134_2543_DE82_EF95))
    self.init(seed: mixer.next())
  }

  /// In `0 ..< 1`, of 53 bits.
  mutating func uniform() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * uniform()
  }

  mutating func happens(_ probability: Double) -> Bool { uniform() < probability }

  /// Mean 0, deviation 1 (Box and Muller, 1958).
  mutating func normal() -> Double {
    let radius = (-2 * log(1 - uniform())).squareRoot()
    return radius * cos(2 * .pi * uniform())
  }

  /// `spread` is the deviation of the logarithm.
  mutating func logNormal(median: Double, spread: Double) -> Double {
    median * exp(spread * normal())
  }

  mutating func exponential(mean: Double) -> Double { -mean * log(1 - uniform()) }

  /// Index of one of the weights, as likely as it is heavy.
  mutating func pick(_ weights: [Double]) -> Int {
    var left = uniform() * weights.reduce(0, +)
    for (index, weight) in weights.enumerated() {
      left -= weight
      if left < 0 { return index }
    }
    return weights.count - 1
  }
}
