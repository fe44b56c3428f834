import Ranking
import Testing

@testable import RankingSimulation

@Suite struct SimulationTests {
  /// A small world: some three thousand impressions.
  static var settings: World.Settings {
    var settings = World.Settings()
    settings.days = 5
    settings.viewers = 60
    settings.newViewers = 1
    settings.creators = 60
    settings.clips = 300
    settings.newClips = 1
    return settings
  }

  /// Ours with short vectors and few candidates, as is enough for so few clips.
  static func smallPolicy() -> RankerPolicy {
    var settings = RankerPolicy.settings
    settings.factors.dimensions = 8
    settings.model.bits = 12
    var limits = Request.Limits()
    limits.vectors = 30
    limits.coWatch = 20
    limits.trending = 20
    limits.fresh = 10
    limits.latest = 10
    return RankerPolicy(settings: settings, limits: limits)
  }

  @Test func aSeedMakesTheSameWorldAndTheSameRun() {
    var settings = Self.settings
    (settings.days, settings.viewers) = (2, 30)
    let (one, other) = (World(seed: 5, settings: settings), World(seed: 5, settings: settings))
    #expect(one.visits == other.visits)
    #expect((0..<one.clipCount).allSatisfy { one.clip($0) == other.clip($0) })
    #expect(World(seed: 6, settings: settings).visits != one.visits)
    #expect(
      Simulation.run(one, Self.smallPolicy(), trust: .init())
        == Simulation.run(other, Self.smallPolicy(), trust: .init()))
    #expect(Simulation.run(one, HourlyBatchPolicy()) == Simulation.run(other, HourlyBatchPolicy()))
  }

  @Test func theSamePersonDoesTheSameAboutTheSameClip() {
    let world = World(seed: 1, settings: Self.settings)
    for clip in 0..<50 { #expect(world.reaction(of: 3, to: clip) == world.reaction(of: 3, to: clip)) }
  }

  @Test func reactionsHaveTheMeanThatTheOracleGoesBy() {
    let world = World(seed: 2, settings: Self.settings)
    var (watched, expected, count) = (0.0, 0.0, 0.0)
    for viewer in 0..<60 {
      for clip in 0..<300 {
        watched += Double(world.reaction(of: viewer, to: clip).watched) / 1_000
        expected += world.expectedWatch(of: clip, by: viewer)
        count += 1
      }
    }
    // Who is not gone at once has watched two seconds at least, which the mean leaves out.
    #expect(abs(watched - expected) / count < 0.3)
  }

  @Test func whoKnowsTastesIsBeyondOursAndOursBeyondTheNewest() {
    let world = World(seed: 3, settings: Self.settings)
    let watched = [NewestPolicy(), Self.smallPolicy(), OraclePolicy(world)].map { (policy: any Policy) in
      Simulation.run(world, policy).watchPerVisit()
    }
    // Of other seeds the gaps are at least a tenth.
    #expect(watched[0] * 1.1 < watched[1])
    #expect(watched[1] * 1.05 < watched[2])
  }

  @Test func giniIsNothingForEqualsAndNearOneForOneOfMany() {
    #expect(abs(RunFigures.gini([3, 3, 3, 3])) < 1e-12)
    #expect(abs(RunFigures.gini([0, 0, 0, 8]) - 0.75) < 1e-12)
    #expect(abs(RunFigures.gini([1, 2, 3, 4]) - 0.25) < 1e-12)
    #expect(RunFigures.gini([]) == 0 && RunFigures.gini([0, 0]) == 0)
  }

  @Test func intervalsAreStudents() {
    let interval = SeedInterval([1, 2, 3, 4, 5])
    #expect(interval.mean == 3)
    #expect(abs(interval.halfWidth - 2.776 * (2.5 / 5.0).squareRoot()) < 1e-9)
    #expect(SeedInterval([1]).halfWidth == .infinity)
    // From a table: 2.131 and 2.042.
    #expect(abs(SeedInterval.quantile(degrees: 15) - 2.131) < 0.002)
    #expect(abs(SeedInterval.quantile(degrees: 30) - 2.042) < 0.001)
  }

  @Test func aMachineOfPairsLearnsWhatNoSumOfWeightsCan() {
    var machine = FactorisationMachine(dimensions: 4, seed: 1)
    machine.grow(to: 4)
    // Liked are 0 with 2 and 1 with 3 alone.
    for _ in 0..<400 {
      for (left, right) in [(0, 2), (0, 3), (1, 2), (1, 3)] {
        machine.learn([left, right], left + 2 == right)
      }
    }
    #expect(machine.score([0, 2]) > 1 && machine.score([1, 3]) > 1)
    #expect(machine.score([0, 3]) < -1 && machine.score([1, 2]) < -1)
    #expect(machine.score([0, 2, 99]).isFinite)
  }
}
