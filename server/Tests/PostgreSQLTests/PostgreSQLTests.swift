import ArgumentParser
import Configured
import Contract
import Foundation
import Logging
import Platform
import Synchronization
import Testing

@testable import Composition
@testable import Options
@testable import PlatformTesting
@testable import PostgreSQL
@testable import ServerTesting

/// What the PostgreSQL driver promises beyond the port's contract.
@Suite(.enabled(if: PostgresServer.isThere)) struct PostgreSQLTests {
  private func bench(_ change: (inout PostgreSQLLimits) -> Void = { _ in }) async throws -> DatabaseBench {
    var limits = PostgreSQLLimits.patient
    change(&limits)
    let bench = try await DatabaseBench(.postgreSQL, limits: limits)
    // By another, whose limits are not those under test.
    try await bench.another().write { try $0.execute("CREATE TABLE things (id TEXT PRIMARY KEY, n BIGINT)") }
    return bench
  }

  private func count(_ database: any Database) async throws -> Int64 {
    try await database.read { try $0.query("SELECT COUNT(*) AS n FROM things")[0].integer("n") }
  }

  /// Ends all other connections to the database, as an operator or a failover does.
  private static func endOthers(_ transaction: any Transaction) throws {
    _ = try transaction.query(
      """
      SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
  }

  // MARK: A server that goes away

  @Test func connectionsThatWereEndedWhileIdleAreNotNoticedByAnybody() async throws {
    let bench = try await bench()
    // Several connections.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for n in 0..<8 {
        group.addTask {
          _ = try await bench.database.write {
            try $0.execute("INSERT INTO things (id, n) VALUES (?, 0)", [SQLValue("\(n)")])
          }
        }
      }
      try await group.waitForAll()
    }
    let other = try bench.another()
    try await other.write(Self.endOthers)
    for _ in 0..<16 { #expect(try await count(bench.database) == 8) }
    try await other.write(Self.endOthers)
    try await bench.database.write { try $0.execute("UPDATE things SET n = 1") }
  }

  @Test func aTransactionWhoseConnectionBreaksBeforeItsEndIsDoneOnceOnAnother() async throws {
    let bench = try await bench()
    let runs = Mutex(0)
    try await bench.database.write { transaction in
      try transaction.execute("INSERT INTO things (id) VALUES ('a')")
      let isFirst = runs.withLock { runs in
        runs += 1
        return runs == 1
      }
      if isFirst { _ = try transaction.query("SELECT pg_terminate_backend(pg_backend_pid()) AS ended") }
    }
    #expect(runs.withLock { $0 } == 2)
    #expect(try await count(bench.database) == 1)
  }

  @Test func aConnectionThatBreaksEveryTimeIsGivenUpOn() async throws {
    let bench = try await bench()
    let runs = Mutex(0)
    let error = await #expect(throws: AppError.self) {
      try await bench.database.write { transaction in
        runs.withLock { $0 += 1 }
        _ = try transaction.query("SELECT pg_terminate_backend(pg_backend_pid()) AS ended")
      }
    }
    #expect(error?.code == .unavailable)
    #expect(runs.withLock { $0 } == 2)
  }

  @Test func aWriteWhoseAnswerWasLostIsReportedAsUnknownAndNotDoneAgain() async throws {
    let bench = try await bench()
    let address = try #require(bench.address)
    let proxy = try CuttingProxy(to: try #require(address.parameters["port"].flatMap(Int.init)))
    let name = try #require(address.parameters["dbname"])
    var parts = try #require(URLComponents(string: PostgresServer.url(name)))
    parts.port = proxy.port
    parts.query = "sslmode=disable"
    let database = PostgreSQLDatabase(try PostgreSQLAddress(try #require(parts.string)))
    try await database.write { try $0.execute("INSERT INTO things (id) VALUES ('kept')") }
    // With its end: a BEGIN says READ COMMITTED.
    proxy.cutsAfter("COMMIT\0")
    let runs = Mutex(0)
    let told = Mutex(0)
    let error = await #expect(throws: AppError.self) {
      try await database.write { transaction in
        runs.withLock { $0 += 1 }
        transaction.afterCommit("told") { told.withLock { $0 += 1 } }
        try transaction.execute("INSERT INTO things (id) VALUES ('in doubt')")
      }
    }
    #expect(error == .inDoubt)
    #expect(runs.withLock { $0 } == 1)
    #expect(told.withLock { $0 } == 1, "whoever keeps something made of it must look again")
    // The server had kept it; only its answer never came.
    #expect(try await count(bench.database) == 2)
    #expect(try await count(database) == 2, "the next one has a connection again")
  }

  @Test func whereThereIsNoServerEverybodyIsToldAtOnce() async throws {
    let nowhere = PostgreSQLDatabase(
      try PostgreSQLAddress("postgres://nobody@127.0.0.1:1/none"),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    for _ in 0..<20 {
      let error = await #expect(throws: AppError.self) {
        try await nowhere.read { try $0.query("SELECT 1 AS one") }
      }
      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("127.0.0.1") == false, "strangers must not learn where it is")
    }
    let told = await #expect(throws: AppError.self) {
      try await PostgreSQLDatabase.reach(try PostgreSQLAddress("postgres://nobody:secret@127.0.0.1:1/none"))
    }
    #expect(told?.message.contains("127.0.0.1") == true && told?.message.contains("secret") == false)
  }

  // MARK: Bounds

  @Test func whoFindsTooManyWaitingIsToldToComeAgain() async throws {
    let bench = try await bench {
      $0.connections = 2
      $0.waiting = 3
    }
    let (began, go) = (Latch(), Latch())
    let holders = (0..<2).map { _ in
      Task {
        try await bench.database.read { _ in
          began.open()
          go.wait()
        }
      }
    }
    for _ in 0..<2 { await began.opened() }
    let waiting = (0..<3).map { _ in Task { try await count(bench.database) } }
    let database = try #require(bench.database as? PostgreSQLDatabase)
    while database.usage.waiting < 3 { await Task.yield() }
    #expect(database.usage.connections == 2 && database.usage.busy == 2)
    let error = await #expect(throws: AppError.self) { try await count(database) }
    #expect(error == .databaseBusy)
    // Room is made by whoever does not want to wait any more.
    waiting[0].cancel()
    await #expect(throws: CancellationError.self) { try await waiting[0].value }
    let late = Task { try await count(database) }
    for _ in 0..<2 { go.open() }
    for task in holders { try await task.value }
    for task in waiting.dropFirst() + [late] { #expect(try await task.value == 0) }
  }

  @Test func nobodyWaitsForAConnectionForEver() async throws {
    let bench = try await bench {
      $0.connections = 1
      $0.patienceSeconds = 2
    }
    let (began, go) = (Latch(), Latch())
    let holder = Task {
      try await bench.database.read { _ in
        began.open()
        go.wait()
      }
    }
    await began.opened()
    await #expect(throws: AppError.databaseBusy) { try await count(bench.database) }
    go.open()
    try await holder.value
    #expect(try await count(bench.database) == 0)
  }

  /// As a role of the name of the database, which may do with less than a whole server.
  private func address(of bench: DatabaseBench, connections: Int) async throws -> PostgreSQLAddress {
    let name = try #require(bench.address?.parameters["dbname"])
    try await bench.another().write { transaction in
      try transaction.execute("CREATE ROLE \(name) LOGIN PASSWORD 'x' CONNECTION LIMIT \(connections)")
      try transaction.execute("GRANT ALL ON things TO \(name)")
    }
    var parts = try #require(URLComponents(string: PostgresServer.url(name)))
    (parts.user, parts.password) = (name, "x")
    return try PostgreSQLAddress(try #require(parts.string))
  }

  @Test func whereTheServerHasNoMoreConnectionsThoseThatAreThereDoTheWork() async throws {
    let bench = try await bench()
    let name = try #require(bench.address?.parameters["dbname"])
    let database = PostgreSQLDatabase(
      try await address(of: bench, connections: 2), limits: .patient,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    #expect(try await count(database) == 0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for n in 0..<100 {
        group.addTask {
          _ = try await database.write {
            try $0.execute("INSERT INTO things (id) VALUES (?)", [SQLValue("\(n)")])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await count(database) == 100)
    #expect(database.usage.connections <= 2)
    try await bench.another().write { try $0.execute("DROP OWNED BY \(name)") }
  }

  /// Threads that asked for one without a pause would take the processors, when there is least to spare.
  @Test func whereTheServerHasNoMoreConnectionsOneIsAskedForOnceAPauseUntilThereIs() async throws {
    let bench = try await bench()
    let name = try #require(bench.address?.parameters["dbname"])
    var limits = PostgreSQLLimits.patient
    limits.connections = 4
    limits.patienceSeconds = 3_600
    // Each is about twice as long as the one before, so that there are few, however slow this machine is.
    limits.pauseSeconds = 3_600
    let notebook = Notebook()
    let database = PostgreSQLDatabase(
      try await address(of: bench, connections: 1), limits: limits, logger: notebook.logger)
    let (began, go) = (Latch(), Latch())
    let holder = Task {
      try await database.read { _ in
        began.open()
        go.wait()
      }
    }
    await began.opened()
    let waiting = (0..<8).map { _ in Task { try await count(database) } }
    try await eventually("nobody tries again") {
      notebook.count("warning: the database cannot be reached") >= 4
    }
    #expect(database.connectionsAsked < 200)
    #expect(database.usage.connections == 1)
    // Those that wait have one as soon as there is one, and nobody else comes by.
    try await bench.another().write { try $0.execute("ALTER ROLE \(name) CONNECTION LIMIT 2") }
    for task in waiting { #expect(try await task.value == 0) }
    #expect(database.usage.connections == 2)
    go.open()
    try await holder.value
    try await bench.another().write { try $0.execute("DROP OWNED BY \(name)") }
  }

  @Test func aStatementThatTakesTooLongIsEndedAndSoIsAWaitForALock() async throws {
    let bench = try await bench {
      $0.statementMs = 2000
      $0.lockMs = 500
    }
    for _ in 0..<2 {
      await #expect(throws: AppError.databaseUnavailable) {
        try await bench.database.read { try $0.query("SELECT pg_sleep(60) AS nothing") }
      }
    }
    let other = try bench.another()
    try await other.write { _ in }
    let (began, go) = (Latch(), Latch())
    let holder = Task {
      try await other.write { transaction in
        try transaction.lock("a")
        began.open()
        go.wait()
      }
    }
    await began.opened()
    await #expect(throws: AppError.databaseUnavailable) {
      try await bench.database.write { try $0.lock("a") }
    }
    go.open()
    try await holder.value
    // Changes of the schema take their time.
    try await bench.database.write {
      try $0.allowLongStatements()
      _ = try $0.query("SELECT pg_sleep(2.5) AS nothing")
    }
    await #expect(throws: AppError.databaseUnavailable) {
      try await bench.database.write { _ = try $0.query("SELECT pg_sleep(60) AS nothing") }
    }
  }

  // MARK: What the server says

  @Test(arguments: [
    ("53100", ErrorCode.storageFull), ("53300", .unavailable), ("57P03", .unavailable),
    ("08006", .unavailable),
    ("55P03", .unavailable), ("57014", .unavailable), ("58030", .unavailable),
  ])
  func whatThePersonCanDoIsInTheCode(_ state: String, _ code: ErrorCode) async throws {
    let bench = try await bench()
    let error = await #expect(throws: AppError.self) {
      try await bench.database.write {
        try $0.execute("DO $$ BEGIN RAISE EXCEPTION 'secret' USING ERRCODE = '\(state)'; END $$")
      }
    }
    #expect(error?.code == code)
    #expect(error?.message.contains("secret") == false)
  }

  private final class Count: Sendable {
    private let value = Mutex(0)
    var now: Int { value.withLock { $0 } }

    func next() -> Int {
      value.withLock { value in
        value += 1
        return value
      }
    }
  }

  /// Changes both rows; between them it waits, in its first run, until the other one has its first.
  private func change(
    _ ids: [String], on database: any Database, _ mine: Latch, _ theirs: Latch, _ all: Count
  ) async throws {
    let runs = Count()
    try await database.write { transaction in
      _ = all.next()
      try transaction.execute("UPDATE things SET n = n + 1 WHERE id = ?", [.text(ids[0])])
      if runs.next() == 1 {
        mine.open()
        theirs.wait()
      }
      try transaction.execute("UPDATE things SET n = n + 1 WHERE id = ?", [.text(ids[1])])
    }
  }

  @Test func aDeadlockIsDoneAgainFromTheStart() async throws {
    let bench = try await bench()
    try await bench.database.write { try $0.execute("INSERT INTO things (id, n) VALUES ('a', 0), ('b', 0)") }
    let runs = Count()
    let first = Latch()
    let second = Latch()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await change(["a", "b"], on: bench.database, first, second, runs) }
      group.addTask { try await change(["b", "a"], on: bench.database, second, first, runs) }
      try await group.waitForAll()
    }
    // Once more, or several times if the other one is slow to take what it waited for.
    #expect(runs.now >= 3)
    let sums = try await bench.database.read {
      try $0.query("SELECT SUM(n) AS n FROM things")[0].integer("n")
    }
    #expect(sums == 4)
  }

  @Test func aSchemaThatChangesUnderAPreparedStatementIsNoErrorToAnybody() async throws {
    let bench = try await bench()
    let all: @Sendable (any Transaction) throws -> Int = { try $0.query("SELECT * FROM things").count }
    for _ in 0..<3 { #expect(try await bench.database.read(all) == 0) }
    try await bench.another().write { try $0.execute("ALTER TABLE things ADD COLUMN more TEXT") }
    #expect(try await bench.database.read(all) == 0)
    #expect(try await bench.database.write(all) == 0)
  }

  @Test func preparedStatementsAreBounded() async throws {
    let bench = try await bench {
      $0.statements = 4
      $0.connections = 1
    }
    for round in 0..<3 {
      for n in 0..<10 {
        let number = try await bench.database.read {
          try $0.query("SELECT \(n) + ? AS n", [1])[0].integer("n")
        }
        #expect(number == Int64(n) + 1, "\(round)")
      }
    }
    let kept = try await bench.database.read {
      try $0.query("SELECT COUNT(*) AS n FROM pg_prepared_statements")[0].integer("n")
    }
    #expect(kept == 4)
  }

  @Test func anOperatorSeesWhoIsConnected() async throws {
    let bench = try await bench { $0 = PostgreSQLLimits() }
    let row = try await bench.database.read {
      try $0.query(
        """
        SELECT application_name AS name, current_setting('statement_timeout') AS statement,
            current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle
        FROM pg_stat_activity WHERE pid = pg_backend_pid()
        """)[0]
    }
    #expect(try row.text("name") == "clipfeed")
    #expect(try [row.text("statement"), row.text("lock"), row.text("idle")] == ["15s", "10s", "30s"])
    #expect(try await bench.database.version().hasPrefix("PostgreSQL "))
  }

  // MARK: TLS

  private func reach(_ parameters: String, host: String = "localhost") async throws {
    let url = try PostgresServer.url("postgres", parameters, host: host)
    try await PostgreSQLDatabase.reach(try PostgreSQLAddress(url))
  }

  @Test func aServerIsTrustedByItsRootAndItsNameAlone() async throws {
    let root = try PostgresServer.setting("_ROOT")
    try await reach("sslmode=verify-full&sslrootcert=\(root)")
    try await reach("sslmode=verify-ca&sslrootcert=\(root)", host: "127.0.0.1")
    // Another root, another name, none at all.
    let other = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).crt")
    defer { try? FileManager.default.removeItem(at: other) }
    try Data(Self.strangersRoot.utf8).write(to: other)
    for (parameters, host) in [
      ("sslmode=verify-full&sslrootcert=\(other.path)", "localhost"),
      ("sslmode=verify-full&sslrootcert=\(root)", "127.0.0.1"),
      ("sslmode=verify-full&sslrootcert=/nowhere.crt", "localhost"),
    ] {
      let error = await #expect(throws: AppError.self) { try await reach(parameters, host: host) }
      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("certificate") == true, "\(error?.message ?? "")")
    }
  }

  @Test func withTLSEverythingGoesThroughIt() async throws {
    let root = try PostgresServer.setting("_ROOT")
    let url = try PostgresServer.url("postgres", "sslmode=verify-full&sslrootcert=\(root)")
    let database = PostgreSQLDatabase(try PostgreSQLAddress(url))
    let isSecret = try await database.read {
      try $0.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")[0].integer("ssl")
    }
    #expect(isSecret == 1)
  }

  /// Somebody else's, whose key nobody has any more.
  private static let strangersRoot = """
    -----BEGIN CERTIFICATE-----
    MIIBhzCCAS2gAwIBAgIUGDQe8mF4QjfaT1PPIzkq9gCgkcMwCgYIKoZIzj0EAwIw
    GDEWMBQGA1UEAwwNc29tZWJvZHkgZWxzZTAgFw0yNjExMjIxMzA0MzVaGA8yMTI2
    MTAyOTEzMDQzNVowGDEWMBQGA1UEAwwNc29tZWJvZHkgZWxzZTBZMBMGByqGSM49
    AgEGCCqGSM49AwEHA0IABBXsx9RvnT9BAIbJB9Qp5PrXpglvsT0MjTiRrdUCMwvN
    CCTg22UPkrxnKKSKhLyShwxtFbgDhr7n4jTCIBa0WdejUzBRMB0GA1UdDgQWBBSL
    zQg3MR0mWhuHlUIiFiij2E5HLDAfBgNVHSMEGDAWgBSLzQg3MR0mWhuHlUIiFiij
    2E5HLDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQCcDEij61Nh
    z8nSmyDuqU2SkxNa/ZLuARu7mFEFmwfCwgIgARRRjVWJOzD5Aiyjxa9J0Tm9kP9s
    WFrbhrungsmYWRM=
    -----END CERTIFICATE-----
    """
}

@Suite struct PostgreSQLAddressTests {
  @Test(arguments: [
    "", "x", "mysql://a/b", "postgres:/x", "postgres://host/x?nonsense=1",
    "postgres://u:se%00cret@host/x", "postgres://u:se%zzcret@host/x", "postgres://[::1/x",
    "host=localhost dbname=x",
  ])
  func anAddressThatCannotBeReadIsRefusedWithoutRepeatingIt(_ url: String) {
    let error = #expect(throws: PostgreSQLAddress.Invalid.self) { try PostgreSQLAddress(url) }
    #expect(error?.description.contains("cret") == false)
  }

  @Test func itIsShownWithoutUserAndPassword() throws {
    let address = try PostgreSQLAddress("postgresql://ann:secret@db.example.org:6432/clips?sslmode=require")
    #expect("\(address)" == "postgres://db.example.org:6432/clips")
    #expect(address.hasPassword)
    #expect(try !PostgreSQLAddress("postgres://ann@a,b/clips?target_session_attrs=read-write").hasPassword)
  }

  @Test func aPasswordIsSaidByItselfAndNeverInTheAddress() throws {
    func place(_ environment: [String: String], _ arguments: [String] = []) throws -> DatabasePlace {
      try Configured.$current.withValue(Configured(environment: environment)) {
        try DatabaseOptions.parse(arguments).place
      }
    }
    let secret = "postgres://ann:hush@h/x"
    for (environment, arguments) in [(["CLIPFEED_DATABASE": secret], []), ([:], ["--database", secret])] {
      let error = #expect(throws: (any Error).self) { try place(environment, arguments) }
      let told = error.map { DatabaseOptions.message(for: $0) } ?? ""
      #expect(told.contains("must not hold a password") && !told.contains("hush"), "\(told)")
    }
    guard
      case .postgreSQL(let address, let limits) = try place([
        "CLIPFEED_DATABASE": "postgres://ann@h/x", "CLIPFEED_DATABASE_PASSWORD": "hush",
        "CLIPFEED_DATABASE_CONNECTIONS": "20",
      ])
    else {
      Issue.record("the environment does not count")
      return
    }
    #expect(address.parameters["password"] == "hush" && limits.connections == 20)
    #expect(!"\(address)".contains("hush"))
    guard case .folder = try place(["CLIPFEED_DATABASE": ""]) else {
      Issue.record("nothing is as good as not said")
      return
    }
    for wrong in ["0", "201", "x", "-1"] {
      #expect(throws: (any Error).self) {
        try place([:], ["--database", "postgres://h/x", "--database-connections=\(wrong)"])
      }
    }
  }

  @Test(arguments: [
    ("SELECT ?", "SELECT $1"), ("? ? ?", "$1 $2 $3"), ("'?' ? '''?' \"?\" ?", "'?' $1 '''?' \"?\" $2"),
    ("-- ?\n? --?", "-- ?\n$1 --?"), ("/* ? /* ? */ ? */ ?", "/* ? /* ? */ ? */ $1"),
    ("a - ? / ?", "a - $1 / $2"),
    ("'open ?", "'open ?"), ("/* open ?", "/* open ?"), ("é ? ü", "é $1 ü"), ("", ""),
  ])
  func placeholdersAreNumberedWhereTheyAreSome(_ sql: String, _ numbered: String) {
    #expect(Placeholders.numbered(sql) == numbered)
  }

  @Test func locksOfDifferentNamesHaveDifferentNumbers() {
    let names = (0..<10_000).map { "name \($0)" } + ["", "feed", "Feed"]
    #expect(Set(names.map(LockName.number)).count == names.count)
  }
}
