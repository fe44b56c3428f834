import AppModel
import Contract
import Device
import Foundation
import MediaStore
import Persistence
import Playback
import Synchronization
import Testing

private struct OnePage: FeedSource {
  var clips: [Clip]
  var isDead = false
  func page(of tab: FeedTab, after cursor: String?, limit: Int) async throws -> FeedPage {
    if isDead { throw CancellationError() }
    return FeedPage(items: clips, nextCursor: nil)
  }
  func clip(_ id: String) async throws -> Clip { throw CancellationError() }
}

@MainActor private final class Calendar: BackgroundScheduling {
  var requests: [BackgroundWork: Date] = [:]
  var isOff = false
  func submit(_ work: BackgroundWork, notBefore: Date, needsNetwork: Bool, needsPower: Bool) throws {
    if isOff { throw CancellationError() }
    requests[work] = notBefore
    #expect(needsNetwork == (work == .refresh))
    #expect(needsPower == (work == .trim))
  }
  func cancel(_ work: BackgroundWork) { requests[work] = nil }
}

@MainActor @Suite struct BackgroundTests {
  private let now = Date(timeIntervalSince1970: 1_000_000)

  @Test func asksForWorkWhenTheAppIsLeft() {
    let calendar = Calendar()
    let plan = BackgroundPlan(calendar, refreshes: true, now: { [now] in now })
    plan.leave(lastTrim: nil)
    #expect(calendar.requests == [.refresh: now + 4 * 3_600, .trim: now])
    plan.leave(lastTrim: now - 3_600)
    #expect(calendar.requests[.trim] == now + 23 * 3_600)
    calendar.requests = [:]
    plan.refreshBegan()
    plan.trimBegan()
    #expect(calendar.requests == [.refresh: now + 4 * 3_600, .trim: now + 24 * 3_600])
    plan.refreshes = false
    plan.leave(lastTrim: now)
    #expect(calendar.requests[.refresh] == nil)
    calendar.isOff = true
    plan.leave(lastTrim: nil)
  }

  @Test(arguments: [true, false])
  func aJobThatIsDoneSaysSoOnce(isWhole: Bool) async {
    let ends = Mutex<[Bool]>([])
    let job = BackgroundJob({ isWhole }, done: { end in ends.withLock { $0.append(end) } })
    #expect(await soon { ends.withLock { !$0.isEmpty } })
    job.expire()
    #expect(ends.withLock { $0 } == [isWhole])
  }

  @Test func aJobWhoseTimeIsOverEndsAtOnce() async {
    let ends = Mutex<[Bool]>([])
    let wasCancelled = Mutex(false)
    let job = BackgroundJob(
      {
        while !Task.isCancelled { await Task.yield() }
        wasCancelled.withLock { $0 = true }
        return true
      }, done: { end in ends.withLock { $0.append(end) } })
    job.expire()
    #expect(ends.withLock { $0 } == [false])
    #expect(await soon { wasCancelled.withLock { $0 } })
    await Task.yield()
    #expect(ends.withLock { $0 } == [false])
  }

  private func refresh(
    _ folder: URL, _ source: OnePage, _ transport: FilledTransport = FilledTransport(),
    budget: Int = 1_000_000
  ) throws -> (FeedRefresh, DiskStore, StoredFile<LastFeed>) {
    let store = try DiskStore(root: folder.appending(path: "media"))
    let file = StoredFile<LastFeed>(folder.appending(path: "last-feed"))
    let fetcher = ClipFetcher(store: store, transport: transport, base: URL(string: "https://s.org/")!)
    let now = now
    return (
      FeedRefresh(
        source: source, tab: .latest, fetcher: fetcher, store: store, diskBudget: budget, lastFeed: file,
        now: { now }),
      store, file
    )
  }

  @Test func theNextStartHasTheNextPageAndItsFirstSegments() async throws {
    try await withFolder { folder in
      let clips = [shownClip("a"), shownClip("p", visibility: .private), shownClip("b")]
      let (refresh, store, file) = try refresh(folder, OnePage(clips: clips))
      #expect(await refresh.run(shortEdge: 360))
      let left = try #require(file.load())
      #expect(left.clips(returns: false, at: now).map(\.id) == ["a", "b"])
      #expect(await store.size == 2 * 150)
      #expect(await Set(store.clips) == ["/media/a-1.mp4", "/media/b-1.mp4"])
    }
  }

  @Test func whatIsGoneIsPassedOver() async throws {
    try await withFolder { folder in
      let page = OnePage(clips: [shownClip("a"), shownClip("b")])
      let (refresh, _, file) = try refresh(folder, page, FilledTransport(refused: "a-1"))
      #expect(await !refresh.run(shortEdge: 360))
      #expect(file.load()?.clips.map(\.id) == ["b"])
    }
  }

  @Test func withoutAnAnswerTheLastFeedStays() async throws {
    try await withFolder { folder in
      let (refresh, _, file) = try refresh(folder, OnePage(clips: [], isDead: true))
      file.save(try #require(LastFeed([shownClip("z")], at: now)))
      #expect(await !refresh.run(shortEdge: 360))
      #expect(file.load()?.clips.map(\.id) == ["z"])
    }
  }

  @Test func nothingIsFetchedAheadWhereBytesCost() {
    typealias Path = DeviceState.Path
    #expect(FeedRefresh.isAllowed(Path(), saves: false, unlimited: false))
    #expect(!FeedRefresh.isAllowed(Path(), saves: true, unlimited: true))
    #expect(!FeedRefresh.isAllowed(Path(isOnline: false), saves: false, unlimited: false))
    #expect(!FeedRefresh.isAllowed(Path(isExpensive: true), saves: false, unlimited: true))
    let mobile = Path(isCellular: true, isExpensive: true)
    #expect(!FeedRefresh.isAllowed(mobile, saves: false, unlimited: false))
    #expect(FeedRefresh.isAllowed(mobile, saves: false, unlimited: true))
  }

  @Test func trimmingDropsWhatIsOldBeyondItsRoomOrWrong() async throws {
    try await withFolder { folder in
      let root = folder.appending(path: "media")
      let first = try DiskStore(root: root)
      for name in ["old", "kept", "new", "newer"] {
        try await first.write(
          Data(repeating: 1, count: 100), as: MediaPart(blob: "f", offset: 0, size: 100), of: name)
      }
      await first.setSaved(true, "kept")
      for (name, age) in [("old", 40.0), ("kept", 40), ("new", 2), ("newer", 1)] {
        try FileManager.default.setAttributes(
          [.modificationDate: now - age * 86_400], ofItemAtPath: root.appending(path: name).path)
      }
      let store = try DiskStore(root: root)
      let last = StoredFile<Date>(folder.appending(path: "last-trim"))
      let now = now
      #expect(await CacheTrim(store: store, diskBudget: 100, last: last, now: { now }).run())
      #expect(await Set(store.clips) == ["kept", "newer"])
      #expect(last.load() == now)
      let file = root.appending(path: "newer").appending(path: "f@0-100")
      var bytes = try Data(contentsOf: file)
      bytes[60] ^= 1
      try bytes.write(to: file)
      #expect(await CacheTrim(store: store, diskBudget: 100, last: last, now: { now }).run())
      #expect(await store.clips == ["kept"])
    }
  }
}
