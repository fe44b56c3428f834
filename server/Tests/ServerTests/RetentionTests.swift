import Contract
import Feed
import Foundation
import Platform
import Testing
import Videos

@testable import Composition
@testable import Watching

@Suite struct RetentionTallyTests {
  private static func tally(
    left: [Int64: Int], ends: [Int: Int]
  ) -> RetentionTally {
    var tally = RetentionTally()
    for (ms, count) in left { for _ in 0..<count { tally.leave(atMs: ms) } }
    for (turn, count) in ends { for _ in 0..<count { tally.end(turn: turn) } }
    return tally
  }

  @Test func fewerThanThirtyStartsAreNoCurve() {
    #expect(Self.tally(left: [500: 20], ends: [1: 9]).shares(durationMs: 10_000) == nil)
    #expect(Self.tally(left: [500: 20], ends: [1: 10]).shares(durationMs: 10_000) != nil)
    #expect(Self.tally(left: [500: 40], ends: [:]).shares(durationMs: 0) == nil)
  }

  @Test func manyStartsSayWhatTheyDid() throws {
    let tally = Self.tally(left: [400: 3000, 1600: 1000, 4999: 1000], ends: [1: 5000, 2: 2500, 3: 1250])
    let shares = try #require(tally.shares(durationMs: 5000))
    // Nobody left between the second and the fourth second; at the end half were there, and half of these a
    // turn later.
    for (second, share) in [(0, 1000), (1, 700), (2, 600), (4, 600), (5, 500), (10, 250), (15, 125)] {
      #expect(abs(shares[second] / 1000 - share) <= 8, "\(second) s: \(shares[second])")
    }
  }

  @Test func whatFewSaySpillsOverToTheirNeighbours() throws {
    let shares = try #require(Self.tally(left: [2500: 30], ends: [1: 30]).shares(durationMs: 6000))
    // All of them left in one second: it is taken for the next ones too, a little.
    let lost = zip(shares, shares.dropFirst()).map { $0 - $1 }
    #expect(lost[2] > 300_000 && lost[1] > 20_000 && lost[3] > 20_000, "\(lost)")
    #expect(lost[0] == 0)
  }

  @Test func aCurveNeverRisesNorComesToNothingWhateverIsCounted() throws {
    var chance = SplitMix(state: 3)
    for _ in 0..<500 {
      var tally = RetentionTally()
      for _ in 0..<Int.random(in: 30...200, using: &chance) {
        if Bool.random(using: &chance) {
          tally.leave(atMs: .random(in: 0...Limits.eventWatchedMs.upperBound, using: &chance))
        } else {
          tally.end(turn: .random(in: -3...(.max), using: &chance))
        }
      }
      tally.end(turn: 1)
      #expect(RetentionTally(text: tally.text) == tally)
      guard let shares = tally.shares(durationMs: .random(in: 1...600_000, using: &chance)) else { continue }
      #expect(shares[0] == 1_000_000 && shares.count <= RetentionTally.mostEntries)
      #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 >= $1 && $1 >= 1000 }, "\(shares)")
    }
  }

  @Test(arguments: ["", "|", "x|y", "1 2", "-1|2", "99999999999999999999|1", "1|2|3", "\u{0}|"])
  func whatIsNotUnderstoodIsAsGoodAsNothing(_ text: String) {
    #expect(RetentionTally(text: text).starts < 30)
  }
}

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
