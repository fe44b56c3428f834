import Contract
import Foundation
import Platform
import SQLite
import Testing
import Videos
import Watching

@testable import Composition
@testable import Feed
@testable import PlatformTesting
@testable import ServerTesting

/// Asks for nothing: these clips have no media.
private struct NoWork: TranscodeRequesting {
  func requestTranscode(clipID: String, source: String, account: String, in transaction: any Transaction) {}
  func requestCover(clipID: String, in transaction: any Transaction) {}
  func withdraw(clipID: String, in transaction: any Transaction) {}
}

/// A feed and its viewers on a clock that a test moves.
private struct Cinema {
  let bench: TestInstance
  let time = TestTime(ms: 1_800_000_000_000)
  let feed: FeedStore
  let watching: WatchStore
  let clips: ClipStore

  init() async throws {
    bench = try await TestInstance()
    feed = try await bench.instance.feed(.open, time: time)
    watching = bench.instance.watching(time: time)
    clips = ClipStore(
      database: bench.instance.database, time: time, transcoding: NoWork(), changes: bench.instance.changes)
  }

  func watch(_ clips: [String], _ viewer: String = "me") async throws {
    for start in stride(from: 0, to: clips.count, by: Limits.eventsInBatch.upperBound) {
      let some = clips[start..<min(start + Limits.eventsInBatch.upperBound, clips.count)]
      let batch = some.map {
        WatchEvent(id: UUID().uuidString, clipID: $0, kind: .impression, atMs: time.nowMs)
      }
      _ = try await watching.take(WatchEvents(batch), of: viewer)
    }
  }

  /// Many clips at once, newest last.
  func fill(_ count: Int) async throws -> [String] {
    let first = try await bench.publishBare("the first")
    return try await bench.instance.database.write { transaction in
      let start = try transaction.query("SELECT last FROM feed_numbers")[0].integer("last")
      var ids = [first]
      for number in 1..<count {
        let id = "many-\(String(repeating: "0", count: 6 - "\(number)".count))\(number)"
        try transaction.execute(
          """
          INSERT INTO clips (id, author_id, caption, source_hash, state, created_at_ms, published_number, duration_ms,
              width, height, poster, playback)
          SELECT ?, author_id, ?, ?, state, created_at_ms, ?, duration_ms, width, height, poster, playback
          FROM clips WHERE id = ?
          """,
          [.text(id), .text(id), .text(id), .integer(start + Int64(number)), .text(first)])
        ids.append(id)
      }
      try transaction.execute("UPDATE feed_numbers SET last = last + ?", [SQLValue(count - 1)])
      return ids
    }
  }

  func remove(_ clip: String) async throws {
    try await bench.instance.database.write {
      try $0.execute("DELETE FROM clips WHERE id = ?", [.text(clip)])
    }
  }

  func spans(of viewer: String = "me") async throws -> SeenRanges {
    try await bench.instance.database.read { try SeenRanges.load(of: viewer, in: $0) }
  }
}

@Suite(.everyEngine) struct SeenFeedTests {
  private let cinema: Cinema

  init() async throws { cinema = try await Cinema() }

  private func captions(_ page: FeedPage) -> [String] { page.items.map(\.caption) }

  @Test func whatWasSeenIsLeftOutUntilNothingNewIsThere() async throws {
    var clips: [String] = []
    for number in 0..<6 { clips.append(try await cinema.bench.publishBare("\(number)")) }
    try await cinema.watch([clips[4]])
    cinema.time.advance(ms: 1)
    try await cinema.watch([clips[1]])
    cinema.time.advance(ms: 1)
    let first = try await cinema.feed.page(cursor: nil, limit: 3, for: "me")
    #expect(captions(first) == ["5", "3", "2"])
    // Seen now, and one that arrives: neither is anything to this walk.
    try await cinema.watch([clips[5], clips[3]])
    try await cinema.bench.publishBare("6")
    let second = try await cinema.feed.page(cursor: first.nextCursor, limit: 2, for: "me")
    // The one that was seen the longest time ago follows the last new one.
    #expect(captions(second) == ["0", "4"])
    #expect(second.items.map(\.viewer?.seen) == [nil, true])
    let third = try await cinema.feed.page(cursor: second.nextCursor, limit: 2, for: "me")
    #expect(captions(third) == ["1"])
    #expect(third.nextCursor == nil)
    cinema.time.advance(ms: 1)
    // The next walk: what is new, what was handed out and not looked at, and what was seen, in the order it
    // was.
    let next = try await cinema.feed.page(cursor: nil, limit: 9, for: "me")
    #expect(
      captions(next) == ["6", "2", "0", "4", "1", "3", "5"]
        || captions(next) == ["6", "2", "0", "4", "1", "5", "3"])
    #expect(next.nextCursor == nil)
    #expect(captions(try await cinema.feed.page(cursor: nil, limit: 9)) == (0..<7).reversed().map { "\($0)" })
  }

  @Test func aPageOfNothingButOldClipsSaysSo() async throws {
    let clips = try await cinema.fill(5)
    try await cinema.watch(clips)
    cinema.time.advance(ms: 1)
    let first = try await cinema.feed.page(cursor: nil, limit: 2, for: "me")
    let rest = try await cinema.feed.page(cursor: first.nextCursor, limit: 9, for: "me")
    #expect(Set((first.items + rest.items).map(\.id)) == Set(clips))
    #expect((first.items + rest.items).allSatisfy { $0.viewer?.seen == true })
    #expect(rest.nextCursor == nil)
    // Whoever is not known any more comes to the end.
    #expect(
      try await cinema.feed.page(cursor: first.nextCursor, limit: 2)
        == FeedPage(items: [], nextCursor: nil))
  }

  @Test func aCursorOfTheTimeBeforeGoesOnAndThenEnds() async throws {
    let clips = try await cinema.fill(4)
    try await cinema.watch([clips[0], clips[3]])
    cinema.time.advance(ms: 1)
    let keys = try await cinema.bench.instance.keys(.cursors).tokenKeys()
    let old = CursorCodec(keys: keys).token(number: 3)
    let page = try await cinema.feed.page(cursor: old, limit: 2, for: "me")
    #expect(page.items.map(\.id) == [clips[1]])
    #expect(page.nextCursor == nil)
    #expect(try await cinema.feed.page(cursor: old, limit: 2).items.map(\.id) == [clips[1], clips[0]])
  }

  @Test func aLongListOfSeenClipsIsLeaptOverAndNothingInItIsMissed() async throws {
    let clips = try await cinema.fill(600)
    let missed = clips[300]
    try await cinema.watch(clips.filter { $0 != missed && $0 != clips[0] })
    cinema.time.advance(ms: 1)
    #expect(try await cinema.feed.page(cursor: nil, limit: 1, for: "me").items.map(\.id) == [missed])
    // What follows was looked at as well, to tell whether there is a next page.
    #expect(try await cinema.spans().spans == [302...600, 2...300])
    try await cinema.watch([missed])
    cinema.time.advance(ms: UnseenScan.marginMs + 1)
    // What is looked at one by one is few, however much was seen.
    let looked = Shared(0)
    let hooked = HookedDatabase(database: cinema.bench.instance.database) { sql, values in
      if sql.contains("FROM seen WHERE viewer_id = ? AND clip_id IN") {
        looked.with { $0 += values.count - 1 }
      }
    }
    let feed = cinema.bench.instance.feed(on: hooked, time: cinema.time)
    #expect(try await feed.page(cursor: nil, limit: 1, for: "me").items.map(\.id) == [clips[0]])
    #expect(looked.with { $0 } <= 16)
  }

  /// Whoever has seen a hundred thousand clips elsewhere must not wait for all of them to be passed.
  @Test func aPageLooksAtNoMoreThanItMayHoweverMuchWasSeenAndTheNextOneGoesOn() async throws {
    let clips = try await cinema.fill(UnseenScan.passedOfAPage * 2)
    let missed = Set([clips[1], clips[UnseenScan.passedOfAPage / 2], clips[clips.count - 3]])
    try await cinema.watch(clips.filter { !missed.contains($0) })
    cinema.time.advance(ms: 1)
    let looked = Shared(0)
    let hooked = HookedDatabase(database: cinema.bench.instance.database) { sql, values in
      if sql.contains("FROM seen WHERE viewer_id = ? AND clip_id IN") {
        looked.with { $0 += values.count - 1 }
      }
    }
    let keys = try await cinema.bench.instance.keys(.cursors).tokenKeys()
    let feed = cinema.bench.instance.feed(
      on: hooked, time: cinema.time, cursorKeys: keys)
    var (found, pages, cursor) = ([String](), 0, String?.none)
    repeat {
      looked.with { $0 = 0 }
      let page = try await feed.page(cursor: cursor, limit: 10, for: "me")
      #expect(looked.with { $0 } <= UnseenScan.passedOfAPage + UnseenScan.widest)
      found += page.items.filter { $0.viewer?.seen != true }.map(\.id)
      (pages, cursor) = (pages + 1, page.nextCursor)
    } while found.count < 3 && cursor != nil && pages < 9
    #expect(found == clips.filter { missed.contains($0) }.reversed())
    // What was passed once is leapt over.
    looked.with { $0 = 0 }
    let again = try await feed.page(cursor: nil, limit: 2, for: "me").items.map(\.id)
    #expect(again == found.prefix(2).map(\.self))
    #expect(looked.with { $0 } <= UnseenScan.widest)
  }

  @Test func aClipThatComesBackIntoALongStretchIsShown() async throws {
    let clips = try await cinema.fill(400)
    try await cinema.clips.setVisibility(of: clips[200], to: .private)
    try await cinema.watch(clips)
    cinema.time.advance(ms: 1)
    #expect(try await cinema.feed.page(cursor: nil, limit: 1, for: "me").items[0].viewer?.seen == true)
    #expect(try await cinema.spans().spans == [1...400])
    cinema.time.advance(ms: 10 * UnseenScan.marginMs)
    try await cinema.clips.setVisibility(of: clips[200], to: .public)
    for _ in 0..<2 {
      let page = try await cinema.feed.page(cursor: nil, limit: 1, for: "me")
      #expect(page.items.map(\.id) == [clips[200]])
      cinema.time.advance(ms: 10 * UnseenScan.marginMs)
    }
    try await cinema.watch([clips[200]])
    cinema.time.advance(ms: 1)
    #expect(try await cinema.feed.page(cursor: nil, limit: 1, for: "me").items[0].viewer?.seen == true)
  }

  @Test func aGuestWhoSignsInBringsTheStretchesAndTheAccountKeepsItsOwn() async throws {
    let clips = try await cinema.fill(300)
    try await cinema.watch(Array(clips[200...]), "guest")
    try await cinema.watch(Array(clips[..<150]), "me")
    cinema.time.advance(ms: 1)
    for viewer in ["guest", "me"] { _ = try await cinema.feed.page(cursor: nil, limit: 49, for: viewer) }
    _ = try await cinema.feed.page(
      cursor: cinema.feed.page(cursor: nil, limit: 50, for: "me").nextCursor, limit: 50, for: "me")
    #expect(try await cinema.spans(of: "guest").spans == [201...300])
    for part in cinema.bench.instance.viewerMerging {
      try await cinema.bench.instance.database.write { try part.merge("guest", into: "me", in: $0) }
    }
    #expect(try await cinema.spans().spans.contains(201...300))
    #expect(try await cinema.spans(of: "guest").isEmpty)
    var (found, cursor): ([String], String?) = ([], nil)
    repeat {
      let page = try await cinema.feed.page(cursor: cursor, limit: 20, for: "me")
      found += page.items.filter { $0.viewer?.seen != true }.map(\.id)
      cursor = page.nextCursor
    } while cursor != nil
    #expect(found == clips[150..<200].reversed())
    for part in cinema.bench.instance.viewerErasing(cinema.time) {
      try await cinema.bench.instance.database.write { try part.erase("me", in: $0) }
    }
    #expect(try await cinema.feed.page(cursor: nil, limit: 1, for: "me").items[0].id == clips[299])
    #expect(try await cinema.spans().isEmpty)
  }

  @Test func theNumberOfADeletedClipIsNotGivenAgain() async throws {
    let clips = try await cinema.fill(100)
    try await cinema.watch(clips)
    cinema.time.advance(ms: 1)
    _ = try await cinema.feed.page(cursor: nil, limit: 1, for: "me")
    #expect(try await cinema.spans().spans == [1...100])
    try await cinema.remove(clips[99])
    let new = try await cinema.bench.publishBare("new")
    #expect(try await cinema.feed.page(cursor: nil, limit: 1, for: "me").items.map(\.id) == [new])
  }
}

/// Somebody goes through the feed page by page, watches most of it, leaves and comes back, while clips
/// arrive, are hidden, come back and are deleted.
@Suite(.everyEngine) struct FeedPropertyTests {
  @Test(arguments: [1, 2, 3]) func overFiveHundredPagesNothingRepeatsAndNothingIsSkipped(_ seed: UInt64)
    async throws
  {
    let cinema = try await Cinema()
    var random = SplitMix(state: seed)
    var made = 0
    var (visible, hidden) = (Set<String>(), Set<String>())
    // What the viewer was shown and said so; what was handed out in this walk, and what of it is not said
    // yet.
    var (watched, handedOut, unsaid) = (Set<String>(), Set<String>(), [String]())
    // What was in the feed, not seen, when the walk began, and was in it all the time since.
    var expected = Set<String>()
    var watchedBefore = Set<String>()
    var cursor: String?
    var pages = 0

    func publish() async throws {
      made += 1
      visible.insert(try await cinema.bench.publishBare("clip \(made)"))
    }
    func say() async throws {
      try await cinema.watch(unsaid)
      watched.formUnion(unsaid)
      unsaid = []
    }
    /// One page; true if it was the last of its walk.
    func turn(_ limit: Int) async throws -> Bool {
      if cursor == nil {
        try await say()
        cinema.time.advance(ms: 5)
        (handedOut, expected, watchedBefore) = ([], visible.subtracting(watched), watched)
      }
      let page = try await cinema.feed.page(cursor: cursor, limit: limit, for: "me")
      pages += 1
      #expect(page.items.count <= limit)
      for clip in page.items {
        #expect(visible.contains(clip.id), "\(pages): it was not in the feed")
        #expect(handedOut.insert(clip.id).inserted, "\(pages): it was handed out in this walk before")
        if clip.viewer?.seen == true {
          #expect(watchedBefore.contains(clip.id), "\(pages): it was not seen before this walk")
          #expect(expected.isEmpty, "\(pages): there was something new yet: \(expected)")
        } else {
          #expect(!watched.contains(clip.id), "\(pages): it was seen before")
          expected.remove(clip.id)
        }
        if Int.random(in: 0..<10, using: &random) < 8 { unsaid.append(clip.id) }
      }
      if page.nextCursor == nil { #expect(expected.isEmpty, "\(pages): it was skipped: \(expected)") }
      cursor = page.nextCursor
      return cursor == nil
    }

    for _ in 0..<40 { try await publish() }
    while pages < 520 {
      cinema.time.advance(ms: Int64.random(in: 1...40_000, using: &random))
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<8: try await publish()
      case 8..<14:
        guard let clip = visible.sorted().randomElement(using: &random) else { continue }
        try await cinema.clips.setVisibility(of: clip, to: Bool.random(using: &random) ? .private : .unlisted)
        visible.remove(clip)
        hidden.insert(clip)
        expected.remove(clip)
      case 14..<19:
        guard let clip = hidden.sorted().randomElement(using: &random) else { continue }
        try await cinema.clips.setVisibility(of: clip, to: .public)
        hidden.remove(clip)
        visible.insert(clip)
      case 19..<22:
        guard let clip = visible.sorted().randomElement(using: &random) else { continue }
        try await cinema.remove(clip)
        visible.remove(clip)
        expected.remove(clip)
      case 22..<45: try await say()
      case 45..<48: cursor = nil
      default: _ = try await turn(Int.random(in: 1...6, using: &random))
      }
    }
    // In the end everything that is there was seen, once.
    while !visible.subtracting(watched).isEmpty {
      cursor = nil
      while try await !turn(5) {}
      unsaid = handedOut.sorted()
      try await say()
    }
  }
}
