import CoreTypes
import Testing

@testable import Simulation

@Suite struct StudyTests {
  private static let length = Scenario.Length.watching(Milliseconds(30_000))

  @Test func theSameSeedsGiveTheSameBytes() async throws {
    let study = Study(seeds: [3, 4], length: .watching(Milliseconds(12_000)))
    let first = await study.run(jobs: 1)
    let second = await study.run(jobs: 3)
    #expect(first.markdown() == second.markdown())
    #expect(try first.json() == second.json())
    #expect(first.decisionTimes().isEmpty)
  }

  /// No bytes from nowhere, no time that counts twice or not at all.
  @Test(arguments: TraceFamily.allCases)
  func bytesAndTimeAreConserved(family: TraceFamily) {
    let scenario = Scenario(family: family, seed: 1, length: Self.length)
    for kind in PolicyKind.allCases {
      var world = World(scenario, policy: kind.policy(for: scenario))
      world.run()
      let measures = world.measures
      #expect(measures.bytes * 8 <= world.capacity)
      #expect(measures.usefulBytes <= measures.bytes)
      #expect(measures.usefulBytes > 0)
      #expect(measures.wall == world.elapsed)
      #expect(measures.kilobitTime >= measures.played.rawValue * 450)
      #expect(measures.edgeTime >= measures.played.rawValue * 360)
      #expect(measures.edgeTime <= measures.played.rawValue * 1_080)
      #expect(measures.seen + measures.unseen <= scenario.plan.visits.count)
      #expect(measures.swipeWaits.count == scenario.plan.visits.count - 1)
    }
  }

  @Test(arguments: TraceFamily.allCases)
  func nobodyIsLessLongWithoutAPictureThanTheOracle(family: TraceFamily) {
    for seed in 10..<12 as Range<UInt64> {
      let scenario = Scenario(family: family, seed: seed, length: Self.length)
      func wait(_ kind: PolicyKind) -> Milliseconds {
        var world = World(scenario, policy: kind.policy(for: scenario))
        world.run()
        return world.measures.stalled + world.measures.waited
      }
      let bound = wait(.oracle)
      for kind in PolicyKind.allCases where kind != .oracle {
        // Some ms of rounding and of requests that overlap by chance.
        #expect(bound <= wait(kind) + Milliseconds(60), "\(kind) with seed \(seed)")
      }
    }
  }

  @Test func memoryDoesNotGrowWithTheSession() {
    let scenario = Scenario(family: .wifi, seed: 2, length: .visits(80))
    for kind in [PolicyKind.ours, .fixed] {
      var world = World(scenario, policy: kind.policy(for: scenario))
      world.run()
      let budget = scenario.device.memoryBudget.rawValue
      // Beyond the budget go only the current clip and its neighbours, at most 45 MB each.
      #expect(world.measures.peakStored < budget + 60_000_000)
      #expect(world.peaks.count == 79)
      #expect(world.peaks == world.peaks.sorted())
    }
  }

  @Test func percentilesAreValuesThatOccurred() {
    let values = (1...100).map { Milliseconds(Int64($0)) }
    #expect(values.percentile(50) == 50)
    #expect(values.percentile(95) == 95)
    #expect([Milliseconds(7)].percentile(99) == 7)
    #expect([Milliseconds]().percentile(50) == 0)
  }

  @Test func aPlotShowsTheWorstMomentAndIsTheSameEachTime() {
    let scenario = Scenario(family: .train, seed: 2, length: Self.length)
    func draw() -> String {
      var world = World(scenario, policy: PolicyKind.fixed.policy(for: scenario), recordsTimeline: true)
      world.run()
      guard let timeline = world.timeline else { return "" }
      return TimelinePlot(
        timeline, title: "a < b", measures: world.measures, from: nil, span: Milliseconds(30_000)
      ).svg()
    }
    let svg = draw()
    #expect(svg == draw())
    #expect(svg.contains("on the screen") && svg.contains("player 2") && svg.contains("a &lt; b"))
    #expect(!svg.contains("nan") && !svg.contains("inf"))
  }
}
