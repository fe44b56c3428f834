import Testing

@testable import Ranking

@Suite struct StreamTests {
  private static let day: Int64 = 86_400_000

  @Test func aWeightHalvesInItsTimeAndSurvivesAnyClock() {
    var popularity = DecayedPopularity(halfLife: Self.day, at: 0)
    popularity.observe(3, weight: 8, at: 0)
    popularity.advance(to: Self.day)
    #expect(abs(popularity.value(of: 3) - 4) < 1e-4)
    // Forty half-lives, one after the other: far beyond what a float's exponent holds without a new landmark.
    for day in 2...40 { popularity.advance(to: Int64(day) * Self.day) }
    popularity.observe(4, weight: 1, at: 40 * Self.day)
    #expect(abs(popularity.value(of: 4) - 1) < 1e-4)
    #expect(popularity.value(of: 3) < 1e-6)
    for time: Int64 in [.max, .min, 0, -1, .max - 1] {
      popularity.observe(5, weight: 1, at: time)
      #expect(popularity.value(of: 5).isFinite)
    }
    #expect(popularity.value(of: 5) > 0)
  }

  @Test func leadersAreThoseWithTheLargestSums() {
    var generator = SeededGenerator(seed: 5)
    var popularity = DecayedPopularity(halfLife: Self.day, at: 0)
    for event in 0..<20_000 {
      // Small numbers come more often.
      let clip = UInt32(min(generator.below(2_000), generator.below(2_000)))
      popularity.observe(clip, weight: 1, at: Int64(event) * 10_000)
    }
    let sums = popularity.sums
    let bound = sums.sorted(by: >)[DecayedPopularity.leaders - 1]
    #expect(popularity.leading.count == DecayedPopularity.leaders)
    #expect(popularity.leading.allSatisfy { sums[Int($0)] >= bound })
  }

  @Test func coWatchIsNormalisedByBothDegrees() {
    var settings = CoWatch.Settings()
    settings.shrinkage = 0
    var coWatch = CoWatch(settings: settings, at: 0)
    // Clip 0 is liked by all four, clips 1 and 2 by two each.
    for viewer in 0..<4 {
      coWatch.observe(0, after: [UInt32](), weight: 1, at: 0)
      coWatch.observe(viewer < 2 ? 1 : 2, after: [0], weight: 1, at: 0)
    }
    #expect(abs(coWatch.similarity(0, 1) - 2 / Float(8).squareRoot()) < 1e-5)
    #expect(coWatch.similarity(0, 1) == coWatch.similarity(1, 0))
    #expect(coWatch.similarity(1, 2) == 0)
    // All fade alike: what is normalised stays, but for what shrinks it.
    coWatch.observe(9, after: [UInt32](), weight: 1, at: settings.halfLife * 40)
    #expect(abs(coWatch.similarity(0, 1) - 2 / Float(8).squareRoot()) < 1e-3 || coWatch.degree(of: 0) < 1e-6)
  }

  @Test func aClipThatEverybodyLikesDoesNotFillTheMemory() {
    var table = NeighbourTable()
    for clip in 0..<UInt32(10_000) { table.add(clip, weight: Float(clip), limit: 100) }
    #expect(table.count <= 100)
    #expect(table.places.count <= 256)
    #expect(table.weight(of: 9_999) == 9_999)
    #expect(table.weight(of: 0) == 0)
  }

  @Test func scoresOfAHistoryAreTheSumsOfItsSimilarities() {
    var generator = SeededGenerator(seed: 3)
    var coWatch = CoWatch(settings: .init(), at: 0)
    for _ in 0..<300 {
      let history = Set((0..<4).map { _ in UInt32(generator.below(40)) }).sorted()
      for place in history.indices.dropFirst() {
        coWatch.observe(history[place], after: history[..<place], weight: 1, at: 0)
      }
    }
    var scores = SparseScores()
    scores.begin(count: 40)
    coWatch.score([1, 2], weights: [1, 0.5], into: &scores)
    for clip in UInt32(0)..<40 {
      let wanted = coWatch.similarity(1, clip) + 0.5 * coWatch.similarity(2, clip)
      #expect(abs(scores[clip] - wanted) < 1e-5)
    }
  }

  @Test func quantilesAreWithinTheirRelativeError() {
    var generator = SeededGenerator(seed: 7)
    var sketch = QuantileSketch()
    var values: [Double] = []
    for _ in 0..<20_000 {
      let value = 1 + 90_000 * generator.uniform() * generator.uniform()
      values.append(value)
      sketch.observe(value)
    }
    values.sort()
    for share in [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99] {
      let exact = values[Int((share * 20_000).rounded(.up)) - 1]
      #expect(abs(sketch.quantile(share)! - exact) <= exact * (QuantileSketch.accuracy + 1e-6))
      // The rank of a value lies between those of values that are so much smaller and larger.
      let rank = Double(sketch.rank(of: exact))
      let below = Double(values.count { $0 < exact * 0.96 }) / 20_000
      let above = Double(values.count { $0 <= exact * 1.041 }) / 20_000
      #expect(below - 1e-6 <= rank && rank <= above + 1e-6)
    }
  }

  @Test func strangeValuesAreCut() {
    var sketch = QuantileSketch()
    #expect(sketch.rank(of: 5) == 0.5)
    #expect(sketch.quantile(0.5) == nil)
    for value in [Double.nan, .infinity, -.infinity, -5, 0, 1e300] { sketch.observe(value, weight: .nan) }
    #expect(sketch.total == 0)
    for value in [Double.nan, .infinity, -.infinity, -5, 0, 1e300] { sketch.observe(value) }
    #expect(sketch.total == 6)
    #expect(sketch.quantile(1)! <= QuantileSketch.largest * 1.03)
  }

  @Test func theSameSecondsAreMoreInAShortClip() {
    var labels = WatchLabels()
    for seconds in 1...10 { _ = labels.observe(Int64(seconds) * 1_000, of: 10_000, weight: 1) }
    for seconds in 1...100 { _ = labels.observe(Int64(seconds) * 1_000, of: 100_000, weight: 1) }
    #expect(labels.observe(9_000, of: 10_000, weight: 1) > 0.7)
    #expect(labels.observe(9_000, of: 100_000, weight: 1) < 0.2)
    #expect(WatchLabels.isLongView(12_000, of: 12_000))
    #expect(!WatchLabels.isLongView(12_000, of: 60_000))
    #expect(WatchLabels.isLongView(18_000, of: 60_000))
    #expect(WatchLabels.isQuickSkip(1_999, of: 60_000))
    #expect(WatchLabels.bucket(of: 0) == 0 && WatchLabels.bucket(of: .max) == WatchLabels.buckets - 1)
  }
}
