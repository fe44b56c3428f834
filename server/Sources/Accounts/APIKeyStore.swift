internal import Contract
internal import Foundation
internal import Platform

/// Keys by which programs act for accounts. What opens is kept as its hash alone.
struct APIKeyStore: Sendable {
  static let migration = Migration(
    "0067_api_keys",
    [
      // `scopes`: with a space between them.
      """
      CREATE TABLE api_keys (
          account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, id TEXT NOT NULL,
          secret_hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL, scopes TEXT NOT NULL, created_at_ms BIGINT NOT NULL,
          used_at_ms BIGINT, expires_at_ms BIGINT, revoked_at_ms BIGINT, PRIMARY KEY (account_id, id))
      """,
      "CREATE INDEX api_keys_revoked ON api_keys (revoked_at_ms) WHERE revoked_at_ms IS NOT NULL",
    ])

  struct Row: Sendable {
    var account: String
    var id: String
    var name: String
    var scopes: [APIKeyScope]
    var createdAtMs: Int64
    var usedAtMs: Int64?
    var expiresAtMs: Int64?

    var key: APIKey {
      let date = { (ms: Int64) in Date(timeIntervalSince1970: Double(ms) / 1000) }
      return APIKey(
        id: id, name: name, scopes: scopes, createdAt: date(createdAtMs), usedAt: usedAtMs.map(date),
        expiresAt: expiresAtMs.map(date))
    }
  }

  let time: any TimeSource

  /// Newest first, without those that were revoked.
  func list(of account: String, in transaction: any Transaction) throws -> [Row] {
    try transaction.query(
      "SELECT * FROM api_keys WHERE account_id = ? AND revoked_at_ms IS NULL ORDER BY id DESC",
      [.text(account)]
    ).map(Self.row)
  }

  /// One that counts now. NB: it is found by its hash, so how long that takes tells nothing of a guess.
  func find(secret: String, in transaction: any Transaction) throws -> Row? {
    try transaction.query(
      """
      SELECT * FROM api_keys
      WHERE secret_hash = ? AND revoked_at_ms IS NULL AND (expires_at_ms IS NULL OR expires_at_ms > ?)
      """, [.text(SecretToken.hash(of: secret)), .integer(time.nowMs)]
    ).first.map(Self.row)
  }

  func insert(_ row: Row, secret: String, in transaction: any Transaction) throws {
    try transaction.execute(
      """
      INSERT INTO api_keys (account_id, id, secret_hash, name, scopes, created_at_ms, expires_at_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(row.account), .text(row.id), .text(SecretToken.hash(of: secret)), .text(row.name),
        .text(row.scopes.map(\.rawValue).joined(separator: " ")), .integer(row.createdAtMs),
        SQLValue(row.expiresAtMs),
      ])
  }

  /// Somebody came by it, and nobody did since `beforeMs`.
  func use(_ row: Row, since beforeMs: Int64, in transaction: any Transaction) throws {
    try transaction.execute(
      """
      UPDATE api_keys SET used_at_ms = ? WHERE account_id = ? AND id = ?
          AND (used_at_ms IS NULL OR used_at_ms <= ?)
      """, [.integer(time.nowMs), .text(row.account), .text(row.id), .integer(beforeMs)])
  }

  /// False: there is none such, or not any more.
  func revoke(_ id: String, of account: String, in transaction: any Transaction) throws -> Bool {
    try transaction.execute(
      "UPDATE api_keys SET revoked_at_ms = ? WHERE account_id = ? AND id = ? AND revoked_at_ms IS NULL",
      [.integer(time.nowMs), .text(account), .text(id)]) == 1
  }

  /// Those that were revoked long ago.
  func forget(in transaction: any Transaction) throws {
    try transaction.execute(
      "DELETE FROM api_keys WHERE revoked_at_ms IS NOT NULL AND revoked_at_ms < ?",
      [.integer(time.nowMs - Limits.revokedKeyMs)])
  }

  private static func row(_ row: Platform.Row) throws -> Row {
    Row(
      account: try row.text("account_id"), id: try row.text("id"), name: try row.text("name"),
      scopes: try row.text("scopes").split(atByte: UInt8(ascii: " ")).compactMap {
        APIKeyScope(rawValue: String($0))
      }, createdAtMs: try row.integer("created_at_ms"), usedAtMs: row.optionalInteger("used_at_ms"),
      expiresAtMs: row.optionalInteger("expires_at_ms"))
  }
}
