import Contract
import CoreTypes
import Device
import Foundation
import MediaStore
import Playback
import PlaybackTesting
import Synchronization
import Testing

@testable import AppModel

@MainActor @Suite struct PosterPolicyTests {
  @MainActor private final class Bench {
    let clock = ManualClock()
    let policy: PosterPolicy
    /// Clips whose beginning is here.
    var started: Set<Int32> = []
    /// Posters that are worth their bytes, as that was found.
    var needed: [Int32] = []

    init() {
      policy = PosterPolicy(clock: clock)
      policy.hasStart = { [weak self] in self?.started.contains($0.rawValue) ?? true }
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

/// What the screen that plays asks the server for.
@MainActor @Suite struct PosterTests {
  /// The feed of last time, with a server that has its posters and nothing else.
  private func bench(_ ids: [String]) -> FeedBench {
    FeedBench(left: ids.map { sampleClip($0) }) { request in
      request.target.hasSuffix(".jpg")
        ? WireResponse(status: 200, headers: [:], body: Data(request.target.utf8)) : nil
    }
  }

  private func posters(_ bench: FeedBench) -> Set<String> {
    Set(bench.transport.requests.map(\.target).filter { $0.hasSuffix(".jpg") })
  }

  /// The beginning of a clip is in memory.
  private func begin(_ id: String, _ bench: FeedBench) throws {
    let item = try #require(bench.assembly.host.feed.item(of: id))
    for (segment, size) in [(SegmentKey.initialization, 50), (0, 100)] as [(Int32, Int)] {
      bench.memory.put(
        Data(count: size), as: SegmentKey(item: item.rawValue, rendition: 0, segment: segment))
    }
  }

  @Test func areFetchedWhereTheBeginningOfTheClipTakesLong() async throws {
    let bench = bench(["a", "b", "c"])
    bench.start()
    try begin("b", bench)
    bench.advance(by: 1_500)
    #expect(
      await eventually {
        bench.display.calls.contains("poster 0") && bench.display.calls.contains("poster 2")
      })
    #expect(posters(bench) == ["/media/a.jpg", "/media/c.jpg"])
    #expect(bench.model.pictures.picture("/media/c.jpg") == Data("/media/c.jpg".utf8))
    await bench.end()
  }

  @Test func areFetchedAtOnceWhereSomebodyGoes() async {
    let bench = bench(["a", "b", "c"])
    bench.start()
    bench.model.step(1)
    // So long the page is held at most.
    bench.advance(by: 600)
    #expect(bench.model.currentClip?.id == "b")
    #expect(await eventually { bench.display.calls.contains("poster 1") })
    #expect(posters(bench) == ["/media/b.jpg"])
    await bench.end()
  }

  @Test func areFetchedWhereSomebodyGoesBackToAClipWhoseBytesAreGone() async throws {
    let bench = bench(["a", "b"])
    bench.start()
    for id in ["a", "b"] { try begin(id, bench) }
    bench.advance(by: 1_500)
    bench.model.step(1)
    bench.advance(by: 600)
    #expect(bench.model.currentClip?.id == "b")
    bench.memory.trim(0, keeping: 0)
    bench.model.step(-1)
    bench.advance(by: 600)
    #expect(bench.model.currentClip?.id == "a")
    #expect(await eventually { bench.display.calls.contains("poster 0") })
    #expect(posters(bench) == ["/media/a.jpg"])
    await bench.end()
  }

  @Test func comeWhenTheNetworkIsBack() async {
    let isOnline = Mutex(false)
    let bench = FeedBench(left: [sampleClip("a")]) { request in
      guard request.target.hasSuffix(".jpg") else { return nil }
      guard isOnline.withLock({ $0 }) else { throw URLError(.notConnectedToInternet) }
      return WireResponse(status: 200, headers: [:], body: Data(request.target.utf8))
    }
    bench.device.state.path = DeviceState.Path(isOnline: false)
    bench.start()
    bench.advance(by: 1_500)
    #expect(await eventually { posters(bench) == ["/media/a.jpg"] })
    await bench.model.pictures.settled()
    #expect(!bench.display.calls.contains("poster 0"))
    isOnline.withLock { $0 = true }
    bench.device.state.path = DeviceState.Path(isOnline: true)
    bench.device.onChange?()
    #expect(await eventually { bench.display.calls.contains("poster 0") })
    await bench.end()
  }
}
