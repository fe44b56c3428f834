import Foundation
import Ranking
import RankingJudgement
import Testing

@testable import RankingEvaluation

@Suite struct MeasureTests {
  @Test func aHitCountsByItsPlace() {
    var sums = RankSums()
    for place in [0, 2, 19, 20, 99, 100, .max] { sums.add(place: place) }
    #expect(sums.cases == 7)
    #expect(sums.hits20 == 3)
    #expect(sums.hits100 == 5)
    #expect(abs(sums.gain20 - (1 + 0.5 + 0.2276702)) < 1e-5)
  }

  @Test func thePlaceIsAmongWhatIsUnseenAndTiesCountHalf() {
    let scores: [Float] = [5, 4, 3, 3, 3, 1]
    #expect(Prequential.place(of: 2, in: scores, without: []) == 3)
    #expect(Prequential.place(of: 2, in: scores, without: [0, 1]) == 1)
    #expect(Prequential.place(of: 5, in: scores, without: [3]) == 4)
  }

  @Test func areaUnderTheCurveCountsPairs() {
    let labels = [true, false, true, false]
    #expect(ProbabilityMeasures.auc([0.9, 0.1, 0.8, 0.2], labels) == 1)
    #expect(ProbabilityMeasures.auc([0.5, 0.5, 0.5, 0.5], labels) == 0.5)
    #expect(ProbabilityMeasures.auc([0.3, 0.2, 0.1, 0.4], labels) == 0.25)
    #expect(ProbabilityMeasures.auc([0.3], [true]) == nil)
    let grouped = ProbabilityMeasures.groupedAUC(
      [0.9, 0.1, 0.2, 0.8, 0.5], [true, false, true, false, true], groups: [1, 1, 2, 2, 3])
    #expect(grouped == 0.5)
  }

  @Test func calibrationFindsTheSlopeByWhichLogitsAreWrong() {
    var generator = SeededGenerator(seed: 3)
    var probabilities: [Float] = []
    var labels: [Bool] = []
    for _ in 0..<40_000 {
      let logit = generator.normal()
      labels.append(generator.uniform() < 1 / (1 + exp(-logit)))
      // Twice as sure as is right.
      probabilities.append(Float(1 / (1 + exp(-2 * logit))))
    }
    let (slope, intercept) = ProbabilityMeasures.calibration(probabilities, labels)
    #expect(abs(slope - 0.5) < 0.02 && abs(intercept) < 0.03)
  }

  @Test func anIntervalHoldsTheMeanOfManyViewers() {
    var generator = SeededGenerator(seed: 4)
    let viewers = (0..<400).map { _ in
      var sums = RankSums()
      for _ in 0..<5 { sums.add(place: generator.uniform() < 0.2 ? 0 : 50) }
      return sums
    }
    let (low, high) = Bootstrap.interval(viewers, of: \.hitRate20)
    #expect(low < 0.2 && 0.2 < high && high - low < 0.06)
  }
}
