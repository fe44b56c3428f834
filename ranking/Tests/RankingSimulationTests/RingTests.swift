import Ranking
import Testing

@testable import RankingSimulation

@Suite struct RingTests {
  /// Impressions beyond the ring that a pushed clip may have more than without it: a sixth of the people.
  static let bound = 20.0

  @Test func aRingOfFiveHundredAccountsReachesHardlyMorePeopleThanItsClipDoesAlone() {
    var settings = SimulationTests.settings
    settings.days = 3
    settings.viewers = 120
    settings.newClips = 2
    let trial = RingTrial(seeds: [2], settings: settings, day: 1, policy: { SimulationTests.smallPolicy() })
    #expect(trial.weighed[0] <= trial.alone[0] + Self.bound)
    // Where everybody counts in full it is far beyond.
    #expect(trial.believed[0] > trial.alone[0] + 1.5 * Self.bound)
  }

  @Test func aRingPushesItsClipAndLooksLikePeople() throws {
    let world = World(seed: 2, settings: SimulationTests.settings)
    let ring = try #require(Ring(world: world, day: 1))
    let events = ring.events(among: 100, seed: 1)
    #expect(events.count == 500 * 7)
    #expect(events.count { $0.clip == ring.clip } == 500)
    #expect(events.allSatisfy { $0.at >= ring.startsAt && $0.at < ring.startsAt + ring.lasts + 300_000 })
    #expect(Ring(world: world, day: 40) == nil)
  }
}
