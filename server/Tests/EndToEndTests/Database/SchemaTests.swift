import Accounts
import Comments
import Feed
import Foundation
import Live
import Messages
import Platform
import Social
import Testing
import Uploads
import Videos
import Watching

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// The schema as a text (`fixtures/schema`): what a fresh database comes to, and one of any earlier state as
/// well.
///
/// `CLIPFEED_RECORD=1 swift test --filter SchemaTests` writes what is so now.
@Suite(.everyEngine) struct SchemaTests {
  @Test func aFreshDatabaseComesToTheRecordedSchema() async throws {
    let bench = try await DatabaseBench()
    try await Migrator(database: bench.database, migrations: Instance.migrations).migrate()
    let text = try await Schema.text(of: bench.database)
    let file = Repository.file("fixtures/schema/\(OnEveryDatabase.current.rawValue).txt")
    if ProcessInfo.processInfo.environment["CLIPFEED_RECORD"] != nil {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    #expect(text == (try? String(contentsOf: file, encoding: .utf8)), "\(file.lastPathComponent)")
  }

  /// The order of modules until there were 36.
  private static let byModule: [Migration] =
    Settings.migrations + JobQueue.migrations + ClipStore.migrations + CommentStore.migrations
    + ClipBlobs.migrations + Uploads.migrations + ClipStore.captionMigrations + Accounts.migrations
    + Counters.migrations + SocialStore.migrations + WatchStore.migrations + FeedStore.migrations
    + LiveLog.migrations + ErasureLog.migrations + MessageStore.migrations

  /// An instance of each earlier number, whose steps were taken module by module, as it was done until there
  /// were 36.
  @Test func everyEarlierStateComesToTheSame() async throws {
    let fresh = try await DatabaseBench()
    try await Migrator(database: fresh.database, migrations: Instance.migrations).migrate()
    let expected = try await Schema.text(of: fresh.database)
    let numbers = Set(Instance.migrations.map { String($0.name.prefix(4)) }).sorted()
    for number in numbers where number <= "0036" {
      let bench = try await DatabaseBench()
      let old = Self.byModule.filter { $0.name.prefix(4) <= number }
      try await Migrator(database: bench.database, migrations: old).migrate()
      try await Migrator(database: bench.database, migrations: Instance.migrations).migrate()
      #expect(try await Schema.text(of: bench.database) == expected, "from \(number)")
    }
  }
}

/// What stood in tables that a step laid anew.
@Suite(.everyEngine) struct RebuiltTableTests {
  @Test func whatWasNotAddedUpYetIsThereAfterwards() async throws {
    let bench = try await DatabaseBench()
    let old = Instance.migrations.filter { $0.name < "0077" }
    try await Migrator(database: bench.database, migrations: old).migrate()
    try await bench.database.write { transaction in
      for (table, key, counter) in [
        ("clip_count_changes", "clip_id", "views"), ("clip_reach_count_changes", "clip_id", "viewers"),
        ("author_count_changes", "author_id", "followers"), ("comment_count_changes", "comment_id", "likes"),
      ] {
        for (id, change) in [("b", 2), ("a", 1)] {
          try transaction.execute(
            "INSERT INTO \(table) (\(key), id, counter, change) VALUES ('x', '\(id)', '\(counter)', \(change))"
          )
        }
      }
      try transaction.execute(
        "INSERT INTO retention_changes (clip_id, id, kind, watched_ms) VALUES ('x', 'a', 'skip', 700)")
    }
    let taken = try await Migrator(database: bench.database, migrations: Instance.migrations).migrate()
    #expect(taken.prefix(2) == ["0077_changes_by_key", "0078_ends_by_key"])
    try await bench.database.read { transaction in
      for (counters, counter) in [
        (Counters.clips, Counted.views), (.reach, .viewers), (.authors, .followers), (.comments, .likes),
      ] {
        let count = try counters.count(counter, of: "x", in: transaction)
        #expect(count == 3, "\(counter.rawValue)")
      }
      let ends = try transaction.query("SELECT kind, watched_ms FROM retention_changes WHERE clip_id = 'x'")
      #expect(try ends.map { try $0.text("kind") } == ["skip"])
      #expect(ends.map { $0.optionalInteger("watched_ms") } == [700])
    }
  }
}

/// Tables with their columns, rules and indexes, sorted: the order in which columns came says nothing.
enum Schema {
  static func text(of database: any Database) async throws -> String {
    try await database.read { transaction in
      switch transaction.engine {
      case .sqlite: try sqlite(transaction)
      case .postgreSQL: try postgreSQL(transaction)
      }
    }
  }

  private static func sqlite(_ transaction: any Transaction) throws -> String {
    var lines: [String] = []
    let tables = try transaction.query(
      "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name")
    for row in tables {
      let table = try row.text("name")
      guard !table.hasPrefix("sqlite_") else { continue }
      lines.append(try row.integer("wr") == 1 ? "\(table) WITHOUT ROWID" : table)
      let columns = try transaction.query(
        "SELECT name, type, \"notnull\" AS required, dflt_value AS value, pk FROM pragma_table_info('\(table)') ORDER BY name"
      )
      for column in columns {
        var words = ["    \(try column.text("name"))", try column.text("type")]
        if try column.integer("required") == 1 { words.append("NOT NULL") }
        if let value = column.optionalText("value") { words.append("DEFAULT \(value)") }
        let place = try column.integer("pk")
        if place > 0 { words.append("PRIMARY KEY \(place)") }
        lines.append(words.joined(separator: " "))
      }
      let references = try transaction.query(
        """
        SELECT "from" AS own, "table" AS other, "to" AS theirs, on_delete FROM pragma_foreign_key_list('\(table)')
        ORDER BY "from"
        """)
      for reference in references {
        lines.append(
          "    \(try reference.text("own")) -> \(try reference.text("other")) (\(try reference.text("theirs"))) "
            + "ON DELETE \(try reference.text("on_delete"))")
      }
      let indexes = try transaction.query(
        """
        SELECT l.name, l."unique" AS alone, m.sql FROM pragma_index_list('\(table)') l
        LEFT JOIN sqlite_master m ON m.type = 'index' AND m.name = l.name ORDER BY l.name
        """)
      var made: [String] = []
      for index in indexes {
        if let sql = index.optionalText("sql") {
          made.append("    " + sql.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        } else {
          // One that a rule of the table makes has a name by where it stands among the others.
          let columns = try transaction.query(
            "SELECT name FROM pragma_index_info('\(try index.text("name"))') ORDER BY seqno")
          made.append("    UNIQUE (\(try columns.map { try $0.text("name") }.joined(separator: ", ")))")
        }
      }
      lines += made.sorted()
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func postgreSQL(_ transaction: any Transaction) throws -> String {
    var lines: [String] = []
    let tables = try transaction.query(
      """
      SELECT CAST(c.oid AS BIGINT) AS id, CAST(c.relname AS TEXT) AS name FROM pg_class c
      WHERE c.relkind = 'r' AND c.relnamespace = CAST(current_schema() AS regnamespace) ORDER BY c.relname
      """)
    for table in tables {
      let id = SQLValue.integer(try table.integer("id"))
      lines.append(try table.text("name"))
      let columns = try transaction.query(
        """
        SELECT CAST(a.attname AS TEXT) AS name, format_type(a.atttypid, a.atttypmod) AS type,
            CASE WHEN a.attnotnull THEN 1 ELSE 0 END AS required, pg_get_expr(d.adbin, d.adrelid) AS value,
            (SELECT CAST(o.collname AS TEXT) FROM pg_collation o WHERE o.oid = a.attcollation) AS sorting,
            CAST(a.attcompression AS TEXT) AS packed
        FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE a.attrelid = CAST(? AS oid) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attname
        """, [id])
      for column in columns {
        var words = ["    \(try column.text("name"))", try column.text("type")]
        if let sorting = column.optionalText("sorting") { words.append("COLLATE \(sorting)") }
        if try column.integer("required") == 1 { words.append("NOT NULL") }
        if let value = column.optionalText("value") { words.append("DEFAULT \(value)") }
        if let packed = column.optionalText("packed"), !packed.isEmpty {
          words.append("COMPRESSION \(packed)")
        }
        lines.append(words.joined(separator: " "))
      }
      let rules = try transaction.query(
        """
        SELECT pg_get_constraintdef(c.oid) AS rule FROM pg_constraint c WHERE c.conrelid = CAST(? AS oid)
        ORDER BY 1
        """, [id])
      lines += try rules.map { "    " + (try $0.text("rule")) }.sorted()
      let indexes = try transaction.query(
        """
        SELECT pg_get_indexdef(i.indexrelid) AS made FROM pg_index i
        WHERE i.indrelid = CAST(? AS oid) AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid)
        """, [id])
      lines += try indexes.map { "    " + (try $0.text("made")) }.sorted()
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
