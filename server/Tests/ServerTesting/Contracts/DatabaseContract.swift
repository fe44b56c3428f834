import Contract
import Foundation
import Platform
import Synchronization
import Testing

@testable import PlatformTesting

/// The obligations of the `Database` port, one case each, on every implementation.
@Suite(.everyEngine) struct DatabaseContract {
  let bench: DatabaseBench
  var database: any Database { bench.database }

  init() async throws {
    bench = try await DatabaseBench()
    let schema = Migration(
      "schema",
      [
        "CREATE TABLE things (id TEXT PRIMARY KEY, n BIGINT, words TEXT, CHECK (n <> -13))",
        "CREATE TABLE parts (thing TEXT NOT NULL REFERENCES things (id), name TEXT NOT NULL)",
      ])
    try await Migrator(database: database, migrations: [schema]).migrate()
  }

  private func put(_ id: String, _ n: Int64? = 0, _ words: String? = nil) async throws {
    try await database.write {
      try $0.execute(
        "INSERT INTO things (id, n, words) VALUES (?, ?, ?)", [.text(id), SQLValue(n), SQLValue(words)])
    }
  }

  private func number(_ id: String) async throws -> Int64? {
    try await database.read {
      try $0.query("SELECT n FROM things WHERE id = ?", [.text(id)]).first?.optionalInteger("n")
    }
  }

  private func ids() async throws -> [String] {
    try await database.read { try $0.query("SELECT id FROM things ORDER BY id").map { try $0.text("id") } }
  }

  // MARK: Transactions

  @Test func whatAWriteReturnedFromIsSeenByEverybodyAfterIt() async throws {
    let other = try bench.another()
    for n in 1...20 {
      try await put("\(n)", Int64(n))
      for database in [database, other] {
        let rows = try await database.read {
          try $0.query("SELECT n FROM things WHERE id = ?", [.text("\(n)")])
        }
        #expect(try rows.map { try $0.integer("n") } == [Int64(n)])
      }
    }
  }

  @Test func aReadSeesOneStateHoweverMuchIsWrittenMeanwhile() async throws {
    try await put("before")
    let (began, go) = (Latch(), Latch())
    async let counts = database.read { transaction in
      func count() throws -> Int64 {
        try transaction.query("SELECT COUNT(*) AS n FROM things")[0].integer("n")
      }
      let first = try count()
      began.open()
      go.wait()
      return [first, try count()]
    }
    await began.opened()
    try await put("meanwhile")
    go.open()
    #expect(try await counts == [1, 1])
    #expect(try await ids() == ["before", "meanwhile"])
  }

  @Test func nothingOfABodyStaysThatThrows() async throws {
    struct Change: Error {}
    await #expect(throws: Change.self) {
      try await database.write {
        try $0.execute("INSERT INTO things (id) VALUES ('a')")
        #expect(try $0.query("SELECT id FROM things").count == 1, "a transaction sees what it did")
        throw Change()
      }
    }
    #expect(try await ids().isEmpty)
  }

  @Test func whatIsWantedAfterACommitIsDoneOnceInOrderAndOnlyThen() async throws {
    struct Broken: Error {}
    let done = Mutex<[String]>([])
    @Sendable func note(_ words: String) -> @Sendable () -> Void { { done.withLock { $0.append(words) } } }
    try await database.write { transaction in
      try transaction.execute("INSERT INTO things (id) VALUES ('a')")
      transaction.afterCommit("first", note("kept"))
      transaction.afterCommit("second", note("kept as well"))
      transaction.afterCommit("first", note("kept twice"))
      #expect(done.withLock { $0 } == [])
    }
    #expect(done.withLock { $0 } == ["kept", "kept as well"])
    await #expect(throws: Broken.self) {
      try await database.write { transaction in
        try transaction.execute("INSERT INTO things (id) VALUES ('b')")
        transaction.afterCommit("first", note("lost"))
        throw Broken()
      }
    }
    // A statement that failed, and whose error was caught.
    await #expect(throws: (any Error).self) {
      try await database.write { transaction in
        transaction.afterCommit("first", note("lost"))
        _ = try? transaction.execute("INSERT INTO things (id) VALUES ('a')")
      }
    }
    try await database.read { transaction in
      _ = try transaction.query("SELECT id FROM things")
      transaction.afterCommit("first", note("read"))
    }
    #expect(done.withLock { $0 } == ["kept", "kept as well"])
  }

  @Test func aReadChangesNothing() async throws {
    await #expect(throws: (any Error).self) {
      try await database.read { try $0.query("INSERT INTO things (id) VALUES ('a') RETURNING id") }
    }
    #expect(try await ids().isEmpty)
    try await put("b")
  }

  @Test func aStatementByItselfIsAReadAsWell() async throws {
    try await put("a", 3)
    let sum = "SELECT SUM(n) AS n FROM things WHERE id <> ?"
    #expect(try await database.readOnce { try $0.query(sum, ["b"])[0].integer("n") } == 3)
    await #expect(throws: (any Error).self) {
      try await database.readOnce { try $0.query("INSERT INTO things (id) VALUES ('b') RETURNING id") }
    }
    await #expect(throws: (any Error).self) { try await database.readOnce { try $0.query("SELECT missing") } }
    #expect(try await ids() == ["a"])
    try await put("c", 4)
    #expect(try await database.readOnce { try $0.query(sum, ["b"])[0].integer("n") } == 7)
  }

  @Test func rowsWhereTheyStandSayWhatRowsSay() async throws {
    struct Change: Error {}
    try await put("é", .max)
    try await put("", -1)
    let sql = "SELECT id, n, NULL AS gap FROM things WHERE n <> ? ORDER BY id"
    for isOnce in [false, true] {
      let look: @Sendable (any Transaction) throws -> [[String?]] = { transaction in
        var seen: [[String?]] = []
        try transaction.query(sql, [7]) { row in
          seen.append([
            row.text(0), row.integer(1).map(String.init), row.text(2), row.integer(2).map(String.init),
          ])
          #expect(row.integer(0) == nil)
        }
        return seen
      }
      let seen = isOnce ? try await database.readOnce(look) : try await database.read(look)
      #expect(seen == [["", "-1", nil, nil], ["é", "\(Int64.max)", nil, nil]])
    }
    // What stops in the middle leaves nothing behind.
    await #expect(throws: Change.self) {
      try await database.read { try $0.query(sql, [7]) { _ in throw Change() } }
    }
    #expect(try await ids() == ["", "é"])
  }

  @Test func aStatementThatFailedEndsTheTransactionEvenIfItsErrorIsCaught() async throws {
    try await put("a")
    await #expect(throws: ConstraintViolation.self) {
      try await database.write {
        try $0.execute("INSERT INTO things (id) VALUES ('b')")
        _ = try? $0.execute("INSERT INTO things (id) VALUES ('a')")
      }
    }
    await #expect(throws: ConstraintViolation.self) {
      try await database.write {
        _ = try? $0.execute("INSERT INTO things (id) VALUES ('a')")
        try $0.execute("INSERT INTO things (id) VALUES ('b')")
      }
    }
    #expect(try await ids() == ["a"])
  }

  @Test func aBodyMaySayWhatAFailureMeans() async throws {
    try await put("a")
    await #expect(throws: AppError(.idempotencyKeyReused)) {
      try await database.write {
        do {
          try $0.execute("INSERT INTO things (id) VALUES ('a')")
        } catch is ConstraintViolation {
          throw AppError(.idempotencyKeyReused)
        }
      }
    }
  }

  @Test(arguments: [
    ("INSERT INTO things (id) VALUES ('a')", ConstraintViolation.Rule.unique),
    ("INSERT INTO parts (thing, name) VALUES ('secret value', 'x')", .reference),
    ("INSERT INTO parts (thing, name) VALUES ('a', NULL)", .notNull),
    ("INSERT INTO things (id, n) VALUES ('secret value', -13)", .check),
    ("DELETE FROM things WHERE id = 'a'", .reference),
  ])
  func aBrokenRuleIsNamedWithoutTheValues(_ sql: String, _ rule: ConstraintViolation.Rule) async throws {
    try await put("a")
    try await database.write { try $0.execute("INSERT INTO parts (thing, name) VALUES ('a', 'part')") }
    let error = await #expect(throws: ConstraintViolation.self) {
      try await database.write { try $0.execute(sql) }
    }
    #expect(error?.rule == rule)
    #expect(error?.description.contains("secret") == false)
  }

  @Test func nonsenseIsAnErrorAndTheDatabaseGoesOn() async throws {
    await #expect(throws: (any Error).self) { try await database.write { try $0.execute("SELEKT") } }
    await #expect(throws: (any Error).self) {
      try await database.read { try $0.query("SELECT x FROM nowhere") }
    }
    try await put("a")
    #expect(try await ids() == ["a"])
  }

  // MARK: Values

  @Test(arguments: [.min, -1, 0, 1, 4_294_967_296, .max] as [Int64])
  func numbersComeBackAsTheyWere(_ n: Int64) async throws {
    try await put("a", n)
    #expect(try await number("a") == n)
  }

  @Test func textsComeBackAsTheyWere() async throws {
    let texts = [
      "", " ", "'", "\"", "\\", "?", "$1", "%_", "\r\n\t\u{1}\u{7F}", "e\u{301}", "é", "👩‍👩‍👧‍👦", "\u{202E}",
      "\u{FFFF}",
      "'; DROP TABLE things; --", String(repeating: "long ", count: 400_000),
    ]
    for (number, text) in texts.enumerated() { try await put("\(number)", nil, text) }
    let rows = try await database.read { try $0.query("SELECT id, n, words FROM things") }
    #expect(rows.count == texts.count)
    for row in rows {
      let text = try row.text("words")
      // NB: bytes, since "é" and "e" with an accent are equal to Swift.
      #expect(Array(text.utf8) == Array(texts[Int(try row.text("id"))!].utf8))
      #expect(row.optionalInteger("n") == nil)
    }
    #expect(
      try await database.read { try $0.query("SELECT id FROM things WHERE words = ?", ["'"]).count } == 1)
  }

  @Test func aTextWithANullCharacterIsRefusedAsTheRequestThatBroughtIt() async throws {
    for text in ["\0", "a\0", "\0b", "a\0b"] {
      let error = await #expect(throws: AppError.self) { try await put("a", 0, text) }
      #expect(error?.code == .requestRefused)
      await #expect(throws: AppError.self) {
        try await database.read { try $0.query("SELECT id FROM things WHERE words = ?", [.text(text)]) }
      }
    }
    #expect(try await ids().isEmpty)
  }

  @Test func sumsCountsAndTruthsAreNumbers() async throws {
    for n in 1...4 { try await put("\(n)", Int64(n) * 3_000_000_000) }
    let row = try await database.read {
      try $0.query(
        """
        SELECT COUNT(*) AS many, SUM(n) AS sum, COALESCE(SUM(CASE WHEN n > ? THEN 1 ELSE 0 END), 0) AS big, MAX(n) AS most,
            SUM(n) / COUNT(*) AS mean, COALESCE(MAX(n), 0) + 1 AS next, ? * 1000 AS thousand, MIN(words) AS none
        FROM things
        """, [6_000_000_000, 5_000_000_000])[0]
    }
    #expect(try row.integer("many") == 4)
    #expect(try row.integer("sum") == 30_000_000_000)
    #expect(try row.integer("big") == 2)
    #expect(try row.integer("most") == 12_000_000_000)
    #expect(try row.integer("mean") == 7_500_000_000)
    #expect(try row.integer("next") == 12_000_000_001)
    #expect(try row.integer("thousand") == 5_000_000_000_000)
    #expect(row.optionalText("none") == nil)
    #expect(try await database.read { try $0.query("SELECT 2 > 1 AS yes")[0].integer("yes") } == 1)
  }

  @Test func marksInTextsAndCommentsAreNoPlaceholders() async throws {
    let row = try await database.read {
      try $0.query(
        "SELECT '?' AS \"a?\", 'it''s ?' AS b, ? AS c -- what?\n, /* or ? */ ? AS d", ["three", "four"])[0]
    }
    #expect(try row.text("a?") == "?" && row.text("b") == "it's ?")
    #expect(try row.text("c") == "three" && row.text("d") == "four")
  }

  @Test func theNumberOfRowsThatChangedIsTold() async throws {
    for n in 1...3 { try await put("\(n)", 0) }
    let counts = try await database.write { transaction in
      [
        try transaction.execute("UPDATE things SET n = 1 WHERE id <> ?", ["1"]),
        try transaction.execute("UPDATE things SET n = 1 WHERE id = 'none'"),
        try transaction.execute("INSERT INTO things (id) VALUES ('1') ON CONFLICT (id) DO NOTHING"),
        try transaction.execute(
          "INSERT INTO things (id, n) VALUES ('1', 7) ON CONFLICT (id) DO UPDATE SET n = excluded.n"),
        try transaction.execute("DELETE FROM things"),
      ]
    }
    #expect(counts == [2, 0, 0, 1, 3])
  }

  @Test func textIsSortedByItsBytes() async throws {
    let texts = ["b", "a", "B", "_", "é", "Z", "a-b", "ab", "a b", "10", "9", "-", "~"]
    for text in texts { try await put(text) }
    #expect(try await ids() == texts.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
    #expect(
      try await database.read { try $0.query("SELECT id FROM things WHERE id > 'Z' ORDER BY id LIMIT 1") }
        .map { try $0.text("id") } == ["_"])
  }

  // MARK: Writers at the same time

  private func atOnce(_ count: Int, _ work: @escaping @Sendable (Int) async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count { group.addTask { try await work(number) } }
      try await group.waitForAll()
    }
  }

  @Test func additionsInTheDatabaseAreExactHoweverManyWrite() async throws {
    try await put("a")
    let other = try bench.another()
    try await atOnce(100) { [database] number in
      _ = try await (number % 2 == 0 ? database : other).write {
        try $0.execute("UPDATE things SET n = n + 1 WHERE id = 'a'")
      }
    }
    #expect(try await number("a") == 100)
  }

  @Test func whoHoldsALockReadsAndWritesAsIfAlone() async throws {
    try await put("a")
    let other = try bench.another()
    try await atOnce(60) { [database] number in
      try await (number % 2 == 0 ? database : other).write { transaction in
        try transaction.lock("a")
        try transaction.lock("a")
        let n = try transaction.query("SELECT n FROM things WHERE id = 'a'")[0].integer("n")
        try transaction.execute("UPDATE things SET n = ? WHERE id = 'a'", [.integer(n + 1)])
      }
    }
    #expect(try await number("a") == 60)
  }

  @Test func whoHoldsRowsReadsAndWritesThemAsIfAlone() async throws {
    try await put("a")
    try await atOnce(60) { [database] _ in
      try await database.write { transaction in
        let n = try transaction.query("SELECT n FROM things WHERE id = ?", ["a"], locking: .wait)[0].integer(
          "n")
        try transaction.execute("UPDATE things SET n = ? WHERE id = 'a'", [.integer(n + 1)])
      }
    }
    #expect(try await number("a") == 60)
  }

  @Test func workOfWhichAnybodyMayTakeAnyIsTakenOnce() async throws {
    for n in 1...40 { try await put("\(n)", 0) }
    let taken = Mutex<[String]>([])
    try await atOnce(8) { [database] _ in
      var misses = 0
      while misses < 3 {
        let id = try await database.write { transaction -> String? in
          let rows = try transaction.query(
            "SELECT id FROM things WHERE n = 0 ORDER BY id LIMIT 1", [], locking: .skip)
          guard let id = try rows.first?.text("id") else { return nil }
          try transaction.execute("UPDATE things SET n = 1 WHERE id = ?", [.text(id)])
          return id
        }
        if let id { taken.withLock { $0.append(id) } } else { misses += 1 }
      }
    }
    #expect(taken.withLock { $0 }.sorted() == (1...40).map(String.init).sorted())
  }

  @Test func whoComesSecondWithTheSameFindsWhatTheFirstMade() async throws {
    let made = Mutex(0)
    try await atOnce(30) { [database] number in
      let changed = try await database.write { transaction in
        let changed = try transaction.execute(
          "INSERT INTO things (id, n) VALUES ('only', ?) ON CONFLICT (id) DO NOTHING", [SQLValue(number)])
        #expect(try transaction.query("SELECT n FROM things WHERE id = 'only'").count == 1)
        return changed
      }
      made.withLock { $0 += changed }
    }
    #expect(made.withLock { $0 } == 1)
  }

  @Test func transactionsThatStandInEachOthersWayAllEndWell() async throws {
    for id in ["a", "b"] { try await put(id) }
    try await atOnce(24) { [database] number in
      // Who meets others again and again is told to come again, and nothing of it stayed.
      while true {
        do {
          try await database.write {
            for id in number % 2 == 0 ? ["a", "b"] : ["b", "a"] {
              try $0.execute("UPDATE things SET n = n + 1 WHERE id = ?", [.text(id)])
            }
          }
          return
        } catch let error as AppError where error.code == .unavailable {}
      }
    }
    #expect(try await number("a") == 24)
    #expect(try await number("b") == 24)
  }

  @Test func aTaskThatIsCancelledWaitsForNothing() async throws {
    let task = Task { [database] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await database.write { try $0.execute("INSERT INTO things (id) VALUES ('a')") }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await ids().isEmpty)
  }

  // MARK: The schema

  @Test func processesThatStartTogetherTakeEachStepOnce() async throws {
    let steps = (1...8).map {
      Migration(
        "step \($0)",
        ["CREATE TABLE step_\($0) (id TEXT PRIMARY KEY)", "CREATE INDEX i_\($0) ON step_\($0) (id)"])
    }
    let fresh = try await DatabaseBench()
    let applied = Mutex<[String]>([])
    try await atOnce(6) { _ in
      let names = try await Migrator(database: try fresh.another(), migrations: steps).migrate()
      applied.withLock { $0 += names }
    }
    #expect(applied.withLock { $0 }.sorted() == steps.map(\.name))
    #expect(try await Migrator(database: fresh.database, migrations: steps).missing().isEmpty)
  }

  @Test func aStepThatFailsLeavesNothingAndIsMissing() async throws {
    let steps = [
      Migration("good", ["CREATE TABLE good (id TEXT)"]),
      Migration("bad", ["CREATE TABLE half (id TEXT)", "CREATE TABLE half (id TEXT)"]),
    ]
    let migrator = Migrator(database: database, migrations: steps)
    #expect(try await migrator.missing() == ["good", "bad"])
    await #expect(throws: (any Error).self) { try await migrator.migrate() }
    #expect(try await migrator.missing() == ["bad"])
    await #expect(throws: (any Error).self) {
      try await database.read { try $0.query("SELECT id FROM half") }
    }
  }

  @Test func aStepMaySayToEachEngineWhatItUnderstands() async throws {
    let step = Migration(
      "own words", ["CREATE TABLE own (id TEXT) STRICT"], postgreSQL: ["CREATE UNLOGGED TABLE own (id TEXT)"])
    try await Migrator(database: database, migrations: [step]).migrate()
    #expect(try await database.read { try $0.query("SELECT id FROM own").isEmpty })
  }
}
