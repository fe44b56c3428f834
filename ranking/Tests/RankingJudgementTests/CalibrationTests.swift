import Foundation
import Ranking
import Testing

@testable import RankingJudgement

@Suite struct CalibrationTests {
  /// Predictions that are right, or off by a factor.
  private static func calibration(factor: Double, seed: UInt64, count: Int = 20_000) -> ProgressiveCalibration
  {
    var generator = SeededGenerator(seed: seed)
    var calibration = ProgressiveCalibration(buckets: 10)
    for _ in 0..<count {
      let rate = generator.uniform()
      calibration.observe(min(rate * factor, 1), generator.uniform() < rate ? 1 : 0)
    }
    return calibration
  }

  @Test func probabilitiesThatAreRightHaveNoErrorAndThoseThatAreOffHaveTheirs() {
    #expect(Self.calibration(factor: 1, seed: 1).expectedError < 0.012)
    // Half of what is true, of rates that are .5 on average: off by a quarter.
    #expect(abs(Self.calibration(factor: 0.5, seed: 2).expectedError - 0.25) < 0.01)
  }

  @Test func bucketsHoldWhatWasSaidAndItsIntervalTheTruth() {
    let calibration = Self.calibration(factor: 1, seed: 3)
    for (place, bucket) in calibration.buckets.enumerated() {
      #expect(bucket.predicted >= Double(place) / 10 && bucket.predicted <= Double(place + 1) / 10)
    }
    let held = calibration.buckets.count { $0.interval.contains($0.predicted) }
    #expect(held >= 8)
  }

  @Test func measuresAreThoseOfTheirFormulas() {
    var calibration = ProgressiveCalibration(buckets: 2)
    calibration.observe(0.25, 0)
    calibration.observe(0.75, 1)
    calibration.observe(0.75, 0, weight: 2)
    #expect(calibration.weight == 4 && calibration.baseRate == 0.25)
    #expect(abs(calibration.brierScore - (0.0625 + 0.0625 + 2 * 0.5625) / 4) < 1e-12)
    #expect(abs(calibration.logLoss - (-2 * log(0.75) - 2 * log(0.25)) / 4) < 1e-12)
    // The lower bucket says .25 where nothing came, the upper .75 where a third did.
    #expect(abs(calibration.expectedError - (0.25 + 3 * (0.75 - 1.0 / 3)) / 4) < 1e-12)
  }

  @Test func whoKnowsTheBaseRateAloneHasANormalisedEntropyOfOne() {
    var calibration = ProgressiveCalibration()
    for event in 0..<1_000 { calibration.observe(0.2, event % 5 == 0 ? 1 : 0) }
    #expect(abs(calibration.normalisedEntropy - 1) < 1e-9)
    #expect(Self.calibration(factor: 1, seed: 5).normalisedEntropy < 0.8)
  }

  @Test func partsAddUpAndNonsenseIsLeftOut() {
    var whole = Self.calibration(factor: 1, seed: 6, count: 100)
    let part = Self.calibration(factor: 1, seed: 7, count: 50)
    whole.add(part)
    #expect(whole.weight == 150)
    whole.add(ProgressiveCalibration(buckets: 3))
    for (probability, label, weight) in [
      (Double.nan, 0.0, 1.0), (0.5, .nan, 1), (0.5, 1, .nan), (0.5, 1, -1),
    ] {
      whole.observe(probability, label, weight: weight)
    }
    #expect(whole.weight == 150)
    whole.observe(.infinity, -5)
    #expect(whole.weight == 151 && whole.logLoss.isFinite)
    #expect(ProgressiveCalibration().normalisedEntropy == 0)
    #expect(ProgressiveCalibration(buckets: -4).buckets.count == 2)
  }

  @Test func anIntervalOfNothingIsAllThatCanBe() {
    #expect(ProgressiveCalibration.Bucket().interval == Estimate(value: 0, low: 0, high: 1))
  }
}

/// A line through what came.
@Suite struct CalibrationLineTests {
  @Test func bucketsGiveTheLineThatCasesWouldAndOneAloneGivesNone() throws {
    var generator = SeededGenerator(seed: 8)
    var calibration = ProgressiveCalibration()
    for _ in 0..<40_000 {
      let logit = generator.normal()
      // Twice as sure as is right.
      calibration.observe(1 / (1 + exp(-2 * logit)), generator.uniform() < 1 / (1 + exp(-logit)) ? 1 : 0)
    }
    let line = try #require(calibration.line)
    #expect(abs(line.slope - 0.5) < 0.03 && abs(line.intercept) < 0.03)
    var one = ProgressiveCalibration()
    for _ in 0..<10 { one.observe(0.42, 1) }
    #expect(one.line == nil && ProgressiveCalibration().line == nil)
  }

  @Test func whatIsKeptElsewhereComesBackAndIsLookedAt() throws {
    var calibration = ProgressiveCalibration()
    for event in 0..<1_000 { calibration.observe(Double(event % 100) / 99, event % 3 == 0 ? 1 : 0) }
    let data = try JSONEncoder().encode(calibration)
    #expect(try JSONDecoder().decode(ProgressiveCalibration.self, from: data) == calibration)
    #expect(calibration.isSound && ProgressiveCalibration().isSound)
    let text = String(decoding: data, as: UTF8.self)
    for (what, instead) in [("\"weight\":", "\"weight\":-"), ("\"labels\":", "\"labels\":9")] {
      let changed = Data(text.replacing(what, with: instead).utf8)
      #expect(changed != data)
      #expect(try !JSONDecoder().decode(ProgressiveCalibration.self, from: changed).isSound, "\(what)")
    }
  }
}
