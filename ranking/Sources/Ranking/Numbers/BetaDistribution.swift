internal import Foundation

/// Beta(α, β), to be drawn from again and again: what no draw changes is computed once.
public struct BetaDistribution: Sendable {
  private let left: GammaDistribution
  private let right: GammaDistribution

  /// Both are above 0; what is not is 0.001.
  public init(_ alpha: Double, _ beta: Double) {
    left = GammaDistribution(max(alpha, 1e-3))
    right = GammaDistribution(max(beta, 1e-3))
  }

  /// In [0, 1].
  public func draw(by generator: inout SeededGenerator) -> Double {
    let (first, second) = generator.twoNormals()
    let one = left.draw(by: &generator, from: first)
    let other = right.draw(by: &generator, from: second)
    return one + other > 0 ? one / (one + other) : 0.5
  }
}

/// Of a shape above 0 and scale 1: Marsaglia and Tsang, "A simple method for generating gamma variables",
/// 2000. Shapes below 1 by the theorem of its last section.
private struct GammaDistribution: Sendable {
  private let d: Double
  private let c: Double
  /// Of a uniform number that a draw of one shape more is multiplied by; nil: the shape is 1 or more.
  private let power: Double?

  init(_ shape: Double) {
    power = shape < 1 ? 1 / shape : nil
    d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3
    c = 1 / (9 * d).squareRoot()
  }

  /// - Parameter first: a normal number that nobody else uses, to begin with.
  @inline(__always)
  func draw(by generator: inout SeededGenerator, from first: Double) -> Double {
    let drawn = drawOfOneOrMore(by: &generator, from: first)
    guard let power else { return drawn }
    return drawn * pow(max(generator.uniform(), 1e-300), power)
  }

  @inline(__always)
  private func drawOfOneOrMore(by generator: inout SeededGenerator, from first: Double) -> Double {
    var x = first
    while true {
      let cube = 1 + c * x
      if cube > 0 {
        let v = cube * cube * cube
        let u = 1 - generator.uniform()
        // The paper's squeeze: what it takes the exact condition takes too, mostly without logarithms.
        if u < 1 - 0.0331 * x * x * x * x { return d * v }
        if log(u) < 0.5 * x * x + d - d * v + d * log(v) { return d * v }
      }
      x = generator.normal()
    }
  }
}
