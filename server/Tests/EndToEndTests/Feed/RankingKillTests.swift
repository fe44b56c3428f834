import Foundation
import Platform
import Social
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import Recommendations
@testable import ServerTesting

/// A process of its own that is told of likes, learns them and keeps snapshots, as far as the fuse lets it.
enum DoomedRanking {
  static let rounds = 4
  /// How far its clock goes at most, in milliseconds.
  static let lengthMs = Int64(rounds + 2) * SnapshotStore.everyMs

  /// Each of `clips` is liked once. What is acknowledged is a line of the file.
  static func run(
    on data: String, at ms: Int64, by viewer: String, _ clips: [String], noting file: String, _ fuse: Fuse
  ) async throws {
    let instance = try await Instance.open(data)
    let time = TestTime(ms: ms)
    let store = store(
      FusedDatabase(real: instance.database, fuse: fuse), FusedBlobs(real: instance.sources, fuse: fuse),
      time, instance)
    let acknowledged = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    let size = (clips.count + rounds - 1) / rounds
    for start in stride(from: 0, to: clips.count, by: size) {
      for clip in clips[start..<min(start + size, clips.count)] {
        try await FusedDatabase(real: instance.database, fuse: fuse).write {
          try store.noted(.like, on: clip, by: viewer, in: $0)
        }
        try acknowledged.write(contentsOf: Data("\(clip)\n".utf8))
      }
      try await store.reader.follow()
      time.advance(ms: SnapshotStore.everyMs + 1)
      try await store.saveIfDue()
    }
  }

  static func store(
    _ database: any Database, _ blobs: any BlobStore, _ time: TestTime, _ instance: Instance
  ) -> RecommendationStore {
    RecommendationStore(
      database: database, time: time, blocking: Blocks(),
      state: instance.askedRanking(database, blobs: blobs, time: time))
  }
}

/// What a process has learned, wherever it is killed: while it is told of something, while it learns, and
/// while it keeps what it learned.
@Suite struct RankingKillTests {
  /// What the next process knows of a viewer, and what there is to know.
  private func likes(
    of viewer: String, at ms: Int64, in instance: Instance
  ) async throws -> (known: [String], logged: [String]) {
    let store = DoomedRanking.store(instance.database, instance.sources, TestTime(ms: ms), instance)
    try await store.reader.follow()
    let logged = try await instance.database.read {
      try $0.query(
        "SELECT clip_id FROM ranking_events WHERE viewer_id = ? AND kind = 'like' ORDER BY id",
        [.text(viewer)]
      ).map { try $0.text("clip_id") }
    }
    return (await store.engine.likes(of: viewer), logged)
  }

  @Test func whatWasAcknowledgedIsKnownToTheNextProcessOnceWhereverTheLastOneWasKilled() async throws {
    let bench = try await TestInstance()
    let instance = bench.instance
    var clips: [String] = []
    for number in 0..<12 { clips.append(try await bench.publishBare("clip \(number)")) }
    let file = bench.folder.appendingPathComponent("acknowledged").path
    let start = SystemTime().nowMs
    func begin(_ number: Int) throws -> Int64 {
      try Data().write(to: URL(fileURLWithPath: file))
      return start + Int64(number) * 2 * DoomedRanking.lengthMs
    }
    let counted = bench.folder.appendingPathComponent("counted").path
    // NB: in a process of its own, as the others: ids of one process only go up, and other tests of this one
    // may have been in the future.
    await #expect(processExitsWith: .success) {
      [
        data = instance.folder.path as String, ms = try begin(0) as Int64, clips = clips as [String],
        file = file as String, counted = counted as String
      ] in
      let count = Fuse()
      try await DoomedRanking.run(on: data, at: ms, by: "viewer 0", clips, noting: file, count)
      try Data("\(count.count)".utf8).write(to: URL(fileURLWithPath: counted))
    }
    let calls = try #require(Int(String(contentsOfFile: counted, encoding: .utf8)))
    #expect(calls > 60, "the fuse does not stand around all that is done")

    let kills = KillTests.kills
    var (some, all, saved) = (0, 0, 0)
    for number in 1...kills {
      let call = 1 + (number - 1) * (calls - 1) / max(1, kills - 1)
      let (viewer, ms) = ("viewer \(number)", try begin(number))
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          data = instance.folder.path as String, ms = ms as Int64, viewer = viewer as String,
          clips = clips as [String], file = file as String, call = call as Int
        ] in
        try await DoomedRanking.run(on: data, at: ms, by: viewer, clips, noting: file, Fuse(at: call))
        // Whoever comes through dies at the end.
        kill(getpid(), SIGKILL)
      }
      let acknowledged = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(
        String.init)
      let (known, logged) = try await likes(of: viewer, at: ms + DoomedRanking.lengthMs, in: instance)
      #expect(known == logged, "killed at \(call)")
      // What was committed and not yet said is one more, at most.
      #expect(Array(logged.prefix(acknowledged.count)) == acknowledged, "killed at \(call)")
      #expect((0...1).contains(logged.count - acknowledged.count), "killed at \(call)")
      // Nor is anything lost of those before.
      let before = try await likes(of: "viewer 0", at: ms + DoomedRanking.lengthMs, in: instance)
      #expect(before.known == clips, "killed at \(call)")
      if acknowledged.count == clips.count { all += 1 } else { some += 1 }
      if try await !instance.database.read({
        try $0.query("SELECT id FROM ranking_snapshots WHERE at_ms > ? AND id <> 'lease'", [.integer(ms)])
      }).isEmpty {
        saved += 1
      }
    }
    #expect(some > 0 && all > 0 && saved > 0, "no kill hit what is before, behind or between")
  }
}
