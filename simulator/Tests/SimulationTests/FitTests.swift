import CoreTypes
import Lookahead
import Testing

@testable import Simulation

@Suite struct FitTests {
  @Test func findsTheTopOfAHill() {
    var strategy = EvolutionStrategy(start: [0, 0, 0], step: 0.5, population: 10, seed: 1)
    let top: [Double] = [1, -2, 0.5]
    let slopes: [Double] = [1, 4, 25]
    func height(_ candidate: [Double]) -> Double {
      var sum = 0.0
      for place in top.indices {
        let off = candidate[place] - top[place]
        sum -= slopes[place] * off * off
      }
      return sum
    }
    for _ in 0..<120 { strategy.tell(strategy.ask().map(height)) }
    for (found, wanted) in zip(strategy.mean, top) { #expect(abs(found - wanted) < 0.01) }
  }

  @Test func theSameSeedLooksInTheSamePlaces() {
    var first = EvolutionStrategy(start: [0, 0], step: 0.3, population: 6, seed: 4)
    var second = EvolutionStrategy(start: [0, 0], step: 0.3, population: 6, seed: 4)
    #expect(first.ask() == second.ask())
  }

  @Test func sameNumbersGainNothingAndOthersChangeSomething() async {
    let trial = Trial(families: [.wifi], seeds: [1, 2], length: .watching(Milliseconds(20_000)))
    let base = await trial.run(.clipfeed, jobs: 1)
    #expect(Trial.value(of: await trial.run(.clipfeed, jobs: 2), against: base) == 0)
    var free = Objective.clipfeed
    free.bytePrice = 0
    free.wastePrice = 0
    let bytes = Trial.difference(await trial.run(free, jobs: 1)[0], base[0]) { Double($0.bytes) }
    #expect(bytes.mean > 0)
  }
}
