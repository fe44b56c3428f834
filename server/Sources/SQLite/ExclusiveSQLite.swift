internal import Contract
public import Foundation
internal import GRDB
public import Platform

/// A file of SQLite that this process alone uses: while it lives no other can even read it.
public final class ExclusiveSQLite: DatabaseDump {
  private let queue: DatabaseQueue

  /// Throws `unavailable` in a sentence for the operator if there is no such file, or another process has it
  /// open.
  public init(fileAt url: URL) throws {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw AppError(
        .unavailable, "There is no \(url.path): choose the data folder of an instance with --data.")
    }
    var configuration = Configuration()
    configuration.label = "clipfeed"
    // Whoever has it open keeps it open for as long as it runs; this is for one that is just ending.
    configuration.busyMode = .timeout(1)
    configuration.prepareDatabase { connection in
      // NB: before the first look into the file. Then the lock is one of the whole file, which every process
      // that has opened it shares in, and no other process comes in as long as it is held.
      try connection.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL")
    }
    do {
      queue = try DatabaseQueue(path: url.path, configuration: configuration)
      // The lock of a writer comes with the first write.
      try queue.writeWithoutTransaction { connection in
        try connection.inTransaction(.immediate) { .commit }
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      throw AppError(
        .unavailable,
        "\(url.path) is in use: stop all servers, workers and commands on this data folder first.")
    } catch let error as DatabaseError {
      throw AppError(.unavailable, "\(url.path) cannot be read: \(error.message ?? "\(error.resultCode)").")
    }
  }

  public func tables() throws -> [WholeTable] {
    try queue.read { connection in
      let names = try String.fetchAll(
        connection,
        sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
      var open: [(table: WholeTable, parents: Set<String>)] = []
      for name in names {
        let columns = try String.fetchAll(
          connection, sql: "SELECT name FROM pragma_table_info(?) ORDER BY cid", arguments: [name])
        let parents = try String.fetchSet(
          connection, sql: "SELECT \"table\" FROM pragma_foreign_key_list(?)", arguments: [name])
        open.append((WholeTable(name, columns), parents.subtracting([name])))
      }
      var sorted: [WholeTable] = []
      while !open.isEmpty {
        let known = Set(sorted.map(\.name))
        guard let next = open.firstIndex(where: { $0.parents.isSubset(of: known) }) else {
          throw AppError(.internalError, "Tables refer to each other in a circle: \(open.map(\.table.name)).")
        }
        sorted.append(open.remove(at: next).table)
      }
      return sorted
    }
  }

  public func rows(of table: WholeTable, _ body: ([SQLValue]) throws -> Void) throws {
    try queue.read { connection in
      let columns = table.columns.map { "\"\($0)\"" }.joined(separator: ", ")
      let cursor = try GRDB.Row.fetchCursor(connection, sql: "SELECT \(columns) FROM \"\(table.name)\"")
      while let row = try cursor.next() {
        // NB: values copied one by one; the cursor's row is the same object each time.
        try body((0..<table.columns.count).map { SQLValue(row[$0] as DatabaseValue) })
      }
    }
  }

  /// The names of the steps that have been taken.
  public func steps() throws -> Set<String> {
    try queue.read { connection in
      guard try connection.tableExists("schema_migrations") else { return [] }
      return try String.fetchSet(connection, sql: "SELECT name FROM schema_migrations")
    }
  }

  public func setting(_ name: String) throws -> String? {
    try queue.read { connection in
      guard try connection.tableExists("settings") else { return nil }
      return try String.fetchOne(
        connection, sql: "SELECT value FROM settings WHERE name = ?", arguments: [name])
    }
  }

  /// Nil removes it.
  public func set(_ name: String, to value: String?) throws {
    try queue.write { connection in
      try connection.execute(sql: "DELETE FROM settings WHERE name = ?", arguments: [name])
      guard let value else { return }
      try connection.execute(
        sql: "INSERT INTO settings (name, value) VALUES (?, ?)", arguments: [name, value])
    }
  }
}
