internal import Contract
internal import Foundation
internal import Platform

/// Keys of devices that open accounts, and questions that were answered.
struct PasskeyStore: Sendable {
  static let migration = Migration(
    "0054_passkeys",
    [
      """
      CREATE TABLE passkeys (
          account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, id TEXT NOT NULL,
          credential TEXT NOT NULL UNIQUE, public_key TEXT NOT NULL, sign_count BIGINT NOT NULL, name TEXT NOT NULL,
          created_at_ms BIGINT NOT NULL, used_at_ms BIGINT, PRIMARY KEY (account_id, id))
      """,
      """
      CREATE TABLE used_challenges (secret_hash TEXT PRIMARY KEY, expires_at_ms BIGINT NOT NULL)
      """,
      "CREATE INDEX used_challenges_by_expiry ON used_challenges (expires_at_ms)",
    ])

  struct Row: Sendable {
    var account: String
    var id: String
    /// In base64url, as clients say it.
    var credential: String
    var key: [UInt8]
    var signCount: Int64
    var name: String
    var createdAtMs: Int64
    var usedAtMs: Int64?

    var passkey: Passkey {
      let date = { (ms: Int64) in Date(timeIntervalSince1970: Double(ms) / 1000) }
      return Passkey(id: id, name: name, createdAt: date(createdAtMs), usedAt: usedAtMs.map(date))
    }
  }

  let time: any TimeSource

  /// Newest first.
  func list(of account: String, in transaction: any Transaction) throws -> [Row] {
    try transaction.query("SELECT * FROM passkeys WHERE account_id = ? ORDER BY id DESC", [.text(account)])
      .map(Self.row)
  }

  func find(_ id: String, of account: String, in transaction: any Transaction) throws -> Row? {
    try transaction.query(
      "SELECT * FROM passkeys WHERE account_id = ? AND id = ?", [.text(account), .text(id)]
    ).first.map(Self.row)
  }

  func find(credential: String, in transaction: any Transaction) throws -> Row? {
    try transaction.query("SELECT * FROM passkeys WHERE credential = ?", [.text(credential)]).first
      .map(Self.row)
  }

  /// False: an account has it already.
  func insert(_ row: Row, in transaction: any Transaction) throws -> Bool {
    try transaction.execute(
      """
      INSERT INTO passkeys (account_id, id, credential, public_key, sign_count, name, created_at_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
      """,
      [
        .text(row.account), .text(row.id), .text(row.credential), .text(Base64URL.text(row.key)),
        .integer(row.signCount), .text(row.name), .integer(row.createdAtMs),
      ]) == 1
  }

  /// Somebody came by it. A device that counts has signed more often than the last time; one that does not
  /// says 0 for ever. False: a copy of it has signed meanwhile (WebAuthn, 6.1.1).
  func use(_ row: Row, signCount: Int64, in transaction: any Transaction) throws -> Bool {
    guard signCount > row.signCount || (signCount == 0 && row.signCount == 0) else { return false }
    return try transaction.execute(
      "UPDATE passkeys SET sign_count = ?, used_at_ms = ? WHERE account_id = ? AND id = ?",
      [.integer(signCount), .integer(time.nowMs), .text(row.account), .text(row.id)]) == 1
  }

  func rename(_ id: String, of account: String, to name: String, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE passkeys SET name = ? WHERE account_id = ? AND id = ?",
      [.text(name), .text(account), .text(id)])
  }

  /// False: there is none such.
  func remove(_ id: String, of account: String, in transaction: any Transaction) throws -> Bool {
    try transaction.execute(
      "DELETE FROM passkeys WHERE account_id = ? AND id = ?", [.text(account), .text(id)]) == 1
  }

  /// False: it was used already.
  func use(_ challenge: PasskeyChallenge, in transaction: any Transaction) throws -> Bool {
    try transaction.execute(
      "INSERT INTO used_challenges (secret_hash, expires_at_ms) VALUES (?, ?) ON CONFLICT DO NOTHING",
      [.text(SecretToken.hash(of: challenge.secret)), .integer(challenge.expiresMs)]) == 1
  }

  func forget(in transaction: any Transaction) throws {
    try transaction.execute("DELETE FROM used_challenges WHERE expires_at_ms < ?", [.integer(time.nowMs)])
  }

  private static func row(_ row: Platform.Row) throws -> Row {
    Row(
      account: try row.text("account_id"), id: try row.text("id"), credential: try row.text("credential"),
      key: Base64URL.bytes(try row.text("public_key")) ?? [], signCount: try row.integer("sign_count"),
      name: try row.text("name"), createdAtMs: try row.integer("created_at_ms"),
      usedAtMs: row.optionalInteger("used_at_ms"))
  }
}
