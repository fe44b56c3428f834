import CoreTypes
import Playback
import PlaybackTesting
import Testing

@testable import AppModel

@MainActor @Suite struct PosterPolicyTests {
  @MainActor private final class Bench {
    let clock = ManualClock()
    let policy: PosterPolicy
    /// Clips whose beginning is here.
    var started: Set<Int32> = []
    /// Clips of which a player has a picture.
    var pictured: Set<Int32> = []
    /// Posters that are worth their bytes, as that was found.
    var needed: [Int32] = []
    /// Clips whose beginnings were looked for, in that order.
    var looks: [Int32] = []

    init() {
      policy = PosterPolicy(clock: clock)
      policy.hasStart = { [weak self] in
        self?.looks.append($0.rawValue)
        return self?.started.contains($0.rawValue) ?? true
      }
      policy.hasPicture = { [weak self] in self?.pictured.contains($0.rawValue) ?? true }
      policy.onNeeded = { [weak self] in self?.needed.append($0.rawValue) }
    }

    func mount(_ items: Range<Int32>) { for item in items { policy.mounted(ItemID(item)) } }
  }

  @Test func waitsForTheBeginningOfTheClip() async {
    let bench = Bench()
    bench.mount(0..<3)
    bench.started = [1]
    bench.clock.advance(by: 1_499)
    #expect(bench.clock.wakeAt == Instant(1_500))
    bench.clock.advance(by: 1)
    #expect(await eventually { bench.needed == [0, 2] })
  }

  @Test func eachPageHasItsOwnTimeAndKeepsItWhereverItGoes() async {
    let bench = Bench()
    bench.mount(0..<1)
    bench.clock.advance(by: 1_000)
    bench.mount(0..<2)
    #expect(bench.clock.wakeAt == Instant(1_500))
    bench.clock.advance(by: 500)
    #expect(await eventually { bench.needed == [0] })
    #expect(bench.clock.wakeAt == Instant(2_500))
    bench.clock.advance(by: 1_000)
    #expect(await eventually { bench.needed == [0, 1] })
    #expect(bench.clock.wakeAt == nil)
  }

  @Test func doesNotWaitWhereSomebodyGoesButAtTheFirstClip() async {
    let bench = Bench()
    bench.mount(0..<3)
    bench.started = [1]
    for item: Int32 in 0..<3 { bench.policy.becameCurrent(ItemID(item)) }
    #expect(await eventually { bench.needed == [2] })
  }

  @Test func looksAtOnceWhereASwipeBegins() async {
    let bench = Bench()
    bench.mount(0..<3)
    bench.started = [1]
    bench.policy.becameCurrent(ItemID(0))
    for item: Int32 in 1..<3 { bench.policy.approached(ItemID(item)) }
    #expect(await eventually { bench.needed == [2] })
  }

  @Test func theCurrentPageNeedsOneWhereNoPlayerHasAPictureForLong() async {
    let bench = Bench()
    bench.mount(0..<2)
    bench.started = [0, 1]
    bench.policy.becameCurrent(ItemID(0))
    bench.clock.advance(by: 1_000)
    bench.policy.becameCurrent(ItemID(1))
    #expect(await eventually { bench.looks == [1] })
    #expect(bench.clock.wakeAt == Instant(1_500))
    bench.clock.advance(by: 500)
    #expect(await eventually { bench.looks == [1, 0, 1] })
    #expect(bench.needed.isEmpty)
    #expect(bench.clock.wakeAt == Instant(2_500))
    bench.clock.advance(by: 1_000)
    #expect(await eventually { bench.needed == [1] })
    #expect(bench.clock.wakeAt == nil)
  }

  @Test func theCurrentPageNeedsNoneWhereAPlayerHasAPicture() async {
    let bench = Bench()
    bench.mount(0..<2)
    bench.pictured = [0]
    bench.policy.becameCurrent(ItemID(0))
    bench.clock.advance(by: 1_500)
    // The current one is looked at first.
    #expect(await eventually { bench.needed == [1] })
    bench.pictured = []
    bench.policy.returned()
    #expect(await eventually { bench.needed == [1, 0] })
  }

  @Test func theStartIsNoReturn() async {
    let bench = Bench()
    bench.mount(0..<2)
    bench.policy.becameCurrent(ItemID(0))
    bench.policy.returned()
    bench.policy.approached(ItemID(1))
    #expect(await eventually { bench.needed == [1] })
  }

  @Test func onlyTheCurrentPageNeedsOneBeforePlayersGoWhateverIsHere() {
    let bench = Bench()
    bench.mount(0..<2)
    bench.policy.playersWillGo()
    #expect(bench.needed.isEmpty)
    bench.started = [0, 1]
    bench.pictured = [0]
    bench.policy.becameCurrent(ItemID(0))
    bench.policy.playersWillGo()
    #expect(bench.needed == [0])
    bench.policy.unmounted(ItemID(0))
    bench.policy.playersWillGo()
    #expect(bench.needed == [0])
  }

  @Test func aPageThatHasGoneNeedsNone() async {
    let bench = Bench()
    bench.mount(0..<3)
    bench.policy.unmounted(ItemID(0))
    bench.clock.advance(by: 1_500)
    // NB: in the same turn: nobody has looked yet.
    bench.policy.unmounted(ItemID(1))
    #expect(await eventually { bench.needed == [2] })
  }

  @Test func looksAgainWhenTheNetworkIsBack() async {
    let bench = Bench()
    bench.mount(0..<2)
    bench.clock.advance(by: 1_500)
    #expect(await eventually { bench.needed == [0, 1] })
    bench.mount(2..<3)
    bench.started = [0]
    bench.policy.networkReturned()
    #expect(await eventually { bench.needed == [0, 1, 1] })
  }
}
