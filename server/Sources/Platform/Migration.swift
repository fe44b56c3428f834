/// One step of the schema. Steps are append-only: what was released is never edited.
public struct Migration: Sendable {
  public let name: String
  public let statements: [String]

  public init(_ name: String, _ statements: [String]) {
    self.name = name
    self.statements = statements
  }
}

/// Brings a database to the newest schema, each step in its own transaction.
public struct Migrator: Sendable {
  public let database: any Database
  public let migrations: [Migration]

  public init(database: any Database, migrations: [Migration]) {
    self.database = database
    self.migrations = migrations
  }

  /// The names of the steps that were missing. Two processes that start together both end well: the second
  /// finds the step done, since the look and the step share a write transaction.
  @discardableResult
  public func migrate() async throws -> [String] {
    try await database.write {
      try $0.execute("CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY)")
    }
    var applied: [String] = []
    for migration in migrations {
      let isNew = try await database.write { transaction in
        let known = try transaction.query(
          "SELECT name FROM schema_migrations WHERE name = ?", [.text(migration.name)])
        guard known.isEmpty else { return false }
        for statement in migration.statements { try transaction.execute(statement) }
        try transaction.execute("INSERT INTO schema_migrations (name) VALUES (?)", [.text(migration.name)])
        return true
      }
      if isNew { applied.append(migration.name) }
    }
    return applied
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
    try await database.read {
      try $0.query("SELECT value FROM settings WHERE name = ?", [.text(name)]).first?.text("value")
    }
  }

  public func set(_ name: String, to value: String) async throws {
    try await database.write {
      try $0.execute(
        "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [.text(name), .text(value)])
    }
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
