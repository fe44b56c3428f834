/// One step of the schema. Steps are append-only: what was released is never edited.
public struct Migration: Sendable {
  public let name: String
  private let statements: [String]
  private let postgreSQL: [String]?

  /// `postgreSQL`: what PostgreSQL is told instead, where the same words cannot do for both.
  public init(_ name: String, _ statements: [String], postgreSQL: [String]? = nil) {
    self.name = name
    self.statements = statements
    self.postgreSQL = postgreSQL
  }

  /// One that has SQLite keep rows of these tables in the tree of their key, the first two columns, and not
  /// in one by arrival with an index of keys beside it: what comes and goes soon is written half as often.
  /// PostgreSQL has no such choice.
  ///
  /// `tables`: each with its columns and their types, as they stand.
  public static func keepingRowsByKey(
    _ name: String, _ tables: [(name: String, columns: [(name: String, type: String)])]
  ) -> Migration {
    Migration(
      name,
      tables.flatMap { table in
        let (names, key) = (table.columns.map(\.name), table.columns.prefix(2).map(\.name))
        return [
          "ALTER TABLE \(table.name) RENAME TO former_\(table.name)",
          """
          CREATE TABLE \(table.name) (
              \(table.columns.map { "\($0) \($1)" }.joined(separator: ", ")),
              PRIMARY KEY (\(key.joined(separator: ", ")))) WITHOUT ROWID
          """,
          """
          INSERT INTO \(table.name) SELECT \(names.joined(separator: ", ")) FROM former_\(table.name)
          """,
          "DROP TABLE former_\(table.name)",
        ]
      }, postgreSQL: [])
  }

  func statements(for engine: DatabaseEngine) -> [String] {
    switch engine {
    case .sqlite: statements
    case .postgreSQL: (postgreSQL ?? statements).map(Self.comparingBytes)
    }
  }

  /// Text is compared and sorted by its bytes, as SQLite does it, and not by the rules of a language: those
  /// change with the operating system, and an index that was sorted by others finds nothing any more.
  static func comparingBytes(_ statement: String) -> String {
    statement.replacing(/\bTEXT\b/, with: "TEXT COLLATE \"C\"")
  }
}

/// Brings a database to the newest schema, each step in its own transaction.
public struct Migrator: Sendable {
  private static let table = Migration(
    "", ["CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY)"])

  public let database: any Database
  public let migrations: [Migration]

  public init(database: any Database, migrations: [Migration]) {
    self.database = database
    self.migrations = migrations
  }

  /// The names of the steps that were missing. Processes that start together all end well: one takes a step
  /// while the others wait, and they find it done, since the look and the step share a write transaction.
  @discardableResult
  public func migrate() async throws -> [String] {
    // NB: a look first. Whoever finds all done must not wait for a backup or a report that holds a lock.
    guard try await !missing().isEmpty else { return [] }
    try await step { transaction in
      for statement in Self.table.statements(for: transaction.engine) { try transaction.execute(statement) }
    }
    var applied: [String] = []
    for migration in migrations {
      let isNew = try await step { transaction in
        let known = try transaction.query(
          "SELECT name FROM schema_migrations WHERE name = ?", [.text(migration.name)])
        guard known.isEmpty else { return false }
        for statement in migration.statements(for: transaction.engine) { try transaction.execute(statement) }
        try transaction.execute("INSERT INTO schema_migrations (name) VALUES (?)", [.text(migration.name)])
        return true
      }
      if isNew { applied.append(migration.name) }
    }
    return applied
  }

  /// The names of the steps that `migrate` would take now.
  public func missing() async throws -> [String] {
    let known = try await taken()
    return migrations.map(\.name).filter { !known.contains($0) }
  }

  /// Steps that a newer version of ours has taken.
  public func unknown() async throws -> [String] {
    try await taken().subtracting(migrations.map(\.name)).sorted()
  }

  private func taken() async throws -> Set<String> {
    try await database.read { transaction in
      let tables =
        switch transaction.engine {
        case .sqlite: "SELECT name FROM sqlite_master WHERE name = 'schema_migrations'"
        case .postgreSQL:
          // By the search path, as statements find it.
          "SELECT 1 AS found WHERE to_regclass('schema_migrations') IS NOT NULL"
        }
      guard try !transaction.query(tables).isEmpty else { return Set<String>() }
      return Set(try transaction.query("SELECT name FROM schema_migrations").map { try $0.text("name") })
    }
  }

  private func step<Value: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws -> Value {
    try await database.write { transaction in
      try transaction.allowLongStatements()
      try transaction.lock("schema_migrations")
      return try body(transaction)
    }
  }
}

/// Small facts of an instance, such as the secret that signs cursors.
public struct Settings: Sendable {
  public static let migrations = [
    Migration("0001_settings", ["CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)"])
  ]

  private let database: any Database

  public init(database: any Database) {
    self.database = database
  }

  public func value(_ name: String) async throws -> String? {
    try await database.read { try Self.value(name, in: $0) }
  }

  public func set(_ name: String, to value: String) async throws {
    try await database.write { try Self.set(name, to: value, in: $0) }
  }

  public static func value(_ name: String, in transaction: any Transaction) throws -> String? {
    try transaction.query("SELECT value FROM settings WHERE name = ?", [.text(name)]).first?.text("value")
  }

  public static func set(_ name: String, to value: String, in transaction: any Transaction) throws {
    try transaction.execute(
      "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      [.text(name), .text(value)])
  }

  /// The value, made once for the life of the instance even if several processes ask at the same time.
  public func value(_ name: String, orCreate make: @escaping @Sendable () -> String) async throws -> String {
    try await database.write {
      try $0.execute(
        "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
        [.text(name), .text(make())])
      return try $0.query("SELECT value FROM settings WHERE name = ?", [.text(name)])[0].text("value")
    }
  }
}
