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

  /// Whose beginnings were looked for, in that order; each look is over by then.
  @MainActor private final class Looks {
    private(set) var items: [Int32] = []

    init(_ posters: PosterPolicy) {
      let hasStart = posters.hasStart
      posters.hasStart = { [weak self] item in
        let isHere = await hasStart?(item) ?? true
        self?.items.append(item.rawValue)
        return isHere
      }
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
    #expect(await eventually { bench.display.calls.contains("poster 1") })
    // NB: no time has passed: the page is held, and the swipe alone was the reason.
    #expect(bench.model.currentClip?.id == "a")
    #expect(posters(bench) == ["/media/b.jpg"])
    await bench.end()
  }

  @Test func areFetchedWhereSomebodyGoesBackToAClipWhoseBytesAreGone() async throws {
    let bench = bench(["a", "b"])
    bench.start()
    let looks = Looks(bench.model.posters)
    for id in ["a", "b"] { try begin(id, bench) }
    bench.report(.firstFrameReady)
    bench.advance(by: 1_500)
    // The current page comes before it, and has its picture.
    #expect(await eventually { looks.items == [1] })
    bench.model.step(1)
    // So long the page is held at most.
    bench.advance(by: 600)
    #expect(bench.model.currentClip?.id == "b")
    // By the swipe, and when it became the current one.
    #expect(await eventually { looks.items == [1, 1, 1] })
    await bench.model.pictures.settled()
    #expect(posters(bench).isEmpty)
    bench.memory.trim(0, keeping: 0)
    bench.model.step(-1)
    #expect(await eventually { bench.display.calls.contains("poster 0") })
    #expect(posters(bench) == ["/media/a.jpg"])
    await bench.end()
  }

  @Test func areFetchedWhereNoPlayerHasAPictureForLongThoughTheBytesAreHere() async throws {
    let bench = bench(["a", "b"])
    bench.start()
    for id in ["a", "b"] { try begin(id, bench) }
    bench.advance(by: 1_500)
    #expect(await eventually { bench.display.calls.contains("poster 0") })
    #expect(posters(bench) == ["/media/a.jpg"])
    await bench.end()
  }

  @Test func areNotFetchedWhereAPlayerHasAPicture() async {
    let bench = bench(["a", "b"])
    bench.start()
    bench.report(.firstFrameReady)
    bench.advance(by: 1_500)
    // The current page was looked at before that one.
    #expect(await eventually { bench.display.calls.contains("poster 1") })
    await bench.model.pictures.settled()
    #expect(posters(bench) == ["/media/b.jpg"])
    await bench.end()
  }

  @Test(arguments: [DeviceNotice.backgrounded, .cameraOpened])
  func ofTheCurrentClipIsFetchedBeforeThePlayersGo(notice: DeviceNotice) async throws {
    let bench = bench(["a", "b"])
    bench.start()
    for id in ["a", "b"] { try begin(id, bench) }
    bench.report(.firstFrameReady)
    bench.report(.playbackAdvanced)
    bench.device.onNotice?(notice)
    #expect(await eventually { bench.display.calls.contains("poster 0") })
    #expect(posters(bench) == ["/media/a.jpg"])
    // The next start has it without the network.
    let next = PictureStore(folder: bench.files.pictures) { _ in throw CancellationError() }
    #expect(await eventually { next.picture("/media/a.jpg") == Data("/media/a.jpg".utf8) })
    await bench.end()
  }

  @Test func isAskedForAgainAtTheReturnWhereItWasCutOff() async {
    let isCut = Mutex(true)
    let bench = FeedBench(left: [sampleClip("a")]) { request in
      guard request.target.hasSuffix(".jpg") else { return nil }
      if isCut.withLock({ $0 }) { throw URLError(.networkConnectionLost) }
      return WireResponse(status: 200, headers: [:], body: Data(request.target.utf8))
    }
    bench.start()
    bench.advance(by: 1_500)
    #expect(await eventually { posters(bench) == ["/media/a.jpg"] })
    bench.assembly.leave()
    await bench.model.pictures.settled()
    #expect(!bench.display.calls.contains("poster 0"))
    isCut.withLock { $0 = false }
    bench.device.onNotice?(.foregrounded)
    #expect(await eventually { bench.display.calls.contains("poster 0") })
    await bench.end()
  }

  @Test func theEndWaitsForNoneThatTheServerKeepsBack() async {
    let bench = FeedBench(left: [sampleClip("a")]) { _ in nil }
    bench.start()
    bench.assembly.leave()
    #expect(await eventually { posters(bench) == ["/media/a.jpg"] })
    await bench.end()
  }

  @Test func areNotFetchedAfterTheEnd() async {
    let bench = bench(["a", "b"])
    bench.start()
    await bench.assembly.stop()
    bench.assembly.leave()
    await bench.model.pictures.settled()
    #expect(posters(bench).isEmpty)
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
