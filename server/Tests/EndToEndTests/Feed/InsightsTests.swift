import Contract
import Foundation
import Platform
import Social
import Testing
import Videos
import Watching

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// How a clip does, as its owner is told.
@Suite(.everyEngine) struct InsightsTests {
  private let bench: TestInstance
  private let time = TestTime(ms: 1_800_000_000_000)
  private let watching: WatchStore

  init() async throws {
    bench = try await TestInstance()
    watching = bench.instance.watching(time: time)
  }

  /// Whoever asks under this name owns every clip.
  private struct Owner: ClipOwning {
    func owns(_ clipID: String, _ viewer: String, in transaction: any Transaction) -> Bool {
      viewer == "owner"
    }
  }

  private func insights(_ clip: String) async throws -> ClipInsights {
    try await watching.insights(of: clip, for: "owner", Owner())
  }

  private func figures(_ found: ClipInsights, _ which: KeyPath<ClipInsights, Int>...) -> [Int] {
    which.map { found[keyPath: $0] }
  }

  private func watch(
    _ clip: String, by viewer: String, _ number: Int, from source: WatchEvent.Source? = nil,
    leaving watchedMs: Int64? = nil
  ) async throws {
    var shown = event(number, .impression, clip, atMs: time.nowMs)
    var end =
      watchedMs.map { event(number + 100_000, .skip, clip, atMs: time.nowMs, watchedMs: $0) }
      ?? event(number + 100_000, .completion, clip, atMs: time.nowMs)
    (shown.source, end.source) = (source, source)
    _ = try await watching.take(WatchEvents([shown, end]), of: viewer)
  }

  @Test func figuresAreExactHoweverManyWatchAndFoldAtOnce() async throws {
    let (clip, other) = (try await bench.publishBare("clip"), try await bench.publishBare("other"))
    let second = try await bench.another()
    let sources: [WatchEvent.Source] = [.forYou, .search]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for viewer in 0..<24 {
        group.addTask { [self] in
          // The same batch again, and the same viewer again within the half hour.
          for number in [viewer, viewer, viewer + 1000] {
            try await watch(clip, by: "viewer-\(viewer)", number, from: sources[viewer % 2])
          }
          try await watch(other, by: "viewer-\(viewer)", viewer + 2000, leaving: 900)
        }
        if viewer % 6 == 0 {
          group.addTask { [self] in
            try await (viewer % 4 == 0 ? bench.instance : second).foldCounts()
          }
        }
      }
      try await group.waitForAll()
    }
    for _ in 0..<2 {
      let found = try await insights(clip)
      #expect(figures(found, \.impressions, \.views, \.viewers) == [48, 24, 24])
      #expect(Set(found.found.map(\.source)) == [.forYou, .search])
      #expect(found.found.allSatisfy { $0.impressions == 24 && $0.views == 12 })
      #expect(found.days.last.map { $0.impressions == 48 && $0.views == 24 } == true)
      // Nobody stayed for a view.
      let left = try await insights(other)
      #expect(figures(left, \.impressions, \.views, \.viewers, \.starts) == [24, 0, 0, 24])
      #expect(left.found == [.init(source: .other, impressions: 24, views: 0)])
      try await bench.instance.foldCounts()
    }
    #expect(try await bench.count("clip_reach_count_changes") == 0)
  }

  @Test func aViewerIsOneHoweverOftenAndThroughASignIn() async throws {
    let clip = try await bench.publishBare("clip")
    for number in 0..<3 {
      try await watch(clip, by: "guest", number)
      time.advance(ms: Limits.viewAgainMs)
    }
    try await watch(clip, by: "account", 10)
    var found = try await insights(clip)
    #expect(figures(found, \.views, \.viewers) == [4, 2])
    try await bench.instance.database.write { [watching] in
      try watching.merge("guest", into: "account", in: $0)
    }
    found = try await insights(clip)
    #expect(figures(found, \.views, \.viewers) == [4, 1])
    // Who leaves was there all the same.
    try await bench.instance.database.write { [watching] in try watching.erase("account", in: $0) }
    #expect(try await insights(clip).viewers == 1)
  }

  @Test func whatIsTakenBackIsTakenOffAndADayThatIsLongAgoIsToldNoMore() async throws {
    let clip = try await bench.publishBare("clip")
    let social = bench.instance.social(on: bench.instance.database, time: time)
    for viewer in ["a", "b"] {
      _ = try await social.like(clip, by: viewer)
      _ = try await social.bookmark(clip, by: viewer)
    }
    try await watch(clip, by: "a", 1, from: .link)
    time.advance(ms: 86_400_000)
    _ = try await social.unlike(clip, by: "a")
    for _ in 0..<2 { _ = try await social.unbookmark(clip, by: "b") }
    _ = try await social.share(clip, by: "a", idempotencyKey: "one-share")
    for _ in 0..<2 {
      let found = try await insights(clip)
      #expect(figures(found, \.likes, \.bookmarks, \.shares, \.comments) == [1, 1, 1, 0])
      let days: [[Int]] = found.days.suffix(2).map { [$0.impressions, $0.likes, $0.bookmarks, $0.shares] }
      #expect(days == [[1, 2, 2, 0], [0, -1, -1, 1]])
      #expect(found.days.count == 28)
      #expect(found.days.last?.day == Date(timeIntervalSince1970: 1_800_057_600))
      try await bench.instance.foldCounts()
    }
    // An account that goes takes its bookmarks along.
    try await bench.instance.database.write { try social.erase("a", in: $0) }
    #expect(try await insights(clip).bookmarks == 0)
    time.advance(ms: 27 * 86_400_000)
    try await bench.instance.foldCounts()
    #expect(try await ClipDays.sweep(in: bench.instance.database, at: time) == 1)
    let later = try await insights(clip)
    #expect(later.impressions == 1 && later.days.first?.shares == 1)
    #expect(later.days.reduce(0) { $0 + $1.impressions } == 0)
  }

  @Test func howLongPeopleStayIsToldFromTheThirtiethVisitOn() async throws {
    // It lasts a second.
    let clip = try await bench.publishBare("clip")
    for viewer in 0..<29 { try await watch(clip, by: "viewer-\(viewer)", viewer) }
    let before = try await insights(clip)
    #expect(before.staying == nil && before.starts == 29 && before.startsNeeded == 30)
    try await watch(clip, by: "viewer-29", 29)
    for viewer in 30..<40 { try await watch(clip, by: "viewer-\(viewer)", viewer, leaving: 300) }
    for _ in 0..<2 {
      let found = try await insights(clip)
      #expect(found.starts == 40 && found.durationMs == 1000)
      // Ten of forty watched half a second, as far as is known.
      #expect(found.staying?.completionShare == 750_000)
      #expect(found.staying?.watchedShare == 875_000)
      #expect(found.staying?.retention.first == 1_000_000)
      try await bench.instance.foldRetention()
    }
  }

  @Test func nothingIsLeftOfAClipThatIsGone() async throws {
    let clip = try await bench.publishBare("clip")
    try await watch(clip, by: "a", 1)
    try await bench.instance.foldCounts()
    try await watch(clip, by: "b", 2)
    try await bench.instance.database.write {
      try $0.execute("DELETE FROM clips WHERE id = ?", [.text(clip)])
    }
    try await bench.instance.foldCounts()
    for table in ["clip_reach_totals", "clip_reach_count_changes", "clip_days", "clip_count_changes"] {
      #expect(try await bench.count(table) == 0, "\(table)")
    }
    await #expect(throws: AppError(.clipNotFound)) { try await insights(clip) }
  }

  @Test func anInstanceThatWasThereBeforeKnowsWhoViewedAndSaysSinceWhenItKnowsTheRest() async throws {
    let bench = try await DatabaseBench.upgraded(
      past: "0041_clip_reach",
      with: [
        """
        INSERT INTO seen (viewer_id, clip_id, seen_at_ms, viewed_at_ms)
        VALUES ('v', 'c', 1, 1), ('w', 'c', 1, 1), ('x', 'c', 1, NULL), ('v', 'gone', 1, 1)
        """,
        "INSERT INTO bookmarks (viewer_id, clip_id, id, created_at_ms) VALUES ('v', 'd', 'm', 0)",
        "INSERT INTO clip_count_changes (clip_id, id, counter, change) VALUES ('c', 'x', 'likes', 1)",
      ])
    for _ in 0..<2 {
      let (one, other) = try await bench.database.read {
        (
          try Counters.figures(of: "c", from: 0, in: $0), try Counters.figures(of: "d", from: 0, in: $0)
        )
      }
      #expect(one.counts[.viewers] == 2 && one.counts[.likes] == 1 && one.counts[.bookmarks] ?? 0 == 0)
      #expect(other.counts[.viewers] == 0 && other.counts[.bookmarks] == 1)
      #expect(one.days.isEmpty && one.sinceMs ?? 0 > 1_700_000_000_000)
      try await Counters.clips.fold(in: bench.database)
    }
  }

  @Test func everySourceIsCounted() async throws {
    let clip = try await bench.publishBare("clip")
    for (number, source) in WatchEvent.Source.allCases.enumerated() {
      try await watch(clip, by: "viewer-\(number)", number, from: source)
    }
    try await bench.instance.foldCounts()
    #expect(
      Set(try await insights(clip).found)
        == Set(WatchEvent.Source.allCases.map { .init(source: $0, impressions: 1, views: 1) }))
  }
}

/// Who is told.
@Suite(.everyEngine) struct InsightRequestTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  private static func status(_ clip: String, _ who: any Transport) async throws -> String {
    let answer = try await who.answer("GET", Route.clipInsights.path(clip))
    return answer.status == 200 ? "told" : answer.code ?? ""
  }

  @Test func onlyWhoseClipItIsLearnsHowItDoes() async throws {
    let url = try await bench.makeClip("one.mp4", seconds: 0.5, size: "64x96", sound: false, seed: 0)
    let file = try Data(contentsOf: url)
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    try await bench.serving(accounts: accounts) { [bench] socket async throws in
      let (phone, other) = (CookieJar(socket), CookieJar(socket))
      let upload = try await UploadRequests.publish(file, .unlisted, on: bench, phone)
      let clip = try #require(upload.clip?.id)
      let seen = event(1, .impression, clip, atMs: SystemTime().nowMs)
      #expect(try await Client(transport: other).send(WatchEvents([seen])).accepted == 1)
      #expect(try await Client(transport: phone).insights(ofClip: clip).impressions == 1)
      for stranger in [other, socket] as [any Transport] {
        #expect(try await Self.status(clip, stranger) == "clip_not_found")
      }
      #expect(try await Self.status("none", phone) == "clip_not_found")
      // It comes along with what the guest uploaded.
      let session = try await Client(transport: phone).signUp(NewAccount("mara", .cookie))
      #expect(try await Self.status(clip, phone) == "told")
      // What an operator published in somebody's name is theirs, too.
      let named = try await bench.publishBare("named", by: session.account.id)
      #expect(try await Self.status(named, phone) == "told")
      #expect(try await Self.status(named, other) == "clip_not_found")
      let clips = bench.instance.clips
      try await bench.instance.database.write { try clips.remove(named, in: $0) }
      #expect(try await Self.status(named, phone) == "clip_not_found")
      // What is deleted tells nothing, and all again once it is back.
      for (method, told) in [("DELETE", "clip_not_found"), ("PUT", "told")] {
        #expect(try await phone.answer(method, Route.uploadClip.path(upload.id)).status == 200)
        #expect(try await Self.status(clip, phone) == told)
      }
    }
  }

  @Test func whoWantsNoTracesIsOneMoreAndNoName() async throws {
    let clip = try await bench.publishBare("clip")
    try await bench.serving { [bench] transport async throws in
      let seen = event(1, .completion, clip, atMs: SystemTime().nowMs)
      let answer = try await transport.send(
        WireRequest(
          "POST", Route.events.path(), headers: ["content-type": "application/json", "sec-gpc": "1"],
          body: try WireCoding.encode(WatchEvents([seen]))))
      #expect(answer.status == 202)
      let figures = try await bench.instance.database.read {
        try Counters.figures(of: clip, from: 0, in: $0)
      }
      #expect(figures.counts[.views] == 1 && figures.counts[.viewers] == 1)
      #expect(try await bench.count("ranking_events") == 0)
    }
  }
}
