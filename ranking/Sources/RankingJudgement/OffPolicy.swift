public import Ranking

/// What was shown at a place that was given by chance, what came of it, and what another policy would have
/// done there.
public struct LoggedChoice: Sendable, Equatable {
  public var viewer: EntityID
  /// How likely the clip was to be chosen there, above 0 and at most 1. At a uniform place: one by the clips
  /// that could be drawn, which is `RankedClip.propensity` by the share of uniform places.
  public var propensity: Double
  /// How likely the other policy would have chosen the same clip there, 0 to 1.
  public var targetProbability: Double
  /// What came of it: watched seconds, or 1 for a positive.
  public var reward: Double
  /// What a model expects of the clip that was shown; 0 without one.
  public var predictedReward: Double
  /// What the model expects of the other policy's choice there: the sum over its clips of probability times
  /// expected reward; 0 without a model.
  public var predictedValue: Double

  public init(
    viewer: EntityID, propensity: Double, targetProbability: Double, reward: Double,
    predictedReward: Double = 0, predictedValue: Double = 0
  ) {
    self.viewer = viewer
    self.propensity = propensity
    self.targetProbability = targetProbability
    self.reward = reward
    self.predictedReward = predictedReward
    self.predictedValue = predictedValue
  }

  /// Of the doubly robust estimate, without a cut.
  var corrected: Double {
    predictedValue + targetProbability / propensity * (reward - predictedReward)
  }

  /// Whether it can be counted: what a log says is not to be trusted blindly.
  var isSound: Bool {
    propensity > 0 && propensity <= 1 && targetProbability >= 0 && targetProbability <= 1
      && [reward, predictedReward, predictedValue].allSatisfy { $0.isFinite && abs($0) < 1e12 }
  }
}

/// What another policy would have brought, from places where chance chose.
///
/// - Inverse propensity scoring: Horvitz, Thompson, "A generalization of sampling without replacement from a
///   finite universe" (1952). Right in the mean, and of large variance where choices seldom agree.
/// - Self-normalised: Swaminathan, Joachims, "The self-normalized estimator for counterfactual learning"
///   (NIPS 2015). A little off for few cases, of much smaller variance.
/// - Doubly robust: Dudík, Langford, Li, "Doubly robust policy evaluation and learning" (ICML 2011). Right if
///   either the propensities are or the model is.
///
/// Weights may be cut (Ionides, "Truncated importance sampling", 2008), which makes estimates low rather
/// than wild. Intervals are over viewers. It judges; it decides nothing, and knows no log.
public struct OffPolicyEstimates: Sendable, Equatable {
  /// Choices that were counted, and those whose numbers cannot be.
  public let cases: Int
  public let refused: Int
  /// How many equal weights would say as much: (Σw)² / Σw² (Kish 1965). Below some thirty believe nothing.
  public let effectiveCases: Double
  /// Choices whose weight was cut.
  public let cut: Int
  /// What was had at these places, on average.
  public let logged: Estimate
  public let inversePropensity: Estimate
  public let selfNormalised: Estimate
  public let doublyRobust: Estimate

  /// - Parameters:
  ///   - largestWeight: what a weight (target by propensity) is cut to.
  ///   - rounds, seed: as in `Bootstrap`.
  public init(
    _ choices: some Sequence<LoggedChoice>, largestWeight: Double = .infinity, rounds: Int = 500,
    seed: UInt64 = 1
  ) {
    var byViewer: [EntityID: Sums] = [:]
    var (cases, refused, cut) = (0, 0, 0)
    for choice in choices {
      guard choice.isSound else {
        refused += 1
        continue
      }
      cases += 1
      let weight = choice.targetProbability / choice.propensity
      if weight > largestWeight { cut += 1 }
      byViewer[choice.viewer, default: Sums()].add(choice, weight: min(weight, largestWeight))
    }
    let viewers = byViewer.sorted { $0.key < $1.key }.map(\.value)
    let all = viewers.reduce(into: Sums()) { $0.add($1) }
    self.cases = cases
    self.refused = refused
    self.cut = cut
    effectiveCases = all.squares > 0 ? all.weights * all.weights / all.squares : 0
    let estimates = Bootstrap.estimates(
      viewers, rounds: rounds, seed: seed,
      of: [\.logged, \.inversePropensity, \.selfNormalised, \.doublyRobust])
    logged = estimates[0]
    inversePropensity = estimates[1]
    selfNormalised = estimates[2]
    doublyRobust = estimates[3]
  }

  /// What one policy would have brought more than another at the same places, doubly robust: of less variance
  /// than two estimates beside each other, since what both would have done alike falls out.
  ///
  /// - Parameter choices, others: of the same places in the same order.
  public static func difference(
    of choices: [LoggedChoice], from others: [LoggedChoice], rounds: Int = 500, seed: UInt64 = 1
  ) -> Estimate {
    var byViewer: [EntityID: Difference] = [:]
    for (one, other) in zip(choices, others) where one.isSound && other.isSound {
      byViewer[one.viewer, default: Difference()].add(
        Difference(cases: 1, sum: one.corrected - other.corrected))
    }
    return Bootstrap.estimates(
      byViewer.sorted { $0.key < $1.key }.map(\.value), rounds: rounds, seed: seed, of: [\.mean])[0]
  }

  private struct Difference: ViewerSums {
    var cases = 0.0
    var sum = 0.0

    mutating func add(_ other: Self) {
      cases += other.cases
      sum += other.sum
    }

    var mean: Double { sum / max(cases, 1) }
  }

  private struct Sums: ViewerSums {
    var cases = 0.0
    var rewards = 0.0
    var weights = 0.0
    var squares = 0.0
    var weightedRewards = 0.0
    var corrected = 0.0

    mutating func add(_ choice: LoggedChoice, weight: Double) {
      cases += 1
      rewards += choice.reward
      weights += weight
      squares += weight * weight
      weightedRewards += weight * choice.reward
      corrected += choice.predictedValue + weight * (choice.reward - choice.predictedReward)
    }

    mutating func add(_ other: Self) {
      cases += other.cases
      rewards += other.rewards
      weights += other.weights
      squares += other.squares
      weightedRewards += other.weightedRewards
      corrected += other.corrected
    }

    var logged: Double { rewards / max(cases, 1) }
    var inversePropensity: Double { weightedRewards / max(cases, 1) }
    var selfNormalised: Double { weights > 0 ? weightedRewards / weights : 0 }
    var doublyRobust: Double { corrected / max(cases, 1) }
  }
}
