import Foundation
import Ranking
import RankingJudgement
import Testing

@Suite struct ExperimentTests {
  /// Viewers who each make some visits; those of a good mood watch long in all of them.
  private static func arm(viewers: Int, lift: Double, seed: UInt64) -> RatioOverViewers {
    var generator = SeededGenerator(seed: seed)
    var figures = RatioOverViewers()
    for _ in 0..<viewers {
      let mood = 40 + 20 * generator.normal()
      let visits = 1 + generator.below(8)
      var watched = 0.0
      for _ in 0..<visits { watched += mood + lift + 15 * generator.normal() }
      figures.add(watched, by: Double(visits))
    }
    return figures
  }

  @Test func intervalsOfADifferenceHoldTheTruthInNinetyFiveOfAHundredExperiments() {
    let rounds = 1_000
    var held = 0
    var nothing = 0
    for round in 0..<UInt64(rounds) {
      let control = Self.arm(viewers: 100, lift: 0, seed: round * 2)
      let treatment = Self.arm(viewers: 100, lift: 4, seed: round * 2 + 1)
      if RatioOverViewers.difference(treatment, from: control).contains(4) { held += 1 }
      // The same setting twice: is it said that there is no difference?
      let same = Self.arm(viewers: 100, lift: 0, seed: round + 1_000_000)
      if RatioOverViewers.difference(same, from: control).contains(0) { nothing += 1 }
    }
    for count in [held, nothing] { #expect(abs(Double(count) / Double(rounds) - 0.95) < 0.02) }
  }

  @Test func visitsOfOneViewerAreNotIndependent() {
    let figures = Self.arm(viewers: 400, lift: 0, seed: 1)
    // As if every visit were another person's: some 25 s of deviation over 1,800 visits.
    let naive = 25 / 1_800.0.squareRoot()
    #expect(figures.variance.squareRoot() > 1.4 * naive)
  }

  @Test func aShareOfTheControlIsTheQuotientLessOne() {
    let (control, treatment) = (
      Self.arm(viewers: 3_000, lift: 0, seed: 5), Self.arm(viewers: 3_000, lift: 4, seed: 6)
    )
    let relative = RatioOverViewers.relativeDifference(treatment, from: control)
    #expect(abs(relative.value - (treatment.ratio / control.ratio - 1)) < 1e-12)
    #expect(relative.contains(0.1) && relative.low > 0)
    #expect(RatioOverViewers.relativeDifference(control, from: RatioOverViewers()).high == .infinity)
  }

  @Test func partsOfALogAddUp() {
    var parts = Self.arm(viewers: 50, lift: 0, seed: 7)
    let other = Self.arm(viewers: 70, lift: 3, seed: 8)
    parts.add(other)
    #expect(parts.viewers == 120)
    var generator = RatioOverViewers()
    for value in [1.0, 2, 3] { generator.add(value, by: 1) }
    // Of ones below the line it is the variance of a mean.
    #expect(abs(generator.variance - 1.0 / 3) < 1e-12 && generator.ratio == 2)
    generator.add(.nan, by: 1)
    generator.add(1, by: .infinity)
    #expect(generator.viewers == 3)
    #expect(RatioOverViewers().estimate == Estimate(value: 0, low: 0, high: 0))
  }

  @Test func armsAreOfTheShareThatWasAskedForAndStay() {
    let experiment = Experiment(name: "blend", share: 0.1)
    let viewers = (0..<20_000).map { EntityID(high: UInt64($0) &* 0x9E37_79B9, low: UInt64($0)) }
    let treated = viewers.filter { experiment.arm(of: $0) == .treatment }
    let control = viewers.filter { experiment.arm(of: $0) == .control }
    #expect(abs(treated.count - 2_000) < 150 && abs(control.count - 2_000) < 150)
    let again = Experiment(name: "blend", share: 0.1)
    #expect(viewers.allSatisfy { again.arm(of: $0) == experiment.arm(of: $0) })
    // Those of another experiment are others.
    let other = Experiment(name: "worth", share: 0.1)
    #expect(abs(treated.count { other.arm(of: $0) == .treatment } - 200) < 60)
    for share in [0, -1, Double.nan] {
      #expect(viewers.prefix(500).allSatisfy { Experiment(name: "x", share: share).arm(of: $0) == nil })
    }
    let all = Experiment(name: "x", share: 9)
    #expect(viewers.prefix(500).allSatisfy { all.arm(of: $0) != nil })
  }

  @Test func lostViewersAreNoticed() {
    #expect(RatioOverViewers.sampleRatioMismatch(5_000, 5_000) == 1)
    #expect(RatioOverViewers.sampleRatioMismatch(5_000, 5_080) > 0.3)
    #expect(RatioOverViewers.sampleRatioMismatch(5_000, 5_600) < 1e-6)
    #expect(RatioOverViewers.sampleRatioMismatch(0, 0) == 1)
    // From a table: 1.96 deviations are one in twenty.
    #expect(abs(RatioOverViewers.sampleRatioMismatch(5_098, 4_902) - 0.05) < 0.001)
  }
}
