import Platform
import Testing

@testable import Composition

extension DatabaseBench {
  /// A database of an instance that was there before the migration `name`, brought up to today: of the authors
  /// `a` and `b`, of `a` the clips `c` and `d`, and what `statements` add before it is brought up.
  static func upgraded(past name: String, with statements: [String]) async throws -> DatabaseBench {
    let bench = try await DatabaseBench()
    let all = Instance.migrations
    let place = try #require(all.firstIndex { $0.name == name })
    try await Migrator(database: bench.database, migrations: Array(all[..<place])).migrate()
    try await bench.database.write {
      for sql in [
        "INSERT INTO authors (id, handle, name, created_at_ms) VALUES ('a', 'a', '', 0), ('b', 'b', '', 0)",
        """
        INSERT INTO clips (id, author_id, caption, source_hash, state, created_at_ms)
        VALUES ('c', 'a', '', 'x', 'ready', 0), ('d', 'a', '', 'y', 'ready', 0)
        """,
      ] + statements { try $0.execute(sql) }
    }
    try await Migrator(database: bench.database, migrations: all).migrate()
    return bench
  }
}
