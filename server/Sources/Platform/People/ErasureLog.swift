/// A feature that keeps rows about clips without a reference to them: clips are gone.
public protocol ClipForgetting: Sendable {
  /// Removes what the feature kept of them. Nobody can add to it any more.
  func forget(clips: [String], in database: any Database) async throws
}

/// What was deleted a short while ago. Somebody may have begun to write about it before: a request that was
/// let in, a transaction that saw it. What they left is removed by a second look, when nobody can be on the
/// way any more.
public struct ErasureLog: Sendable {
  public enum Kind: String, Sendable { case viewer, clip }

  public static let migrations = [
    Migration(
      "0021_departures",
      [
        """
        CREATE TABLE departures (
            kind TEXT NOT NULL, id TEXT NOT NULL, at_ms BIGINT NOT NULL, PRIMARY KEY (kind, id))
        """,
        "CREATE INDEX departures_by_age ON departures (at_ms)",
      ])
  ]

  /// Longer than an access token lives and a transaction lasts.
  public static let settledMs: Int64 = 1_800_000

  private let time: any TimeSource

  public init(time: any TimeSource) {
    self.time = time
  }

  public func note(_ kind: Kind, _ id: String, in transaction: any Transaction) throws {
    try transaction.execute(
      """
      INSERT INTO departures (kind, id, at_ms) VALUES (?, ?, ?)
      ON CONFLICT (kind, id) DO UPDATE SET at_ms = excluded.at_ms
      """, [.text(kind.rawValue), .text(id), .integer(time.nowMs)])
  }

  public func isGone(_ kind: Kind, _ id: String, in transaction: any Transaction) throws -> Bool {
    try !transaction.query(
      "SELECT 1 AS n FROM departures WHERE kind = ? AND id = ?", [.text(kind.rawValue), .text(id)]
    ).isEmpty
  }

  /// Those whose second look is due, longest ago first.
  public func due(_ kind: Kind, limit: Int, in transaction: any Transaction) throws -> [String] {
    try transaction.query(
      "SELECT id FROM departures WHERE at_ms < ? AND kind = ? ORDER BY at_ms LIMIT ?",
      [.integer(time.nowMs - Self.settledMs), .text(kind.rawValue), SQLValue(limit)]
    ).map { try $0.text("id") }
  }

  /// Those of this instant on, for whoever keeps something of people outside the database.
  public func noted(_ kind: Kind, sinceMs: Int64, in transaction: any Transaction) throws -> [String] {
    try transaction.query(
      "SELECT id FROM departures WHERE at_ms >= ? AND kind = ?", [.integer(sinceMs), .text(kind.rawValue)]
    ).map { try $0.text("id") }
  }

  public func forget(_ kind: Kind, _ id: String, in transaction: any Transaction) throws {
    try transaction.execute(
      "DELETE FROM departures WHERE kind = ? AND id = ?", [.text(kind.rawValue), .text(id)])
  }
}
