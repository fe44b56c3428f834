import Contract
import Feed
import Foundation
import Platform
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting
@testable import Watching

@Suite(.everyEngine) struct RetentionTests {
  private let bench: TestInstance
  private let time = TestTime(ms: 1_800_000_000_000)
  private let watching: WatchStore

  init() async throws {
    bench = try await TestInstance()
    watching = bench.instance.watching(time: time)
  }

  /// The clip lasts a second.
  private func leave(_ clip: String, by viewers: Range<Int>, ms: Int64 = 300) async throws {
    for viewer in viewers {
      let batch = WatchEvents([
        event(viewer, .impression, clip, atMs: time.nowMs),
        event(viewer + 100_000, .skip, clip, atMs: time.nowMs, watchedMs: ms),
      ])
      _ = try await watching.take(batch, of: "viewer-\(viewer)")
    }
  }

  private func playback(_ clip: String) async throws -> Playback {
    try await bench.instance.feed(.open).clip(id: clip, forOwner: false).playback
  }

  @Test func aClipHasACurveFromItsThirtiethStartOn() async throws {
    let (clip, other) = (try await bench.publishBare("clip"), try await bench.publishBare("other"))
    try await leave(clip, by: 0..<29)
    #expect(try await bench.instance.foldRetention() == 29)
    #expect(try await playback(clip).retention == nil)
    try await leave(clip, by: 29..<30)
    try await bench.instance.foldRetention()
    let known = try await playback(clip)
    #expect(known.retention?.first == 1_000_000)
    #expect(known.retentionVersion == 1)
    #expect(try await playback(other).retention == nil)
    // A tenth more makes it anew; less leaves it as it is.
    try await leave(clip, by: 30..<32)
    try await bench.instance.foldRetention()
    #expect(try await playback(clip) == known)
    try await leave(clip, by: 32..<33, ms: 900)
    try await bench.instance.foldRetention()
    #expect(try await playback(clip).retentionVersion == 2)
    #expect(try await bench.instance.foldRetention() == 0)
    #expect(try await bench.count("retention_changes") == 0)
  }

  @Test func aPageOfTheFeedSaysItAsTextsAndAsValues() async throws {
    let clip = try await bench.publishBare("clip")
    let captioned = try await bench.publishBare("captioned")
    let track = CaptionTrack(language: "de", label: "Deutsch", url: "/media/d.vtt", automatic: false)
    try await bench.instance.database.write { [bench] in
      try bench.instance.clips.setCaptions(track, of: captioned, in: $0)
    }
    try await leave(clip, by: 0..<40)
    try await leave(captioned, by: 40..<80)
    try await bench.instance.foldRetention()
    let feed = try await bench.instance.feed(.open)
    for viewer in [nil, "me"] {
      let page = try await feed.page(cursor: nil, limit: 5, for: viewer)
      let text = try await feed.text(cursor: nil, limit: 5, for: viewer)
      let read: FeedPage = try WireCoding.decode(from: Data(text.json(commentsOpen: false)))
      #expect(read.items.map(\.playback) == page.items.map(\.playback))
      #expect(page.items.allSatisfy { $0.playback.retention != nil })
    }
  }

  @Test func oneViewerIsNotThirty() async throws {
    let clip = try await bench.publishBare("clip")
    for number in 0..<60 {
      let skip = event(number, .skip, clip, atMs: time.nowMs, watchedMs: 100)
      _ = try await watching.take(WatchEvents([skip]), of: "one")
      time.advance(ms: 60_000)
    }
    // One for each half hour.
    #expect(try await bench.instance.foldRetention() == 2)
  }

  @Test func loopsLengthenTheCurveAndABatchThatComesAgainCountsOnce() async throws {
    let (short, long) = (try await bench.publishBare("short"), try await bench.publishBare("long"))
    for viewer in 0..<40 {
      for (clip, turns) in [(short, 1), (long, 6)] {
        let first = event(1, .completion, clip, atMs: time.nowMs, watchedMs: 1004)
        let loops = (1...turns).map {
          event(1 + $0, .loop, clip, atMs: time.nowMs, watchedMs: Int64($0) * 1000 + 4)
        }
        let batch = WatchEvents([first] + loops)
        for _ in 0..<3 { _ = try await watching.take(batch, of: "\(clip)-\(viewer)") }
      }
    }
    try await bench.instance.foldRetention()
    let (once, often) = (try await playback(short).retention, try await playback(long).retention)
    #expect(try #require(once)[2] < 300_000)
    #expect(try #require(often)[5] > 700_000)
  }

  @Test func manyFoldsAtOnceCountEachVisitOnce() async throws {
    let clip = try await bench.publishBare("clip")
    try await leave(clip, by: 0..<120)
    let other = try await bench.another()
    let folded = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<6 {
        group.addTask { [bench] in try await (number % 2 == 0 ? bench.instance : other).foldRetention() }
      }
      return try await group.reduce(0, +)
    }
    #expect(folded == 120)
    let text = try await bench.instance.database.read {
      try $0.query("SELECT tally FROM clip_retention")[0].text("tally")
    }
    #expect(RetentionTally(text: text).starts == 120)
  }

  @Test func whatBelongsToNoClipAnyMoreIsDropped() async throws {
    let clip = try await bench.publishBare("clip")
    try await leave(clip, by: 0..<40)
    try await bench.instance.foldRetention()
    try await leave(clip, by: 40..<50)
    try await bench.instance.database.write {
      try $0.execute("DELETE FROM clips WHERE id = ?", [.text(clip)])
    }
    try await bench.instance.foldRetention()
    #expect(try await bench.count("clip_retention") == 0)
    #expect(try await bench.count("retention_changes") == 0)
  }

  @Test func anInstanceThatWasThereBeforeKnowsItsLastMonth() async throws {
    let clip = try await bench.publishBare("clip")
    try await leave(clip, by: 0..<35)
    try await bench.instance.database.write { transaction in
      for statement in [
        "DROP TABLE retention_changes", "DROP TABLE clip_retention",
        "ALTER TABLE seen DROP COLUMN left_at_ms",
        "DELETE FROM schema_migrations WHERE name = '0032_retention'",
      ] { try transaction.execute(statement) }
    }
    try await bench.instance.migrate()
    #expect(try await bench.instance.foldRetention() == 35)
    #expect(try await playback(clip).retention != nil)
  }

  @Test func whatAGuestHasLeftTheAccountHasLeft() async throws {
    let clip = try await bench.publishBare("clip")
    let skip = event(1, .skip, clip, atMs: time.nowMs, watchedMs: 100)
    _ = try await watching.take(WatchEvents([skip]), of: "guest")
    try await bench.instance.database.write { [watching] in
      try watching.merge("guest", into: "account", in: $0)
    }
    let again = event(2, .skip, clip, atMs: time.nowMs + 1, watchedMs: 100)
    _ = try await watching.take(WatchEvents([again]), of: "account")
    #expect(try await bench.instance.foldRetention() == 1)
  }
}
