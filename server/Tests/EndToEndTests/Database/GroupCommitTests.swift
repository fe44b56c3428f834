import Platform
import Synchronization
import Testing

@testable import PlatformTesting
@testable import SQLite
@testable import ServerTesting

/// Writes of one moment are committed together, and each is done and answered as if it were alone.
@Suite struct GroupCommitTests {
  private let bench: DatabaseBench
  private let database: SQLiteDatabase

  init() async throws {
    bench = try await DatabaseBench(.sqlite)
    database = try #require(bench.database as? SQLiteDatabase)
    try await database.write { transaction in
      try transaction.execute("CREATE TABLE places (id TEXT PRIMARY KEY, writer BIGINT NOT NULL)")
      try transaction.execute("INSERT INTO places (id, writer) VALUES ('taken', 0)")
    }
  }

  private struct Refusal: Error {}

  /// What is done while a write runs, for which all others wait.
  private func duringAnother(_ work: () async throws -> Void) async throws {
    let (begun, latch) = (Latch(), Latch())
    let first = Task {
      try await database.write { _ in
        begun.open()
        latch.wait()
      }
    }
    await begun.opened()
    do {
      defer { latch.open() }
      try await work()
    }
    try await first.value
  }

  /// So many writes that wait together; then their results, in their order.
  private func together(
    _ count: Int, _ body: @escaping @Sendable (Int, any Transaction) throws -> Int
  ) async throws -> [Result<Int, any Error>] {
    var writes: [Task<Int, any Error>] = []
    try await duringAnother {
      for number in 0..<count {
        writes.append(Task { try await database.write { try body(number, $0) } })
        try await eventually("the write waits") { database.waitingWrites == number + 1 }
      }
    }
    var results: [Result<Int, any Error>] = []
    for write in writes { results.append(await write.result) }
    return results
  }

  private func writers() async throws -> [Int64] {
    try await database.read {
      try $0.query("SELECT writer FROM places ORDER BY writer").map { try $0.integer("writer") }
    }
  }

  /// NB: SQLite's library says another thing of itself once it has opened the file.
  @Test func whatWasAnsweredIsOnTheDisk() async throws {
    // FULL: a commit waits for the disk.
    #expect(try await database.write { try $0.query("PRAGMA synchronous")[0].integer("synchronous") } == 2)
  }

  @Test func manyAreDoneInTheirOrderAndSeeEachOther() async throws {
    let told = Mutex<[Int]>([])
    let results = try await together(GroupCommit.most * 2) { number, transaction in
      transaction.afterCommit("\(number)") { told.withLock { $0.append(number) } }
      try transaction.execute(
        "INSERT INTO places (id, writer) VALUES (?, ?)", [.text("\(number)"), SQLValue(number + 1)])
      return Int(try transaction.query("SELECT COUNT(*) AS n FROM places")[0].integer("n"))
    }
    #expect(try results.map { try $0.get() } == (0..<GroupCommit.most * 2).map { $0 + 2 })
    #expect(told.withLock { $0 } == Array(0..<GroupCommit.most * 2))
    #expect(try await writers().count == GroupCommit.most * 2 + 1)
  }

  /// One that refuses before it has written costs the others nothing.
  @Test func whoRefusesLeavesTheOthersAsTheyAre() async throws {
    let runs = Mutex(0)
    let results = try await together(9) { number, transaction in
      runs.withLock { $0 += 1 }
      transaction.afterCommit("x") { if number == 4 { Issue.record("told of what was not kept") } }
      guard number != 4, try transaction.query("SELECT 1 AS one").count == 1 else { throw Refusal() }
      try transaction.execute(
        "INSERT INTO places (id, writer) VALUES (?, ?)", [.text("\(number)"), SQLValue(number)])
      return number
    }
    #expect(
      results.enumerated().allSatisfy { number, result in (try? result.get()) == (number == 4 ? nil : number)
      })
    #expect(throws: Refusal.self) { try results[4].get() }
    #expect(try await writers() == [0, 0, 1, 2, 3, 5, 6, 7, 8])
    #expect(runs.withLock { $0 } == 9)
  }

  @Test func theOthersStayTogetherBehindOneThatFailsLate() async throws {
    let runs = Mutex<[Int: Int]>([:])
    let results = try await together(8) { number, transaction in
      runs.withLock { $0[number, default: 0] += 1 }
      try transaction.execute(
        "INSERT INTO places (id, writer) VALUES (?, ?)", [.text("\(number)"), SQLValue(number)])
      guard number != 4 else { throw Refusal() }
      return number
    }
    #expect(results.compactMap { try? $0.get() } == [0, 1, 2, 3, 5, 6, 7])
    #expect(throws: Refusal.self) { try results[4].get() }
    #expect(try await writers() == [0, 0, 1, 2, 3, 5, 6, 7])
    #expect(runs.withLock { $0 } == [0: 2, 1: 2, 2: 2, 3: 2, 4: 2, 5: 1, 6: 1, 7: 1])
  }

  /// By a throw after a write, by a rule of the schema, and by a fault that the body has caught.
  @Test func nothingStaysOfWhoFailsLateAndAllOfTheOthers() async throws {
    let told = Mutex<[Int]>([])
    let results = try await together(12) { number, transaction in
      transaction.afterCommit("x") { told.withLock { $0.append(number) } }
      try transaction.execute(
        "INSERT INTO places (id, writer) VALUES (?, ?)", [.text("\(number)"), SQLValue(number)])
      if number == 3 { throw Refusal() }
      if number == 5 { try transaction.execute("INSERT INTO places (id, writer) VALUES ('taken', 5)") }
      if number == 7 { _ = try? transaction.execute("INSERT INTO places (id, writer) VALUES ('taken', 7)") }
      return number
    }
    #expect(throws: Refusal.self) { try results[3].get() }
    #expect(throws: ConstraintViolation.self) { try results[5].get() }
    #expect(throws: ConstraintViolation.self) { try results[7].get() }
    let kept = [0, 1, 2, 4, 6, 8, 9, 10, 11]
    #expect(results.compactMap { try? $0.get() } == kept)
    #expect(told.withLock { $0 } == kept)
    #expect(try await writers() == [0] + kept.map(Int64.init))
  }

  @Test func whoIsCancelledWhileWaitingIsLeftOut() async throws {
    var writes: [Task<Int, any Error>] = []
    try await duringAnother {
      writes = (0..<3).map { number in
        Task {
          try await database.write {
            try $0.execute(
              "INSERT INTO places (id, writer) VALUES (?, ?)", [.text("\(number)"), SQLValue(number)])
          }
        }
      }
      try await eventually("all wait") { database.waitingWrites == 3 }
      writes[1].cancel()
    }
    for write in [writes[0], writes[2]] { #expect(try await write.value == 1) }
    await #expect(throws: CancellationError.self) { try await writes[1].value }
    #expect(try await writers() == [0, 0, 2])
  }

  /// The commit of all fails, by what one of them did.
  @Test func aCommitThatFailsIsMadeForEachByItself() async throws {
    try await database.write {
      try $0.execute(
        """
        CREATE TABLE parts (id TEXT PRIMARY KEY,
            place TEXT NOT NULL REFERENCES places (id) DEFERRABLE INITIALLY DEFERRED)
        """)
    }
    let results = try await together(5) { number, transaction in
      let place = number == 2 ? "nowhere" : "taken"
      try transaction.execute(
        "INSERT INTO parts (id, place) VALUES (?, ?)", [.text("\(number)"), .text(place)])
      return number
    }
    #expect(results.compactMap { try? $0.get() } == [0, 1, 3, 4])
    let parts = try await database.read {
      try $0.query("SELECT id FROM parts ORDER BY id").map { try $0.text("id") }
    }
    #expect(parts == ["0", "1", "3", "4"])
  }
}
