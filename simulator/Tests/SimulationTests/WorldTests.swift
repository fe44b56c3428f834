import CoreTypes
import Testing

@testable import Simulation

/// Scenarios that are small enough to be reckoned by hand.
@Suite struct WorldTests {
  /// Fetches so many segments of each clip up to so many clips ahead, in the lowest rendition, one
  /// request at a time.
  private struct Frugal: Policy {
    let segments: Int
    let ahead: Int

    func decide(_ view: PolicyView) -> [PolicyCommand] {
      guard view.flights.isEmpty else { return [] }
      for item in view.page...(view.page + ahead) where view.exists(item) {
        for segment in 0..<min(segments, view.store.clip(item).segmentCount)
        where !view.has(item, segment: segment) {
          return [view.fetch(item, 0, segment: segment)]
        }
      }
      return []
    }
  }

  private let library = ClipLibrary(seed: 1)

  private func scenario(_ visits: [Plan.Visit]) -> Scenario {
    Scenario(
      trace: Trace(kilobits: 8_000, roundTrip: Milliseconds(100)), library: library,
      plan: Plan(visits: visits))
  }

  private func run(_ visits: [Plan.Visit], _ policy: any Policy) -> World {
    var world = World(scenario(visits), policy: policy)
    world.run()
    return world
  }

  /// ms on the link; 8 Mbit/s are 1,000 bytes a ms.
  private func transfer(_ item: Int, _ segments: Range<Int>) -> Int64 {
    let bytes = segments.reduce(ClipLibrary.initializationSize) {
      $0 + library.clip(item).size(rendition: 0, segment: $1)
    }
    return (bytes + 999) / 1_000
  }

  @Test func theStartIsTheSumOfItsParts() {
    let world = run([Plan.Visit(page: 0, watch: Milliseconds(900))], Frugal(segments: 1, ahead: 0))
    // The feed: a round trip and 20 ms. The first segment: a round trip and its bytes. Meanwhile the
    // player has attached; the first frame takes 40 ms, its start 16.
    #expect(world.measures.start.rawValue == 120 + 100 + transfer(0, 0..<1) + 40 + 16)
    #expect(world.measures.played == Milliseconds(900))
    #expect(world.measures.waited == world.measures.start)
    #expect(world.measures.stalled == .zero)
    #expect(world.measures.requests == 1)
    #expect(world.measures.wastedBytes == 0)
    #expect(world.elapsed == world.measures.wall)
  }

  @Test func withoutTheSecondSegmentItStallsUntilThePersonGivesUp() {
    let visit = Plan.Visit(
      page: 0, watch: Milliseconds(3_000), isGlance: false, incidents: [], swipe: .flick,
      patience: Milliseconds(5_000))
    let world = run([visit], Frugal(segments: 1, ahead: 0))
    #expect(world.measures.played == Milliseconds(1_000))
    #expect(world.measures.stalls == 1)
    #expect(world.measures.stalled + world.measures.waited == Milliseconds(5_000))
  }

  @Test func aClipThatIsReadyMovesAPlayersStartAfterTheSwipe() {
    let visits = [0, 1].map { Plan.Visit(page: $0, watch: Milliseconds(900)) }
    let world = run(visits, Frugal(segments: 1, ahead: 1))
    #expect(world.measures.swipeWaits == [Milliseconds(16)])
    #expect(world.measures.seen == 2)
    // 900 ms of each, and of the first one the time that the finger moves.
    #expect(world.measures.played == Milliseconds(1_800 + 96))
  }

  @Test func aClipThatIsNotFetchedIsWaitedFor() {
    let visits = [0, 1].map { Plan.Visit(page: $0, watch: Milliseconds(800)) }
    let world = run(visits, Frugal(segments: 1, ahead: 0))
    // Asked for as the swipe is released. The page waits at most 500 ms for it.
    #expect(world.measures.swipeWaits == [Milliseconds(100 + transfer(1, 0..<1) + 40 + 16)])
  }

  @Test func aPauseIsNoStall() {
    let pause = Plan.Incident(after: Milliseconds(400), kind: .pause(Milliseconds(2_000)))
    let visit = Plan.Visit(page: 0, watch: Milliseconds(900), incidents: [pause])
    let world = run([visit], Frugal(segments: 1, ahead: 0))
    #expect(world.measures.paused == Milliseconds(2_016))
    #expect(world.measures.played == Milliseconds(900))
    #expect(world.measures.stalled == .zero)
  }

  @Test func scoreIsTheChallengesFormula() {
    let world = run([Plan.Visit(page: 0, watch: Milliseconds(900))], Frugal(segments: 1, ahead: 0))
    let bits = Double(library.clip(0).size(rendition: 0, segment: 0) + 1_300) * 8 / 1e6
    let wait = Double(world.measures.start.rawValue) / 1_000
    #expect(abs(world.measures.score - (0.45 * 0.9 - 1.85 * wait - 0.5 * bits)) < 1e-9)
  }

  @Test func comfortIsTheProductsMeasure() {
    let world = run([Plan.Visit(page: 0, watch: Milliseconds(900))], Frugal(segments: 1, ahead: 0))
    let bits = Double(library.clip(0).size(rendition: 0, segment: 0) + 1_300) * 8 / 1e6
    let wait = Double(world.measures.start.rawValue) / 1_000
    #expect(abs(world.measures.comfortScore - (0.333 * 0.9 - 3 * wait - 0.01 * bits)) < 1e-9)
  }

  @Test func comfortCountsWhatAPersonMinds() {
    var measures = Measures()
    measures.comfort.show(1_000, for: Milliseconds(60_000))
    #expect(measures.comfortScore == 60)
    measures.comfort.change(from: 1_000, to: 500)
    measures.comfort.change(from: 500, to: 600)
    #expect(abs(measures.comfortScore - (60 - 1.75 / 2 - 0.35 / 10)) < 1e-9)
    // A stall of two seconds and a clip that never began.
    measures.comfort = Comfort()
    measures.stalls = 1
    measures.unseen = 1
    measures.stalled = Milliseconds(2_000)
    #expect(measures.comfortScore == -12)
    // A metered network doubles what bytes cost.
    var device = Device()
    device.isMetered = true
    var metered = Measures()
    metered.comfort = Comfort(device)
    metered.bytes = 1_000_000
    metered.usefulBytes = 500_000
    #expect(abs(metered.comfortScore + 2 * (8 * 0.01 + 4 * 0.04)) < 1e-9)
  }

  @Test func aScreenShowsNoMoreThanItHas() {
    var device = Device()
    device.shortEdge = 720
    #expect(Comfort.sharpness(ofEdge: 1_080, on: device) == 1_000)
    #expect(Comfort.sharpness(ofEdge: 360, on: device) == 500)
    #expect(Comfort.sharpness(ofEdge: 1_080, on: Device()) == 1_000)
  }

  @Test func aLoopPlaysOnFromWhatIsThere() {
    let length = library.clip(0).duration
    let world = run([Plan.Visit(page: 0, watch: length * 2)], Frugal(segments: 99, ahead: 0))
    #expect(world.measures.played == length * 2)
    #expect(world.measures.stalls == 0)
    #expect(world.measures.requests == library.clip(0).segmentCount)
  }

  /// At 10 % nothing plays that was not asked for: nobody waits there until their patience ends.
  @Test func whoHasAnEmptyBatteryTapsEachClip() {
    var device = Device()
    device.battery = 8
    let plan = Person(seed: 4).plan(library, visits: 12, device: device)
    var world = World(
      Scenario(
        trace: Trace(kilobits: 20_000, roundTrip: Milliseconds(30)), library: library, device: device,
        plan: plan))
    world.run()
    #expect(world.measures.seen + world.measures.unseen <= 12)
    #expect(world.measures.unseen <= plan.visits.count { $0.isGlance })
    #expect(world.measures.waited < Milliseconds(3_000))
  }
}
