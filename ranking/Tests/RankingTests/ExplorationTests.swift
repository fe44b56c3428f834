import Testing

@testable import Ranking

@Suite struct ExplorationTests {
  @Test func theIncompleteBetaFunctionIsRight() {
    #expect(abs(incompleteBeta(0.5, 2, 2) - 0.5) < 1e-9)
    #expect(abs(incompleteBeta(0.3, 1, 1) - 0.3) < 1e-9)
    // 1 − (1 − x)^5, x^3, and a table's.
    #expect(abs(incompleteBeta(0.2, 1, 5) - 0.67232) < 1e-6)
    #expect(abs(incompleteBeta(0.4, 3, 1) - 0.064) < 1e-9)
    #expect(abs(incompleteBeta(0.25, 2, 3) - 0.26171875) < 1e-9)
    #expect(incompleteBeta(-1, 2, 3) == 0 && incompleteBeta(2, 2, 3) == 1)
    #expect(incompleteBeta(.nan, .nan, .infinity).isFinite)
  }

  @Test func drawnRatesHaveTheirMeanAndSpread() {
    var generator = SeededGenerator(seed: 4)
    for (alpha, beta) in [(0.5, 0.5), (2.0, 5.0), (80.0, 20.0)] {
      let draws = (0..<20_000).map { _ in BetaDistribution(alpha, beta).draw(by: &generator) }
      let mean = draws.reduce(0, +) / 20_000
      let wanted = alpha / (alpha + beta)
      let variance = draws.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 20_000
      #expect(abs(mean - wanted) < 0.01)
      #expect(abs(variance - wanted * (1 - wanted) / (alpha + beta + 1)) < 0.005)
    }
  }

  @Test func probabilitiesSumToOneAndFavourTheBetter() {
    var generator = SeededGenerator(seed: 5)
    let pool: [(clip: UInt32, alpha: Double, beta: Double)] = [(1, 30, 70), (2, 60, 40), (3, 1, 1)]
    let choices = Exploration.probabilities(pool, draws: 2_000, by: &generator)
    #expect(abs(choices.reduce(0) { $0 + $1.probability } - 1) < 1e-9)
    let known = Dictionary(uniqueKeysWithValues: choices.map { ($0.clip, $0.probability) })
    #expect(known[2]! > 0.4)
    // Nothing is known of it, so it gets its chance: it is above 0.6 in two of five draws.
    #expect(known[3]! > 0.25)
    #expect(known[1] ?? 0 < 0.01)
    #expect(Exploration.probabilities([], draws: 5, by: &generator).isEmpty)
    #expect(Exploration.draw([], by: &generator) == nil)
  }

  @Test func drawsFollowTheirProbabilities() {
    var generator = SeededGenerator(seed: 6)
    let choices = [
      Exploration.Choice(clip: 1, probability: 0.25), Exploration.Choice(clip: 2, probability: 0.75),
    ]
    let drawn = (0..<10_000).count { _ in Exploration.draw(choices, by: &generator)?.clip == 1 }
    #expect(abs(drawn - 2_500) < 200)
  }

  private static func posterior(rate: Double, impressions: Int) -> (Exploration.Posterior, endedAt: Int?) {
    var posterior = Exploration.Posterior()
    var generator = SeededGenerator(seed: 8)
    for shown in 1...impressions {
      Exploration.observe(
        generator.uniform() < rate, weight: 1, &posterior, prior: 0.3, median: 0.3, Exploration.Settings())
      if posterior.isOver { return (posterior, shown) }
    }
    return (posterior, nil)
  }

  @Test func budgetsRiseForThoseThatMayBeGood() {
    // Far below the others: over after the first hundred. Far above: the last stage's budget.
    #expect(Self.posterior(rate: 0.05, impressions: 20_000).endedAt == 100)
    #expect(Self.posterior(rate: 0.6, impressions: 20_000).endedAt == 10_000)
    #expect(Self.posterior(rate: 0.6, impressions: 5_000).endedAt == nil)
  }
}
