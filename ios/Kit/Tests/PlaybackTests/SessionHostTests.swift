import Contract
import CoreTypes
import Foundation
import PlaybackTesting
import Prefetch
import Session
import Testing

@testable import MediaStore
@testable import Playback

@MainActor @Suite struct SessionHostTests {
  private func page(_ ids: [String], next: String? = nil) -> Result<FeedPage, Problem> {
    .success(FeedPage(items: ids.map { sampleClip($0) }, nextCursor: next))
  }

  @Test func anEventThatArisesWhileCommandsRunWaitsUntilTheyHave() async throws {
    let screen = FakeScreen()
    let host = SessionHost(samplePorts(source: FakeSource([page(["a", "b"])]), screen: screen))
    var log: [String] = []
    host.observer = { event, _, commands in log.append("event, \(commands.count) commands") }
    screen.onShow = { command, host in
      log.append("command")
      if case .setMuted = command { host.report(.soundSet(isOn: true)) }
    }
    host.start(FeedSession.Configuration())
    #expect(Array(log.prefix(2)) == ["event, 2 commands", "command"])
    #expect(log.count > 2 && log[2].hasPrefix("event"))
    await host.stop()
  }

  @Test func playsTheFirstClipFromItsFirstSegment() async throws {
    let players = (0..<3).map { _ in FakePlayer() }
    let transport = FakeTransport()
    let memory = SegmentMemory()
    let clock = ManualClock()
    let host = SessionHost(
      samplePorts(
        players: players, transport: transport, source: FakeSource([page(["a", "b"], next: "n")]),
        clock: clock, memory: memory))
    var events: [String] = []
    host.observer = { event, _, _ in events.append(String("\(event)".prefix { $0 != "(" })) }
    host.start(FeedSession.Configuration())
    host.report(.viewportResized(height: 844, shortEdge: 1170))
    #expect(await eventually { !transport.requests.isEmpty })
    let request = try #require(transport.requests.first)
    #expect(request.range.url.absoluteString == "http://origin.test/media/a-2.mp4")
    #expect(request.range.offset == 0)
    #expect(request.range.size == 250)
    clock.now = Instant(40)
    request.answer.yield(Data(repeating: 1, count: 60))
    #expect(await eventually { events.contains("segmentStored") })
    #expect(
      memory.read(SegmentKey(item: 0, rendition: 1, segment: 0), from: 0, most: 99).portion
        == .bytes(Data(repeating: 1, count: 10)))
    request.answer.yield(Data(repeating: 2, count: 190))
    request.answer.finish()
    #expect(await eventually { events.contains("fetchFinished") })
    #expect(memory.size == 250)
    #expect(players[0].calls.contains("load 0"))
    players[0].report?(PlayerReport(item: ItemID(0), event: .firstFrameReady))
    #expect(players[0].calls.contains("play"))
    await host.stop()
  }

  @Test(arguments: [
    (404, TransferFailure.gone), (500, .server), (429, .network), (200, .server), (403, .refused),
  ])
  func understandsWhatAnAnswerMeans(status: Int, failure: TransferFailure) {
    let request = RangeRequest(url: URL(string: "http://a/")!, offset: 10, size: 5)
    #expect(TransferFailure.of(status: status, contentRange: nil, request: request) == failure)
    #expect(TransferFailure.of(status: 206, contentRange: nil, request: request) == nil)
    #expect(TransferFailure.of(status: 206, contentRange: "bytes 10-14/99", request: request) == nil)
    #expect(TransferFailure.of(status: 206, contentRange: "bytes 10-15/99", request: request) == .server)
  }

  @Test func whatIsCancelledIsAbortedAndLeavesNothingBehind() async throws {
    let transport = FakeTransport()
    let memory = SegmentMemory()
    let host = SessionHost(
      samplePorts(transport: transport, source: FakeSource([page(["a"])]), memory: memory))
    var events = 0
    host.start(FeedSession.Configuration())
    #expect(await eventually { !transport.requests.isEmpty })
    transport.requests[0].answer.yield(Data(repeating: 1, count: 20))
    let key = SegmentKey(item: 0, rendition: 1, segment: SegmentKey.initialization)
    #expect(await eventually { memory.read(key, from: 0, most: 9).portion != .pending })
    host.observer = { _, _, _ in events += 1 }
    host.downloads.cancelAll()
    #expect(memory.read(key, from: 0, most: 9).portion == .pending)
    #expect(await eventually { transport.endedCount == 1 })
    #expect(events == 0)
    await host.stop()
  }

  @Test func anAddressThatIsOverIsAskedForAgain() async throws {
    var fresh = sampleClip("a", visibility: .unlisted)
    for index in fresh.playback.renditions.indices {
      fresh.playback.renditions[index].url = "/sealed/\(index).mp4"
    }
    let transport = FakeTransport()
    let source = FakeSource(
      [.success(FeedPage(items: [sampleClip("a", visibility: .unlisted)], nextCursor: nil))],
      renewed: fresh)
    let host = SessionHost(samplePorts(transport: transport, source: source))
    var failures = 0
    host.observer = { event, _, _ in
      if case .fetchFailed(_, .network) = event { failures += 1 }
    }
    host.start(FeedSession.Configuration())
    #expect(await eventually { !transport.requests.isEmpty })
    transport.requests[0].answer.finish(throwing: TransferFailure.refused)
    #expect(await eventually { failures == 1 })
    #expect(host.feed.clip(ItemID(0))?.renditions[0].url == "/sealed/0.mp4")
    await host.stop()
  }

  /// What something in between answers has the code of no clip.
  @Test(arguments: [
    (ErrorCode.clipNotFound, 404, Prefetch.FailureReason.gone), (.clipForAdults, 403, .gone),
    (.uploadExpired, 410, .gone), (.unavailable, 503, .network), (.unavailable, 403, .network),
    (.unavailable, 404, .network),
  ])
  func aClipThatIsGoneWhenItsAddressIsOverIsNotWaitedFor(
    code: ErrorCode, status: Int, reason: Prefetch.FailureReason
  ) async throws {
    let transport = FakeTransport()
    var refusal = Problem(code, requestID: "")
    refusal.status = status
    let source = FakeSource([page(["a"])], refusal: refusal)
    let host = SessionHost(samplePorts(transport: transport, source: source))
    var failures: [Prefetch.FailureReason] = []
    host.observer = { event, _, _ in
      if case .fetchFailed(_, let reason) = event { failures.append(reason) }
    }
    host.start(FeedSession.Configuration())
    #expect(await eventually { !transport.requests.isEmpty })
    transport.requests[0].answer.finish(throwing: TransferFailure.refused)
    #expect(await eventually { !failures.isEmpty })
    #expect(failures.first == reason)
    await host.stop()
  }

  @Test func bringsTheLastVisitAtOnceAndWhatIsNewOnTop() async throws {
    let source = FakeSource([page(["n", "a"], next: "c")])
    let host = SessionHost(samplePorts(source: source, left: [sampleClip("a"), sampleClip("b")]))
    var events: [String] = []
    host.observer = { event, _, _ in
      switch event {
      case .itemAppended(let item, _): events.append("appended \(item.rawValue)")
      case .itemInserted(let item, let place, _):
        events.append("inserted \(item.rawValue) before \(place.rawValue)")
      case .pageLoaded(let hasMore): events.append("loaded \(hasMore)")
      default: break
      }
    }
    host.start(FeedSession.Configuration())
    #expect(await eventually { events.last == "loaded true" })
    #expect(events == ["appended 0", "appended 1", "inserted 2 before 0", "loaded true"])
    #expect(host.feed.upcoming(from: ItemID(0), most: 5).map(\.id) == ["a", "b"])
    await host.stop()
  }

  @Test func keepsClipsOnDiskForTheNextVisit() async throws {
    let root = TemporaryFolder.path()
    defer { try? FileManager.default.removeItem(at: root) }
    let memory = SegmentMemory()
    for visit in 0..<3 {
      let store = try DiskStore(root: root)
      if visit == 2 { try damage(root) }
      let host = SessionHost(
        samplePorts(
          source: FakeSource([page(["a"])]), memory: visit == 0 ? memory : SegmentMemory(),
          disk: (store, 1_000_000)))
      var events: [String] = []
      host.observer = { event, _, _ in events.append("\(event)") }
      host.start(FeedSession.Configuration())
      #expect(await eventually { host.feed.size == 1 })
      await host.disk?.settled()
      switch visit {
      case 0:
        for segment: Int32 in [-1, 0, 1] {
          memory.put(
            Data(repeating: 7, count: segment < 0 ? 50 : 100),
            as: SegmentKey(item: 0, rendition: 0, segment: segment))
        }
        host.disk?.persist(ItemID(0), 2)
        await host.disk?.settled()
        #expect(await store.used == 250)
      default:
        #expect(events.contains { $0.contains("diskHolds") })
        #expect(
          await eventually { events.contains { $0.contains(visit == 1 ? "segmentStored" : "restoreFailed") } }
        )
      }
      await host.stop()
    }
  }

  /// They are there in the turn of the start, before the disk has said what it is.
  @Test func theClipsOfTheLastVisitPlayFromDiskWithoutAServer() async throws {
    let folder = TemporaryFolder()
    let store = try DiskStore(root: folder.url)
    let clip = sampleClip("a")
    let place = try #require(FeedClip(clip, item: ItemID(0)))
    for (segment, size) in [(-1, 50), (0, 100)] as [(Int32, Int)] {
      let part = try #require(place.part(SegmentKey(item: 0, rendition: 0, segment: segment)))
      try await store.write(Data(repeating: 7, count: size), as: part, of: place.diskName)
    }
    let memory = SegmentMemory()
    let host = SessionHost(samplePorts(memory: memory, disk: (store, 1_000_000), left: [clip]))
    host.start(FeedSession.Configuration())
    #expect(host.feed.size == 1)
    #expect(await eventually { memory.best(0, 0) == 0 })
    await host.stop()
  }

  /// The core takes back what it has counted, and it counts nothing of a clip that it does not have.
  @Test func whatTheDiskBringsOfAClipThatHasLeftDoesNotStayInMemory() async throws {
    let folder = TemporaryFolder()
    let store = try DiskStore(root: folder.url)
    let memory = SegmentMemory()
    let host = SessionHost(
      samplePorts(source: FakeSource([page(["a", "b"])]), memory: memory, disk: (store, 1_000_000)))
    host.start(FeedSession.Configuration())
    #expect(await eventually { host.feed.size == 2 })
    await host.settled()
    let clip = try #require(host.feed.clip(ItemID(0)))
    for (segment, size) in [(-1, 50), (0, 100)] as [(Int32, Int)] {
      let part = try #require(clip.part(SegmentKey(item: 0, rendition: 0, segment: segment)))
      try await store.write(Data(repeating: 7, count: size), as: part, of: clip.diskName)
    }
    host.disk?.restore(ItemID(0), 0, 1)
    await host.settled()
    #expect(memory.size == 150)
    host.disk?.restore(ItemID(0), 0, 1)
    // NB: in the same turn: the disk has not begun to read.
    host.feed.drop(ItemID(0))
    #expect(memory.size == 0)
    await host.settled()
    #expect(memory.size == 0)
    await host.stop()
  }

  @Test(arguments: [false, true]) func saysSoWhenAClipThatIsKeptFindsNoRoom(isKept: Bool) async throws {
    let root = TemporaryFolder.path()
    defer { try? FileManager.default.removeItem(at: root) }
    let store = try DiskStore(root: root) { _, _, _ in throw DiskError(ENOSPC) }
    let memory = SegmentMemory()
    let host = SessionHost(
      samplePorts(source: FakeSource([page(["a"])]), memory: memory, disk: (store, 1_000_000)))
    var events: [String] = []
    var told = 0
    host.observer = { event, _, _ in events.append("\(event)") }
    host.onTrouble = { if ($0 as? DiskError)?.isFull == true { told += 1 } }
    host.start(FeedSession.Configuration())
    #expect(await eventually { host.feed.size == 1 })
    for segment: Int32 in [-1, 0] {
      memory.put(
        Data(repeating: 7, count: segment < 0 ? 50 : 100),
        as: SegmentKey(item: 0, rendition: 0, segment: segment))
    }
    if isKept { host.setSaved(ItemID(0), true) }
    host.disk?.persist(ItemID(0), 1)
    await host.disk?.settled()
    #expect(events.contains { $0.contains("persistFailed") })
    #expect(told == (isKept ? 1 : 0))
    // Memory still has it: it plays.
    #expect(memory.best(0, 0) == 0)
    await host.stop()
  }

  /// Flips a bit of every segment.
  private func damage(_ root: URL) throws {
    for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) where path.hasSuffix("-100") {
      let url = root.appending(path: path)
      var bytes = try Data(contentsOf: url)
      bytes[bytes.count - 3] ^= 4
      try bytes.write(to: url)
    }
  }

  @Test func whatIsNotForEverybodyDoesNotStayBehind() async throws {
    let root = TemporaryFolder.path()
    defer { try? FileManager.default.removeItem(at: root) }
    let store = try DiskStore(root: root)
    let memory = SegmentMemory()
    let source = FakeSource([
      .success(FeedPage(items: [sampleClip("a", visibility: .private)], nextCursor: nil))
    ])
    let host = SessionHost(samplePorts(source: source, memory: memory, disk: (store, 1_000_000)))
    host.start(FeedSession.Configuration())
    #expect(await eventually { host.feed.size == 1 })
    for segment: Int32 in [-1, 0] {
      memory.put(
        Data(repeating: 7, count: segment < 0 ? 50 : 100),
        as: SegmentKey(item: 0, rendition: 0, segment: segment))
    }
    host.disk?.persist(ItemID(0), 1)
    await host.disk?.settled()
    #expect(await store.used == 0)
    #expect(host.feed.upcoming(from: ItemID(0), most: 5).isEmpty)
    await host.stop()
  }

  @Test func aLoadThatCannotGoOnBeginsAnewWhereItStands() async throws {
    let players = (0..<3).map { _ in FakePlayer() }
    let addressing = FakeAddressing()
    let host = SessionHost(
      samplePorts(players: players, source: FakeSource([page(["a"])]), addressing: addressing))
    host.start(FeedSession.Configuration())
    #expect(await eventually { players[0].calls.contains("load 0") })
    host.carryOut(.play(PlayerID(0)))
    players[0].report?(PlayerReport(item: ItemID(0), event: .positionChanged(Milliseconds(1_400))))
    let stale = try #require(host.attached[0]?.load)
    players[0].calls = []
    addressing.onStale?(stale)
    #expect(players[0].calls == ["load 0", "seek 1400", "play"])
    #expect(addressing.open == [2])
    addressing.onStale?(stale)
    #expect(players[0].calls.count == 3)
    await host.stop()
  }

  @Test func aPictureIsOneOfTheLoadThatIsAtThePlayer() async throws {
    let players = (0..<3).map { _ in FakePlayer() }
    let addressing = FakeAddressing()
    let host = SessionHost(
      samplePorts(players: players, source: FakeSource([page(["a"])]), addressing: addressing))
    host.start(FeedSession.Configuration())
    #expect(await eventually { players[0].calls.contains("load 0") })
    #expect(!host.hasPicture(ItemID(0)))
    let shown = PlayerReport(item: ItemID(0), event: .firstFrameReady)
    players[0].report?(shown)
    #expect(host.hasPicture(ItemID(0)))
    let stale = try #require(host.attached[0]?.load)
    addressing.onStale?(stale)
    #expect(!host.hasPicture(ItemID(0)))
    players[0].report?(shown)
    #expect(host.hasPicture(ItemID(0)))
    host.carryOut(.release(PlayerID(0)))
    players[0].report?(shown)
    #expect(!host.hasPicture(ItemID(0)))
    await host.stop()
  }

  @Test func onlyTheWindowIsHeardWhileItIsThere() async {
    let players = (0..<3).map { _ in FakePlayer() }
    let host = SessionHost(samplePorts(players: players))
    host.carryOut(.setMuted(false))
    host.carryOut(.hearOnly(PlayerID(1)))
    #expect(players.map { $0.calls.last } == ["muted", "heard", "muted"])
    host.carryOut(.hearOnly(nil))
    #expect(players.map { $0.calls.last } == ["heard", "heard", "heard"])
    await host.stop()
  }
}
