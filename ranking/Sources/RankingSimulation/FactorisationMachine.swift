internal import Foundation
internal import Ranking

/// Rendle: "Factorization machines", ICDM 2010: a bias, a weight for each feature, and a vector for each, of
/// which the products of all pairs count. All features here are names of something: a viewer, a clip, a tag.
/// Learned by AdaGrad on the logistic loss.
struct FactorisationMachine {
  private let dimensions: Int
  private let rate: Float
  private let regularisation: Float
  private var generator: SeededGenerator
  private var bias: Float = 0
  private var weights: [Float] = []
  private var vectors: [Float] = []
  private var squares: [Float] = []
  private var sums: [Float]

  init(dimensions: Int, rate: Float = 0.05, regularisation: Float = 1e-4, seed: UInt64) {
    self.dimensions = dimensions
    self.rate = rate
    self.regularisation = regularisation
    generator = SeededGenerator(seed: seed)
    sums = [Float](repeating: 0, count: dimensions)
  }

  /// Room for so many features; new ones begin at almost nothing.
  mutating func grow(to features: Int) {
    while weights.count < features {
      weights.append(0)
      for _ in 0..<dimensions { vectors.append(Float(generator.normal()) * 0.01) }
      for _ in 0...dimensions { squares.append(0.1) }
    }
  }

  /// The logit; features that are not there count for nothing.
  mutating func score(_ features: [Int]) -> Float {
    var sum = bias
    var squared: Float = 0
    for place in 0..<dimensions { sums[place] = 0 }
    for feature in features where feature < weights.count {
      sum += weights[feature]
      let start = feature * dimensions
      for place in 0..<dimensions {
        let value = vectors[start + place]
        sums[place] += value
        squared += value * value
      }
    }
    var all: Float = 0
    for place in 0..<dimensions { all += sums[place] * sums[place] }
    return sum + 0.5 * (all - squared)
  }

  mutating func learn(_ features: [Int], _ label: Bool) {
    let logit = min(max(score(features), -30), 30)
    let error = 1 / (1 + exp(-logit)) - (label ? 1 : 0)
    bias -= 0.01 * error
    for feature in features where feature < weights.count {
      let state = feature * (dimensions + 1)
      weights[feature] -= step(error + regularisation * weights[feature], state)
      let start = feature * dimensions
      for place in 0..<dimensions {
        let value = vectors[start + place]
        let gradient = error * (sums[place] - value) + regularisation * value
        vectors[start + place] -= step(gradient, state + 1 + place)
      }
    }
  }

  private mutating func step(_ gradient: Float, _ place: Int) -> Float {
    squares[place] += gradient * gradient
    return rate * gradient / squares[place].squareRoot()
  }
}
