internal import CoreTypes
internal import Foundation

/// Looks for the numbers with the highest value: separable CMA-ES (Ros and Hansen, "A Simple Modification in
/// CMA-ES Achieving Linear Time and Space Complexity", 2008), which learns a step for each number and no
/// correlations.
///
/// Ask for candidates, tell what each is worth, and again. All chance comes from the seed.
public struct EvolutionStrategy: Sendable {
  public private(set) var mean: [Double]
  public private(set) var step: Double
  public let population: Int
  private var variances: [Double]
  private var path: [Double]
  private var stepPath: [Double]
  private var candidates: [[Double]] = []
  private let weights: [Double]
  private let effective: Double
  private var generations = 0
  private var chance: SeededGenerator

  public init(start: [Double], step: Double, population: Int, seed: UInt64) {
    mean = start
    self.step = step
    self.population = population
    variances = Array(repeating: 1, count: start.count)
    path = Array(repeating: 0, count: start.count)
    stepPath = path
    let raw = (0..<population / 2).map { log(Double(population) / 2 + 0.5) - log(Double($0 + 1)) }
    let sum = raw.reduce(0, +)
    weights = raw.map { $0 / sum }
    effective = 1 / weights.reduce(0) { $0 + $1 * $1 }
    chance = SeededGenerator(seed: seed, stream: 0x636D_6165_7300)
  }

  /// The next generation.
  public mutating func ask() -> [[Double]] {
    candidates = (0..<population).map { _ in
      mean.indices.map { mean[$0] + step * variances[$0].squareRoot() * chance.normal() }
    }
    return candidates
  }

  /// What each of the candidates is worth, in their order.
  public mutating func tell(_ values: [Double]) {
    generations += 1
    let size = Double(mean.count)
    let order = values.indices.sorted { values[$0] > values[$1] }.prefix(weights.count)
    let stepRate = (effective + 2) / (size + effective + 3)
    let pathRate = 4 / (size + 4)
    let expected = size.squareRoot() * (1 - 1 / (4 * size) + 1 / (21 * size * size))
    let damping = 1 + stepRate + 2 * max(0, ((effective - 1) / (size + 1)).squareRoot() - 1)
    let rankOne = 2 / ((size + 1.3) * (size + 1.3) + effective) * (size + 2) / 3
    let rankAll =
      min(
        1 - rankOne,
        2 * (effective - 2 + 1 / effective) / ((size + 2) * (size + 2) + effective) * (size + 2) / 3)
    var moves = [Double](repeating: 0, count: mean.count)
    var squares = moves
    for (weight, index) in zip(weights, order) {
      for place in mean.indices {
        let move = (candidates[index][place] - mean[place]) / step
        moves[place] += weight * move
        squares[place] += weight * move * move
      }
    }
    var length = 0.0
    for place in mean.indices {
      mean[place] += step * moves[place]
      stepPath[place] =
        (1 - stepRate) * stepPath[place]
        + (stepRate * (2 - stepRate) * effective).squareRoot() * moves[place] / variances[place].squareRoot()
      length += stepPath[place] * stepPath[place]
    }
    length = length.squareRoot()
    let isSteady =
      length / (1 - pow(1 - stepRate, 2 * Double(generations))).squareRoot() < (1.4 + 2 / (size + 1))
      * expected
    for place in mean.indices {
      path[place] =
        (1 - pathRate) * path[place]
        + (isSteady ? (pathRate * (2 - pathRate) * effective).squareRoot() * moves[place] : 0)
      variances[place] =
        (1 - rankOne - rankAll) * variances[place] + rankOne * path[place] * path[place] + rankAll
        * squares[place]
    }
    step *= exp(stepRate / damping * (length / expected - 1))
  }
}
