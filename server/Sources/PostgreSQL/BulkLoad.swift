internal import Contract
internal import Foundation
public import Platform

/// Fills an empty database with all rows of another, in one transaction: all of it is there in the end, or
/// nothing.
///
/// Before the end each table is read back, and must have as many rows and the same digest. What came is
/// written down with it, so that whoever was killed between this end and what he does next finds out that it
/// is done.
public struct BulkLoad: Sendable {
  public enum Outcome: Sendable, Equatable {
    case moved(tables: Int, rows: Int)
    /// An earlier call has, and the source has not changed since.
    case wasThere
  }

  /// What an instance has rows in that nobody has used: those of the schema's own, and secrets, which every
  /// process makes that starts. They give way.
  private static let ownTables: Set<String> = ["settings", "feed_numbers"]
  private static let rowsOfAReport = 100_000

  private let database: PostgreSQLDatabase
  private let tell: @Sendable (String) -> Void

  /// `tell` hears of progress, a line each time. It makes one connection.
  public init(_ address: PostgreSQLAddress, tell: @escaping @Sendable (String) -> Void) {
    var limits = PostgreSQLLimits()
    limits.connections = 1
    database = PostgreSQLDatabase(address, limits: limits)
    self.tell = tell
  }

  /// Brings it to the newest schema first. Throws `unavailable` in a sentence for the operator if the
  /// database is not empty, or others are using it.
  public func fill(from source: any DatabaseDump, migrations: [Migration]) async throws -> Outcome {
    try await requireAlone()
    let migrator = Migrator(database: database, migrations: migrations)
    let newer = try await migrator.unknown()
    guard newer.isEmpty else {
      throw AppError(
        .unavailable,
        "The target has steps that this version does not know: \(newer.joined(separator: ", ")).")
    }
    try await migrator.migrate()
    let tables = try source.filledTables()
    if let (table, came) = try await database.read({ try Self.held($0, tables) }) {
      guard let came, try came == source.digest() else {
        throw AppError(
          .unavailable,
          "The target is not empty: its table \(table) has rows. Make a new database with createdb, and move into that."
        )
      }
      return .wasThere
    }
    let rows = try await database.fill { [tell] transaction in
      try transaction.allowLongStatements()
      try transaction.lock("schema_migrations")
      // Nobody writes between the look and the end.
      for table in tables {
        try transaction.execute("LOCK TABLE \(Self.quoted(table.name)) IN ACCESS EXCLUSIVE MODE")
      }
      if let (table, _) = try Self.held(transaction, tables) {
        throw AppError(
          .unavailable, "The target is being filled by somebody else: its table \(table) has rows.")
      }
      for table in Self.ownTables { try transaction.execute("DELETE FROM \(Self.quoted(table))") }
      var digests: [String: TableDigest] = [:]
      for table in tables {
        let digest = try Self.copy(table, from: source, to: transaction, tell)
        let back = try Self.digest(of: table, in: transaction)
        guard back == digest else {
          throw AppError(
            .internalError,
            "The table \(table.name) was not the same when it was read back; nothing was moved.")
        }
        digests[table.name] = digest
        tell("\(table.name): \(digest.rows) rows, the same when read back")
      }
      try Settings.set(MoveMark.from, to: TableDigest.text(digests), in: transaction)
      return digests.values.reduce(0) { $0 + $1.rows }
    }
    return .moved(tables: tables.count, rows: rows)
  }

  /// A server that runs on it has read secrets that would be replaced under it.
  private func requireAlone() async throws {
    // Some seconds: a connection that was just closed is still there for a moment.
    for turn in 0..<30 {
      let others = try await database.read {
        try $0.query(
          """
          SELECT COUNT(*) AS n FROM pg_stat_activity WHERE datname = current_database()
              AND pid <> pg_backend_pid() AND application_name = current_setting('application_name')
          """)[0].integer("n")
      }
      if others == 0 { return }
      if turn < 29 { try await Task.sleep(for: .milliseconds(100)) }
    }
    throw AppError(.unavailable, "Others use the target: stop all servers, workers and commands on it first.")
  }

  /// A table that somebody has left something in, and what an earlier move has written down.
  private static func held(
    _ transaction: any Transaction, _ tables: [WholeTable]
  ) throws -> (table: String, came: String?)? {
    for table in tables where !ownTables.contains(table.name) {
      guard try !transaction.query("SELECT 1 AS one FROM \(quoted(table.name)) LIMIT 1").isEmpty else {
        continue
      }
      return (table.name, try Settings.value(MoveMark.from, in: transaction))
    }
    return nil
  }

  private static func copy(
    _ table: WholeTable, from source: any DatabaseDump, to transaction: OpenTransaction,
    _ tell: (String) -> Void
  ) throws -> TableDigest {
    var digest = TableDigest()
    try transaction.load(quoted(table.name), columns(table)) { target in
      try source.rows(of: table) { row in
        guard !MoveMark.isMark(row, of: table) else { return }
        digest.add(row)
        try target.put(row)
        if digest.rows.isMultiple(of: rowsOfAReport) { tell("\(table.name): \(digest.rows) rows so far") }
      }
    }
    return digest
  }

  /// In pieces, since an answer is held in memory.
  private static func digest(of table: WholeTable, in transaction: any Transaction) throws -> TableDigest {
    // NB: a name for each. The same words with another answer would be a prepared statement that has become
    // wrong.
    let cursor = quoted("read_\(table.name)")
    try transaction.execute(
      "DECLARE \(cursor) NO SCROLL CURSOR FOR SELECT \(columns(table)) FROM \(quoted(table.name))")
    var digest = TableDigest()
    while true {
      let rows = try transaction.query("FETCH 500 FROM \(cursor)")
      for row in rows { digest.add(table.columns.map { row.value($0) ?? .null }) }
      guard rows.isEmpty else { continue }
      try transaction.execute("CLOSE \(cursor)")
      return digest
    }
  }

  private static func columns(_ table: WholeTable) -> String {
    table.columns.map(quoted).joined(separator: ", ")
  }

  /// Names are those of our own schema.
  private static func quoted(_ name: String) -> String { "\"\(name)\"" }
}
