import Contract
import Feed
import Foundation
import Platform
import SQLite
import Social
import Testing
import Watching

@testable import clipfeed

/// How the database goes about what happens with every swipe and tap: a change of it shows as a difference of a text. It
/// is written anew by `CLIPFEED_WRITE_GOLDENS=1`.
@Suite struct PlanTests {
  private let bench: Bench

  init() async throws { bench = try await Bench() }

  private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../fixtures/plans/sqlite.txt").standardizedFileURL

  @Test func everyHotStatementFindsItsRowsByAnIndex() async throws {
    let statements = Shared<[(sql: String, values: [SQLValue])]>([])
    let hooked = HookedDatabase(database: bench.instance.database) { sql, values in
      statements.with { $0.append((sql, values)) }
    }
    let instance = bench.instance
    let clip = try await bench.publishBare("one")
    for number in 0..<3 { try await bench.publishBare("\(number)") }
    let author = try await instance.feed(.open).page(cursor: nil, limit: 1).items[0].author.id
    // A stretch, so that what comes back is looked for.
    try await instance.database.write {
      try $0.execute("INSERT INTO feed_spans (viewer_id, spans, as_of_ms) VALUES ('a', '2-3', 0)")
    }
    let time = TestTime(ms: SystemTime().nowMs)
    let watching = instance.watching(on: hooked, time: time)
    let social = instance.social(on: hooked)
    let feed = instance.feed(on: hooked)
    let batch = WatchEvents(
      (0..<2).map { event($0, .completion, clip, atMs: time.nowMs) }, sentAtMs: time.nowMs)

    var text = ""
    var told: Set<String> = []
    for (what, work) in [
      (
        "A page of the feed for somebody who is not known", { _ = try await feed.page(cursor: nil, limit: 2) }
      ),
      ("A page of the feed for a viewer", { _ = try await feed.page(cursor: nil, limit: 2, for: "a") }),
      ("A batch of events", { _ = try await watching.take(batch, of: "a") }),
      ("A page of what was seen before", { _ = try await feed.page(cursor: nil, limit: 9, for: "a") }),
      ("A clip", { _ = try await feed.clip(id: clip, forOwner: false, for: "a") }),
      ("A like", { _ = try await social.like(clip, by: "a") }),
      ("A like taken back", { _ = try await social.unlike(clip, by: "a") }),
      ("A bookmark", { _ = try await social.bookmark(clip, by: "a") }),
      ("A follow", { _ = try await social.follow(author, by: "a") }),
      ("A block", { _ = try await social.block(author, by: "b") }),
      (
        "A page of the feed for who has blocked somebody",
        { _ = try await feed.page(cursor: nil, limit: 2, for: "b") }
      ),
      ("The list of blocks", { _ = try await social.blocks(of: "b", cursor: nil, limit: 2) }),
      ("A share", { _ = try await social.share(clip, by: "a", idempotencyKey: "one-share") }),
      ("The list of bookmarks", { _ = try await social.bookmarks(of: "a", cursor: nil, limit: 2) }),
      (
        "The list of those who are followed",
        { _ = try await social.following(of: "a", cursor: nil, limit: 2) }
      ),
      ("A fold of counts", { _ = try await Counters.clips.fold(in: hooked) }),
      ("The sweep of raw events", { try await watching.sweep() }),
    ] as [(String, () async throws -> Void)] {
      statements.with { $0 = [] }
      try await work()
      text += "# \(what)\n\n"
      for (sql, values) in statements.with({ $0 }) {
        let words = sql.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        text +=
          told.insert(words).inserted
          ? words + "\n" + (try await plan(of: sql, values)) + "\n" : words.prefix(80) + "…\n    as above\n\n"
      }
    }
    if ProcessInfo.processInfo.environment["CLIPFEED_WRITE_GOLDENS"] == "1" {
      try FileManager.default.createDirectory(
        at: Self.golden.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: Self.golden)
    }
    #expect(text == String(decoding: try Data(contentsOf: Self.golden), as: UTF8.self))
    for line in text.split(separator: "\n") where line.contains("    SCAN ") {
      // What a statement made itself may be gone through.
      #expect(
        ["SCAN (subquery-", "SCAN counted", "CONSTANT ROW"].contains { line.contains($0) }
          || line.contains("USING"), "\(line)")
    }
  }

  private func plan(of sql: String, _ values: [SQLValue]) async throws -> String {
    let rows = try await bench.instance.database.read {
      try $0.query("EXPLAIN QUERY PLAN " + sql, values).map { try $0.text("detail") }
    }
    return rows.map { "    \($0)\n" }.joined()
  }
}
