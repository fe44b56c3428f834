import Contract
import Platform
import Testing

@testable import PostgreSQL
@testable import ServerTesting

/// Rows that come by `COPY`: all of a transaction or none, as with statements.
@Suite(.enabled(if: PostgresServer.isThere)) struct RowLoadingTests {
  private let bench: DatabaseBench
  private let database: PostgreSQLDatabase

  init() async throws {
    bench = try await DatabaseBench(.postgreSQL)
    var limits = PostgreSQLLimits.patient
    limits.connections = 1
    database = PostgreSQLDatabase(try #require(bench.address), limits: limits)
    try await database.write { try $0.execute("CREATE TABLE things (n BIGINT, id TEXT PRIMARY KEY)") }
  }

  /// More than goes out at once.
  private static let many: [[SQLValue]] = (0..<10_000).map { [.integer($0), .text("a thing, number \($0)")] }

  private func load(_ rows: [[SQLValue]], then fail: (any Error)? = nil) async throws {
    try await database.fill { transaction in
      try transaction.allowLongStatements()
      try transaction.load("things", "n, id") { target in
        for row in rows { try target.put(row) }
        if let fail { throw fail }
      }
    }
  }

  private func rows() async throws -> [[SQLValue]] {
    try await database.read { try $0.query("SELECT n, id FROM things ORDER BY id") }.map {
      [$0.value("n") ?? .null, $0.value("id") ?? .null]
    }
  }

  private func pid() async throws -> Int64 {
    try await database.read { try $0.query("SELECT pg_backend_pid() AS pid")[0].integer("pid") }
  }

  @Test func everyValueComesAsItIs() async throws {
    let odd: [[SQLValue]] = [
      [.null, ""], [.integer(.min), "\\N"], [.integer(.max), "a\tb\r\n\\."],
      [.integer(0), .text("👩‍👩‍👧\u{202E}")],
      [.integer(-1), .text(String(repeating: "ё", count: 100_000))],
    ]
    try await load(odd)
    #expect(Set(try await rows().map { "\($0)" }) == Set(odd.map { "\($0)" }))
  }

  @Test func manyRowsComeInPiecesAndNoneIsNothingWrong() async throws {
    try await load([])
    try await load(Self.many)
    #expect(try await rows().count == Self.many.count)
  }

  @Test func aRowThatIsRefusedLeavesNothingAndIsToldLikeThatOfAStatement() async throws {
    await #expect(throws: ConstraintViolation.self) { try await load(Self.many + [Self.many[0]]) }
    #expect(try await rows().isEmpty)
    // A number where a text belongs is bytes that are no text.
    await #expect(throws: SQLFailure.self) { try await load([[.integer(1), .integer(1)]]) }
    #expect(try await rows().isEmpty)
    try await load(Self.many)
  }

  @Test func whoGivesUpInTheMiddleIsToldWhyAndTheConnectionGoesOn() async throws {
    struct Enough: Error {}
    let connection = try await pid()
    await #expect(throws: Enough.self) { try await load(Self.many, then: Enough()) }
    let error = await #expect(throws: AppError.self) { try await load(Self.many + [[.null, "a\0b"]]) }
    #expect(error?.code == .requestRefused)
    #expect(try await rows().isEmpty)
    #expect(try await pid() == connection)
  }

  @Test func aConnectionThatBreaksInTheMiddleIsGivenUpOn() async throws {
    let other = try bench.another()
    let error = await #expect(throws: AppError.self) {
      try await database.fill { transaction in
        try transaction.allowLongStatements()
        // It ends itself, as others would end it.
        try transaction.execute(
          """
          CREATE OR REPLACE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END'
          """)
        try transaction.execute("CREATE TRIGGER stop BEFORE INSERT ON things EXECUTE FUNCTION stop()")
        try transaction.load("things", "n, id") { target in for row in Self.many { try target.put(row) } }
      }
    }
    #expect(error?.code == .unavailable)
    #expect(try await other.read { try $0.query("SELECT n FROM things") }.isEmpty)
    try await load(Self.many)
  }
}
