import Contract
import Foundation
import SQLite
import Testing

@testable import Composition
@testable import Platform
@testable import PlatformTesting
@testable import ServerTesting

@Suite(.everyEngine) struct CounterTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  private var database: any Platform.Database { bench.instance.database }

  private func count(_ counter: Counted, of clip: String) async throws -> Int {
    try await database.read { try Counters.clips.count(counter, of: clip, in: $0) }
  }

  private func pending() async throws -> Int64 {
    try await database.read { try $0.query("SELECT COUNT(*) AS n FROM clip_count_changes")[0].integer("n") }
  }

  private func add(_ change: Int, _ counter: Counted, to clip: String, times: Int = 1) async throws {
    let changes = Array(repeating: Counters.Change(clip, counter, by: change), count: times)
    try await database.write { try Counters.clips.add(changes, at: SystemTime(), in: $0) }
  }

  @Test func aCountIsTheSameBeforeAndAfterItIsFolded() async throws {
    let (clip, other) = (try await bench.publishBare("clip"), try await bench.publishBare("other"))
    for round in 1...3 {
      try await add(1, .likes, to: clip, times: 3)
      try await add(-1, .likes, to: clip)
      try await add(1, .views, to: clip)
      try await add(1, .likes, to: other)
      #expect(try await count(.likes, of: clip) == 2 * round)
      #expect(try await Counters.clips.fold(in: database) == 6)
      #expect(try await pending() == 0)
      #expect(try await count(.likes, of: clip) == 2 * round)
      #expect(try await count(.views, of: clip) == round)
      #expect(try await count(.likes, of: other) == round)
      #expect(try await count(.shares, of: clip) == 0)
    }
  }

  @Test func aFoldTakesManyBatchesAndFromAllSides() async throws {
    var clips: [String] = []
    for number in 0..<7 { clips.append(try await bench.publishBare("\(number)")) }
    for (index, clip) in clips.enumerated() {
      try await add(1, .views, to: clip, times: Counters.batch / 3 + index)
    }
    try await Counters.clips.fold(in: database)
    #expect(try await pending() == 0)
    for (index, clip) in clips.enumerated() {
      #expect(try await count(.views, of: clip) == Counters.batch / 3 + index)
    }
  }

  @Test func manyWhoFoldAndManyWhoCountAtTheSameTimeLoseNothing() async throws {
    let clip = try await bench.publishBare("clip")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<20 { try await self.add(1, .likes, to: clip, times: 5) }
        }
        group.addTask {
          for _ in 0..<20 { try await Counters.clips.fold(in: self.database) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await count(.likes, of: clip) == 400)
    try await Counters.clips.fold(in: database)
    #expect(try await count(.likes, of: clip) == 400)
  }

  @Test func whatAnotherProgramCountsWaitsForOneThatKnowsIt() async throws {
    let clip = try await bench.publishBare("clip")
    try await database.write {
      try $0.execute(
        "INSERT INTO clip_count_changes (clip_id, id, counter, change) VALUES (?, 'x', 'saves', 1)",
        [.text(clip)])
    }
    try await add(1, .likes, to: clip)
    #expect(try await Counters.clips.fold(in: database) == 1)
    #expect(try await pending() == 1)
    #expect(try await count(.likes, of: clip) == 1)
  }

  @Test func totalsFromBeforeTheyWereOneRowAreKept() async throws {
    let bench = try await DatabaseBench.upgraded(
      past: "0022_totals",
      with: [
        """
        INSERT INTO clip_counts (clip_id, counter, total)
        VALUES ('c', 'likes', 5), ('c', 'views', 9000000000), ('d', 'shares', 2), ('d', 'comments', 1)
        """,
        "INSERT INTO author_counts (author_id, counter, total) VALUES ('a', 'followers', 7)",
        "INSERT INTO clip_count_changes (clip_id, id, counter, change) VALUES ('c', 'x', 'likes', -1)",
      ])
    let none = Dictionary(uniqueKeysWithValues: Counted.reactions.map { ($0, 0) })
    let (clips, authors) = try await bench.database.read {
      (
        try Counters.clips.counts(of: ["c", "d"], in: $0),
        try Counters.authors.counts(of: ["a", "b"], in: $0)
      )
    }
    #expect(
      clips == [
        "c": [.likes: 4, .comments: 0, .shares: 0, .views: 9_000_000_000].merging(none) { known, _ in known },
        "d": [.likes: 0, .comments: 1, .shares: 2, .views: 0].merging(none) { known, _ in known },
      ])
    #expect(authors == ["a": [.followers: 7]])
  }

  @Test func reactionsFromBeforeTheyWereTotalsAreKept() async throws {
    let bench = try await DatabaseBench.upgraded(
      past: "0031_reactions_counted",
      with: [
        "INSERT INTO clip_totals (clip_id, likes, comments, shares, views) VALUES ('c', 5, 4, 3, 2)",
        "INSERT INTO reactions (clip_id, reaction, total) VALUES ('c', 'fire', 7), ('c', 'heart', 9), ('d', 'wow', 1)",
      ])
    let counts = try await bench.database.read { try Counters.clips.counts(of: ["c", "d"], in: $0) }
    #expect(
      counts["c"]?[Counted(.fire)] == 7 && counts["c"]?[Counted(.heart)] == 9 && counts["c"]?[.likes] == 5)
    #expect(counts["d"]?[Counted(.wow)] == 1 && counts["d"]?[Counted(.cry)] == 0 && counts["d"]?[.likes] == 0)
  }

  private struct Killed: Error {}

  /// After each of its statements in turn, as if the process had been killed there.
  @Test func aFoldThatIsCutOffAnywhereHasNotHappened() async throws {
    let clip = try await bench.publishBare("clip")
    var statements = 0
    while true {
      try await add(1, .likes, to: clip, times: 3)
      try await add(1, .views, to: clip, times: 2)
      let (likes, views) = (try await count(.likes, of: clip), try await count(.views, of: clip))
      let left = Shared(statements)
      let cut = HookedDatabase(database: database) { _, _ in
        if left.with({
          $0 -= 1; return $0 < 0
        }) {
          throw Killed()
        }
      }
      let isOver = (try? await Counters.clips.fold(in: cut)) != nil
      #expect(try await count(.likes, of: clip) == likes)
      #expect(try await count(.views, of: clip) == views)
      if isOver { break }
      statements += 1
    }
    // A look, the deletion, an addition to totals and one to days, and the look that finds nothing.
    #expect(statements == 5)
    #expect(try await pending() == 0)
  }

  @Test func whatWasCountedOnAClipThatIsGoneGoesToo() async throws {
    let (gone, stays) = (try await bench.publishBare("gone"), try await bench.publishBare("stays"))
    for clip in [gone, stays] { try await add(1, .likes, to: clip) }
    try await Counters.clips.fold(in: database)
    try await add(1, .likes, to: gone)
    try await database.write { try $0.execute("DELETE FROM clips WHERE id = ?", [.text(gone)]) }
    try await Counters.clips.fold(in: database)
    #expect(try await pending() == 0)
    #expect(try await count(.likes, of: gone) == 0)
    #expect(try await count(.likes, of: stays) == 1)
  }
}

// One after the other: each runs processes.
@Suite(.serialized, .everyEngine) struct CounterProcessTests {
  /// Ten thousand changes take a fold many transactions; it is killed as soon as the first is seen to be
  /// through.
  @Test func aServerThatIsKilledWhileItFoldsNeitherLosesNorRepeatsAChange() async throws {
    let bench = try await TestInstance()
    let instance = bench.instance
    let clip = try await bench.publishBare("clip")
    let pending = {
      try await instance.database.read {
        try $0.query("SELECT COUNT(*) AS n FROM clip_count_changes")[0].integer("n")
      }
    }
    var total = 0
    for _ in 0..<3 {
      let changes = Array(repeating: Counters.Change(clip, .views, by: 1), count: 10_000)
      try await instance.database.write { try Counters.clips.add(changes, at: SystemTime(), in: $0) }
      total += changes.count
      let before = try await pending()
      let program = try bench.program(["serve", "--port", "0", "--workers", "0"])
      while try await pending() == before { await Task.yield() }
      kill(program.process.processIdentifier, SIGKILL)
      program.process.waitUntilExit()
      #expect(
        try await instance.database.read { try Counters.clips.count(.views, of: clip, in: $0) } == total)
    }
    try await instance.foldCounts()
    #expect(try await pending() == 0)
    #expect(try await instance.database.read { try Counters.clips.count(.views, of: clip, in: $0) } == total)
  }
}
