import Testing

@testable import Ranking

@Suite struct LogisticTests {
  private static func settings(bits: Int = 10) -> LogisticModel.Settings {
    var settings = LogisticModel.Settings()
    settings.bits = bits
    return settings
  }

  @Test func learnsProbabilitiesOfEachHeadByItself() {
    var model = LogisticModel(denseCount: 1, settings: Self.settings())
    var generator = SeededGenerator(seed: 1)
    let (often, seldom) = (StableHash.of("often"), StableHash.of("seldom"))
    for _ in 0..<20_000 {
      let isOften = generator.uniform() < 0.5
      var features = Features(dense: [1])
      features.append(cross: isOften ? often : seldom)
      let isPositive = generator.uniform() < (isOften ? 0.8 : 0.2)
      model.learn(features, labels: [.positive: isPositive ? 1 : 0, .skip: isPositive ? 0 : 1, .watch: 0.25])
    }
    var features = Features(dense: [1])
    features.append(cross: often)
    let probabilities = model.predict(features)
    #expect(abs(probabilities[Head.positive.rawValue] - 0.8) < 0.04)
    #expect(abs(probabilities[Head.skip.rawValue] - 0.2) < 0.04)
    #expect(abs(probabilities[Head.watch.rawValue] - 0.25) < 0.02)
    // Nobody told it anything of this one.
    #expect(probabilities[Head.action.rawValue] == 0.5)
  }

  @Test func noNumberSpreads() {
    var model = LogisticModel(denseCount: 3, settings: Self.settings())
    var features = Features()
    for value in [Double.nan, .infinity, -1e300] { features.append(value) }
    features.append(cross: .max)
    for label in [Float.nan, .infinity, -.infinity, 7] {
      model.learn(features, labels: [.positive: label, .watch: label], weight: .infinity)
      model.learn(features, labels: [.positive: label], weight: .nan)
    }
    #expect((0..<4).allSatisfy { model.predict(features)[$0].isFinite })
    #expect(
      (model.dense + model.crosses + model.denseSquares + model.crossSquares).allSatisfy { $0.isFinite })
  }

  @Test func whoIsNotTrustedTeachesNothing() {
    let start = LogisticModel(denseCount: 1, settings: Self.settings())
    var model = start
    model.learn(Features(dense: [1], crosses: [3]), labels: [.positive: 1], weight: 0)
    #expect(model == start)
  }

  @Test func forgottenCrossesAreAsTheyWere() {
    let start = LogisticModel(denseCount: 0, settings: Self.settings())
    var model = start
    let hash = StableHash.of("viewer")
    var features = Features()
    features.append(cross: hash)
    model.learn(features, labels: [.positive: 1])
    #expect(model != start)
    model.forget([hash])
    #expect(model == start)
  }

  @Test func ratesKeepTheirRatioWhereCountsAreHalved() {
    var rates = Rates()
    let outcome = Labels(.like)
    for _ in 0..<10 { rates.add(outcome, weight: 300_000) }
    #expect(rates.impressions < 1_500_000)
    #expect(rates.positives == rates.impressions)
  }

  @Test func aMapKeepsWhatIsMetMost() {
    var map = RateMap()
    for round in 0..<1_000 {
      map.add(7, isPositive: true, weight: 1)
      map.add(UInt64(1_000 + round), isPositive: false, weight: 1)
    }
    #expect(map.entries.count == RateMap.limit)
    #expect(map.entry(7)!.positives == map.entry(7)!.impressions)
  }
}
