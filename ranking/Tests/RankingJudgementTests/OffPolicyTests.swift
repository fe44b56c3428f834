import Foundation
import Ranking
import RankingJudgement
import Testing

/// Logs of viewers of two kinds who were shown one of four clips by chance, and another policy whose value is
/// known exactly.
private struct SimulatedLog {
  static let clips = 4
  /// By kind of viewer, then by clip: the chance of a positive.
  static let rates = [[0.1, 0.3, 0.5, 0.2], [0.6, 0.2, 0.1, 0.3]]
  static let logging = [[0.25, 0.25, 0.25, 0.25], [0.1, 0.2, 0.3, 0.4]]
  static let target = [[0.1, 0.2, 0.6, 0.1], [0.7, 0.1, 0.1, 0.1]]

  static var truth: Double {
    let values = (0..<2).map { kind in (0..<clips).reduce(0) { $0 + target[kind][$1] * rates[kind][$1] } }
    return (values[0] + values[1]) / 2
  }

  /// - Parameter model: what is said of the chance of a positive, by kind and clip.
  static func choices(
    viewers: Int, seed: UInt64, model: [[Double]] = [[0, 0, 0, 0], [0, 0, 0, 0]]
  ) -> [LoggedChoice] {
    var generator = SeededGenerator(seed: seed)
    var choices: [LoggedChoice] = []
    for viewer in 0..<viewers {
      let kind = generator.below(2)
      let value = (0..<clips).reduce(0) { $0 + target[kind][$1] * model[kind][$1] }
      // As many for each kind, or the truth would be another mean.
      for _ in 0..<(1 + generator.below(6)) {
        let clip = draw(logging[kind], by: &generator)
        choices.append(
          LoggedChoice(
            viewer: EntityID(UInt64(viewer)), propensity: logging[kind][clip],
            targetProbability: target[kind][clip],
            reward: generator.uniform() < rates[kind][clip] ? 1 : 0,
            predictedReward: model[kind][clip], predictedValue: value))
      }
    }
    return choices
  }

  private static func draw(_ shares: [Double], by generator: inout SeededGenerator) -> Int {
    var left = generator.uniform()
    for (place, share) in shares.enumerated() {
      left -= share
      if left < 0 { return place }
    }
    return shares.count - 1
  }
}

@Suite struct OffPolicyTests {
  private typealias Log = SimulatedLog

  @Test func allEstimatesComeToTheTruthOfAPolicyThatWasNeverRun() {
    let model = Log.rates.map { $0.map { $0 * 0.8 + 0.05 } }
    let estimates = OffPolicyEstimates(Log.choices(viewers: 20_000, seed: 3, model: model), rounds: 20)
    for estimate in [estimates.inversePropensity, estimates.selfNormalised, estimates.doublyRobust] {
      #expect(abs(estimate.value - Log.truth) < 0.01)
    }
    // What was logged is another figure altogether.
    #expect(abs(estimates.logged.value - Log.truth) > 0.1)
    #expect(estimates.refused == 0 && estimates.cut == 0 && estimates.cases > 60_000)
  }

  @Test func intervalsHoldTheTruthInNinetyFiveOfAHundredLogs() {
    let logs = 240
    var held = [0, 0, 0]
    for log in 0..<logs {
      let choices = Log.choices(viewers: 120, seed: 1_000 + UInt64(log), model: Log.rates)
      let estimates = OffPolicyEstimates(choices, rounds: 200, seed: UInt64(log))
      let all = [estimates.inversePropensity, estimates.selfNormalised, estimates.doublyRobust]
      for place in 0..<3 where all[place].contains(Log.truth) { held[place] += 1 }
    }
    // Within some two and a half standard errors of .95, for so many logs.
    for count in held { #expect(abs(Double(count) / Double(logs) - 0.95) < 0.036) }
  }

  @Test func aModelThatIsRightMakesTheDoublyRobustEstimateNarrow() {
    let width = { (estimate: Estimate) in estimate.high - estimate.low }
    let estimates = OffPolicyEstimates(Log.choices(viewers: 2_000, seed: 4, model: Log.rates), rounds: 200)
    #expect(width(estimates.doublyRobust) < 0.9 * width(estimates.inversePropensity))
    #expect(width(estimates.selfNormalised) < width(estimates.inversePropensity))
  }

  @Test func itIsRightWherePropensitiesAreWrongAndTheModelIsNot() {
    let choices = Log.choices(viewers: 20_000, seed: 5, model: Log.rates).map { choice in
      var choice = choice
      choice.propensity = min(choice.propensity * 2, 1)
      return choice
    }
    let estimates = OffPolicyEstimates(choices, rounds: 10)
    #expect(abs(estimates.doublyRobust.value - Log.truth) < 0.01)
    #expect(abs(estimates.inversePropensity.value - Log.truth) > 0.1)
  }

  @Test func theLoggingPolicyIsWorthWhatWasLogged() {
    let choices = Log.choices(viewers: 300, seed: 6).map { choice in
      var choice = choice
      choice.targetProbability = choice.propensity
      return choice
    }
    let estimates = OffPolicyEstimates(choices, rounds: 50)
    #expect(abs(estimates.inversePropensity.value - estimates.logged.value) < 1e-9)
    #expect(abs(estimates.effectiveCases - Double(estimates.cases)) < 1e-6)
  }

  @Test func cutWeightsAreCountedAndMakeItLow() {
    let choices = Log.choices(viewers: 5_000, seed: 7)
    let whole = OffPolicyEstimates(choices, rounds: 10)
    let cut = OffPolicyEstimates(choices, largestWeight: 2, rounds: 10)
    #expect(cut.cut > 0 && whole.cut == 0)
    #expect(cut.inversePropensity.value < whole.inversePropensity.value)
    #expect(cut.effectiveCases > whole.effectiveCases)
  }

  @Test func aDifferenceIsThatOfTheEstimatesWithANarrowerInterval() {
    let better = Log.choices(viewers: 2_000, seed: 9)
    let same = OffPolicyEstimates.difference(of: better, from: better, rounds: 100)
    #expect(same == Estimate(value: 0, low: 0, high: 0))
    let other = better.map { choice in
      var choice = choice
      choice.targetProbability = choice.propensity
      return choice
    }
    let difference = OffPolicyEstimates.difference(of: better, from: other, rounds: 200)
    let (one, two) = (OffPolicyEstimates(better, rounds: 200), OffPolicyEstimates(other, rounds: 200))
    #expect(abs(difference.value - (one.doublyRobust.value - two.doublyRobust.value)) < 1e-9)
    #expect(difference.contains(difference.value))
  }

  @Test func whatALogCannotMeanIsRefused() {
    var choices = Log.choices(viewers: 10, seed: 8)
    let sound = choices.count
    for (place, value) in [0, -1, 2, Double.nan, .infinity].enumerated() {
      var choice = choices[place]
      choice.propensity = value
      choices.append(choice)
    }
    var choice = choices[0]
    choice.reward = .nan
    choices.append(choice)
    choice = choices[0]
    choice.targetProbability = 1.5
    choices.append(choice)
    let estimates = OffPolicyEstimates(choices, rounds: 10)
    #expect(estimates.cases == sound && estimates.refused == 7)
    let nothing = OffPolicyEstimates([LoggedChoice](), rounds: 10)
    #expect(nothing.cases == 0 && nothing.inversePropensity.value == 0)
  }
}
