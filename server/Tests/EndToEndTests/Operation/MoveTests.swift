import Contract
import Foundation
import Platform
import SQLite
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import PostgreSQL
@testable import ServerTesting

/// From SQLite to PostgreSQL, by the program, with rows in every table that the schema has.
@Suite(.enabled(if: PostgresServer.isThere)) final class MoveTests: Sendable {
  private let folder: URL
  private let url: String
  /// More than a statement takes at once, and no power of two.
  private static let rows = 300

  init() async throws {
    folder = TestFolders.path()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = try PostgresServer.url(try await PostgresServer.makeEmptyDatabase())
  }

  deinit {
    FileManager.default.removeTestFolder(folder)
    PostgresServer.drop(url)
  }

  private var file: URL { folder.appendingPathComponent(SQLiteDatabase.fileName) }
  private var address: PostgreSQLAddress { get throws { try PostgreSQLAddress(url) } }

  private func program(_ arguments: [String]) throws -> Program {
    var plain = try #require(URLComponents(string: url))
    let password = plain.password ?? ""
    plain.password = nil
    return try Program(
      arguments + ["--data", folder.path],
      environment: ["CLIPFEED_DATABASE": plain.string ?? "", "CLIPFEED_DATABASE_PASSWORD": password])
  }

  private func move(_ more: String...) throws -> (status: Int32, output: String) {
    try program(["move"] + more).end()
  }

  /// A value for a column of a row, unlike those of all other rows. `least`: of a number.
  private func value(_ column: Row, _ row: Int, isIndexed: Bool, least: Int64) throws -> SQLValue {
    if try column.integer("notnull") == 0, try column.integer("pk") == 0, row.isMultiple(of: 5) {
      return .null
    }
    guard try column.text("type") == "TEXT" else {
      return .integer(row == 0 ? least : row == 1 ? .max : Int64(row) * 1_000_003)
    }
    switch row {
    case 2: return ""
    // PostgreSQL's indexes have no room for it.
    case 3 where !isIndexed:
      return .text(String(repeating: "ё\\N\t", count: 40_000) + (try column.text("name")))
    default: return .text("\(try column.text("name")) \(row) '\"\\\n\r\u{202E}👩‍👩‍👧 e\u{301} NULL")
    }
  }

  /// An instance with so many rows in each table, and all that refer to others do.
  private func fill(_ count: Int = rows) async throws {
    let database = try SQLiteDatabase(fileAt: file)
    try await Migrator(database: database, migrations: Instance.migrations).migrate()
    var open = try await tables(of: database)
    var done: Set<String> = []
    while !open.isEmpty {
      let parents = try await database.read { [open] transaction in
        try open.map { try transaction.query("SELECT * FROM pragma_foreign_key_list(?)", [.text($0)]) }
      }
      let next = try #require(
        parents.firstIndex { try $0.allSatisfy { done.contains(try $0.text("table")) } })
      let table = open.remove(at: next)
      done.insert(table)
      let references = parents[next]
      try await database.write { [self] transaction in
        let columns = try transaction.query("SELECT * FROM pragma_table_info(?)", [.text(table)])
        let indexed = Set(
          try transaction.query(
            "SELECT i.name AS name FROM pragma_index_list(?) l, pragma_index_info(l.name) i", [.text(table)]
          ).map { try $0.text("name") })
        let text = try transaction.query("SELECT sql FROM sqlite_master WHERE name = ?", [.text(table)])[0]
          .text("sql")
        var given: [String: [SQLValue]] = [:]
        for reference in references {
          let (parent, to) = (try reference.text("table"), try reference.text("to"))
          given[try reference.text("from")] = try transaction.query("SELECT \(to) AS it FROM \(parent)").map {
            .text(try $0.text("it"))
          }
        }
        for row in 0..<count {
          let values = try columns.map { column -> SQLValue in
            let name = try column.text("name")
            return try given[name]?[row]
              ?? value(
                column, row, isIndexed: indexed.contains(name),
                least: text.contains("CHECK (\(name) >= 0)") ? 0 : .min)
          }
          try transaction.execute(
            "INSERT INTO \(table) VALUES (\(values.map { _ in "?" }.joined(separator: ", ")))", values)
        }
      }
    }
  }

  /// All but the list of steps.
  private func tables(of database: any Platform.Database) async throws -> [String] {
    try await database.read {
      try $0.query(
        $0.engine == .sqlite
          ? """
          SELECT name FROM sqlite_master
          WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'schema_migrations'
          """
          : """
          SELECT table_name AS name FROM information_schema.tables
          WHERE table_schema = 'public' AND table_name <> 'schema_migrations'
          """
      ).map { try $0.text("name") }
    }.sorted()
  }

  private func contents(of database: any Platform.Database, columns: [String: [String]]) async throws
    -> [String: Set<String>]
  {
    try await database.read { transaction in
      var all: [String: Set<String>] = [:]
      for (table, names) in columns {
        all[table] = Set(
          try transaction.query("SELECT * FROM \(table)").map { row in names.map { row.value($0) ?? .null } }
            .filter { $0.first != "moved_to" && $0.first != "moved_from" }.map { "\($0)" })
      }
      return all
    }
  }

  private func columns() async throws -> [String: [String]] {
    let database = try SQLiteDatabase(fileAt: file)
    let tables = try await tables(of: database)
    return try await database.read { transaction in
      try tables.reduce(into: [:]) { all, table in
        all[table] = try transaction.query("SELECT name FROM pragma_table_info(?)", [.text(table)]).map {
          try $0.text("name")
        }
      }
    }
  }

  private func expectMoved() async throws {
    let (old, new) = (try SQLiteDatabase(fileAt: file), PostgreSQLDatabase(try address, limits: .patient))
    let columns = try await columns()
    #expect(try await tables(of: new) == columns.keys.sorted())
    let (before, after) = (
      try await contents(of: old, columns: columns), try await contents(of: new, columns: columns)
    )
    for table in columns.keys {
      #expect(before[table]?.isEmpty == false, "\(table) was empty, so nothing was tried")
      // NB: not in the expectation, which would tell all of it.
      let isSame = before[table] == after[table]
      #expect(isSame, "\(table) is not the same")
    }
    let missing = try await Migrator(database: new, migrations: Instance.migrations).missing()
    #expect(missing.isEmpty)
  }

  @Test func everyRowOfEveryTableComesAndTheFileRefusesToBeUsedFromThenOn() async throws {
    try await fill()
    let (status, output) = try move()
    try #require(status == 0, "\(output)")
    #expect(output.contains("likes: \(Self.rows) rows, the same when read back"))
    try await expectMoved()
    // Whoever forgets where it is now is told so, whatever the command.
    for command in [["serve", "--port", "0"], ["jobs"], ["migrate"], ["doctor"]] {
      let (status, output) = try Program(command + ["--data", folder.path]).end()
      #expect(status == 1 && output.contains("was moved to postgres://localhost"), "\(output)")
      #expect(!output.contains(try #require(URLComponents(string: url)?.password)))
    }
    let again = try move()
    #expect(again.status == 1 && again.output.contains("already"), "\(again.output)")
    let instance = try await Instance.open(folder.path, database: .postgreSQL(try address, .patient))
    #expect(try await instance.clips.find(clipID: "id 4 '\"\\\n\r\u{202E}👩‍👩‍👧 e\u{301} NULL") != nil)
    #expect(try move("--take-back").status == 0)
    _ = try await Instance.open(folder.path)
  }

  @Test func aMoveThatIsKilledInTheMiddleLeavesNothingAndTheSameAgainIsWhole() async throws {
    try await fill(40)
    let target = PostgreSQLDatabase(try address, limits: .patient)
    try await Migrator(database: target, migrations: Instance.migrations).migrate()
    // It stops at one of the last tables.
    try await target.write {
      try $0.execute(
        """
        CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_sleep(600); RETURN NEW; END'
        """)
      try $0.execute("CREATE TRIGGER stop BEFORE INSERT ON watch_events EXECUTE FUNCTION stop()")
    }
    let server = PostgreSQLDatabase(try PostgreSQLAddress(try PostgresServer.setting()))
    let name = try #require(try address.parameters["dbname"])
    /// As the server sees them; those of a pool of ours are ended, so that it has the database for itself.
    func end(_ condition: String = "") async throws {
      _ = try await server.write {
        try $0.query(
          "SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity WHERE datname = ? \(condition)",
          [.text(name)])
      }
    }
    try await end()
    let killed = try program(["move"])
    try await eventually("it does not come so far") {
      try await server.read {
        try $0.query(
          "SELECT pid FROM pg_stat_activity WHERE datname = ? AND wait_event = 'PgSleep'", [.text(name)]
        ).count == 1
      }
    }
    kill(killed.process.processIdentifier, SIGKILL)
    #expect(killed.end().output.contains("likes: 40 rows"))
    try await end()
    for table in ["likes", "clips", "settings"] {
      #expect(try await target.read { try $0.query("SELECT * FROM \(table)").isEmpty }, "\(table)")
    }
    try await target.write { try $0.execute("DROP FUNCTION stop CASCADE") }
    try await end()
    let (status, output) = try move()
    #expect(status == 0, "\(output)")
    try await expectMoved()
  }

  @Test func whoWasKilledBeforeTheFileSaidSoFindsThatItIsDoneAndNoOtherTarget() async throws {
    try await fill(3)
    let first = try move()
    try #require(first.status == 0, "\(first.output)")
    #expect(try move("--take-back").status == 0)
    let (status, output) = try move()
    #expect(status == 0 && output.contains("was at postgres://"), "\(output)")
    #expect(try move("--take-back").status == 0)
    // Somebody worked on the file since: what is there is not all.
    do {
      let database = try SQLiteDatabase(fileAt: file)
      try await database.write {
        try $0.execute("DELETE FROM likes WHERE created_at_ms = ?", [.integer(.max)])
      }
    }
    let changed = try move()
    #expect(changed.status == 1 && changed.output.contains("The target is not empty"), "\(changed.output)")
    try await expectStillUsable()
  }

  private func expectStillUsable() async throws { _ = try await Instance.open(folder.path) }

  @Test func nothingIsMovedWhileAnybodyUsesEitherSide() async throws {
    try await fill(3)
    do {
      let server = try await Instance.open(folder.path)
      let (status, output) = try move()
      #expect(status == 1 && output.contains("is in use: stop all servers"), "\(output)")
      _ = try await server.settings.value("x")
    }
    do {
      let other = PostgreSQLDatabase(try address, limits: .patient)
      _ = try await other.version()
      let (status, output) = try move()
      #expect(status == 1 && output.contains("Others use the target"), "\(output)")
      _ = try await other.version()
    }
    try await expectStillUsable()
  }

  @Test func anOlderSchemaNoFileNoTargetAndAWrongPasswordAreSaidInASentence() async throws {
    #expect(try move().output.contains("There is no \(file.path)"))
    do {
      let database = try SQLiteDatabase(fileAt: file)
      try await Migrator(database: database, migrations: Settings.migrations).migrate()
    }
    let old = try move()
    #expect(old.status == 1 && old.output.contains("of an older version"), "\(old.output)")
    let nowhere = try Program(["move", "--data", folder.path]).end()
    #expect(nowhere.status == 64 && nowhere.output.contains("--database"), "\(nowhere.output)")
  }
}
