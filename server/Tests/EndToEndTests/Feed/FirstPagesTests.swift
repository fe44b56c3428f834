import Contract
import Feed
import Foundation
import NIOCore
import Platform
import Social
import Testing
import Videos

@testable import Composition
@testable import Gateway
@testable import PlatformTesting
@testable import ServerTesting

/// The page that is kept for everybody of whom nothing is known.
@Suite struct FirstPagesTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  /// Counts how often it is asked, and keeps an answer back until it is let go.
  private actor Latch {
    private(set) var asked = 0
    private var isOpen = true
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var arrived: [CheckedContinuation<Void, Never>] = []

    func close() { isOpen = false }

    func open() {
      isOpen = true
      for one in waiting { one.resume() }
      waiting = []
    }

    func pass() async {
      asked += 1
      guard !isOpen else { return }
      for one in arrived { one.resume() }
      arrived = []
      await withCheckedContinuation { waiting.append($0) }
    }

    /// Until somebody stands before the gate.
    func arrival() async {
      if waiting.isEmpty { await withCheckedContinuation { arrived.append($0) } }
    }
  }

  private func pages(
    _ instance: Instance? = nil, cache: (any Cache & MessageBus)? = nil, time: TestTime = TestTime()
  ) async throws -> (pages: FirstPages, gate: Latch) {
    let instance = instance ?? bench.instance
    let feed = try await instance.feed(.open)
    let gate = Latch()
    let pages = FirstPages("feed", changes: instance.changes, cache: cache, time: time) { limit, _ in
      let text = try await feed.text(cursor: nil, limit: limit, for: nil)
      await gate.pass()
      return text
    }
    return (pages, gate)
  }

  private func captions(_ page: FirstPages.Kept) throws -> [String] {
    try WireCoding.decode(FeedPage.self, from: Data(page.plain.readableBytesView)).items.map(\.caption)
  }

  @Test func oneMakesItForAllWhoAsk() async throws {
    try await bench.publishBare("one")
    let (pages, gate) = try await pages()
    await gate.close()
    async let first = pages.page(5)
    await gate.arrival()
    async let others = withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { try await pages.page(5).clips } }
      return try await group.reduce(0, +)
    }
    await gate.open()
    #expect(try await first.clips == 1)
    #expect(try await others == 20)
    #expect(await gate.asked == 1)
  }

  @Test func itIsMadeAnewWhenItIsOld() async throws {
    let time = TestTime()
    let (pages, gate) = try await pages(time: time)
    _ = try await pages.page(5)
    time.advance(ms: FirstPages.keptMs - 1)
    _ = try await pages.page(5)
    #expect(await gate.asked == 1)
    time.advance(ms: 1)
    _ = try await pages.page(5)
    #expect(await gate.asked == 2)
    // A clock that was set back keeps nothing for long.
    time.advance(ms: -3_600_000)
    _ = try await pages.page(5)
    #expect(await gate.asked == 3)
  }

  @Test func whatWasTakenAwayOrChangedIsInNoAnswerThatBeginsAfterwards() async throws {
    let instance = bench.instance
    let clip = try await bench.publishBare("one")
    let (pages, _) = try await pages()
    #expect(try captions(await pages.page(5)) == ["one"])
    try await instance.database.write {
      try instance.clips.describe(clip, caption: "two", tags: nil, visibility: nil, in: $0)
    }
    #expect(try captions(await pages.page(5)) == ["two"])
    try await instance.clips.setVisibility(of: clip, to: .private)
    #expect(try captions(await pages.page(5)) == [])
    try await bench.publishBare("three")
    #expect(try captions(await pages.page(5)) == ["three"])
    let author = try await instance.feed(.open).page(cursor: nil, limit: 1).items[0].author.id
    for eraser in instance.viewerErasing(SystemTime()) {
      try await instance.database.write { try eraser.erase(author, in: $0) }
    }
    #expect(try captions(await pages.page(5)) == [])
  }

  @Test func oneThatIsBeingMadeWhileAClipGoesIsNotKept() async throws {
    let clip = try await bench.publishBare("one")
    let (pages, gate) = try await pages()
    await gate.close()
    async let before = pages.page(5)
    await gate.arrival()
    try await bench.instance.clips.setVisibility(of: clip, to: .private)
    await gate.open()
    #expect(try captions(await pages.page(5)) == [])
    // Who asked before the change may get what was then.
    #expect(try captions(await before) == ["one"])
    #expect(try captions(await pages.page(5)) == [])
  }

  @Test func serversShareItAndHearOfChanges() async throws {
    let time = TestTime()
    let cache = MemoryCache(time: time)
    let clip = try await bench.publishBare("one")
    let another = try await bench.another()
    let (here, gate) = try await pages(cache: cache, time: time)
    let (there, otherGate) = try await pages(another, cache: cache, time: time)
    // Who begins to listen takes nothing of before, and listens once that task gets its turn.
    for pages in [here, there] { _ = try await pages.page(1) }
    try await eventually("each server makes the page by itself") {
      time.advance(ms: FirstPages.keptMs)
      let asked = await gate.asked + otherGate.asked
      let both = [try captions(await here.page(5)), try captions(await there.page(5))]
      #expect(both == [["one"], ["one"]])
      return await gate.asked + otherGate.asked == asked + 1
    }

    let heard = cache.subscribe(to: "feed")
    try await another.clips.setVisibility(of: clip, to: .private)
    #expect(try captions(await there.page(5)) == [])
    for await signal in heard where signal == .message([]) { break }
    // What was told to us was told to it as well; it only has to get its turn.
    while try captions(await here.page(5)) != [] { await Task.yield() }
  }

  @Test func whoWantsNothingThatWasKeptGetsWhatIsSoNow() async throws {
    let clip = try await bench.publishBare("one")
    // Of whose changes this process hears nothing.
    let elsewhere = try await bench.another()
    try await bench.serving { server in
      func titles(_ headers: [String: String]) async throws -> [String] {
        let page: FeedPage = try WireCoding.decode(
          from: try await server.send(WireRequest("GET", Route.feed.path(), headers: headers)).body)
        return page.items.map(\.caption)
      }
      #expect(try await titles([:]) == ["one"])
      try await elsewhere.clips.setVisibility(of: clip, to: .private)
      #expect(try await titles(["Cache-Control": "no-cache"]) == [])
    }
  }

  /// Their own likes have to be in the counts.
  @Test func whoIsKnownGetsNoneOfIt() async throws {
    let clip = try await bench.publishBare("one")
    let token = GuestTokens(keys: try await bench.instance.keys(.guests).tokenKeys()).make(at: SystemTime())
      .token
    try await bench.serving { server in
      for packed in ["identity", "gzip"] {
        let anybody = try await server.send(
          WireRequest("GET", Route.feed.path(), headers: ["Accept-Encoding": packed]))
        #expect(anybody.status == 200)
      }
      let headers = ["Authorization": "Bearer \(token)"]
      _ = try await server.send(WireRequest("PUT", Route.like.path(clip), headers: headers))
      let own = try await server.send(WireRequest("GET", Route.feed.path(), headers: headers))
      let page: FeedPage = try WireCoding.decode(from: own.body)
      #expect(page.items[0].counts.likes == 1)
      #expect(page.items[0].viewer?.liked == true)
    }
  }
}
