internal import Contract
internal import Foundation
internal import Platform

/// Accounts in the database.
struct AccountStore: Sendable {
  struct Row: Sendable {
    var id: String
    var handle: String
    var name: String
    /// Confirmed.
    var email: String?
    var pendingEmail: String?
    var passwordHash: String
    var role: Viewer.Role
    var suspendedAtMs: Int64?
    var createdAtMs: Int64
    var signUpKey: String?
    /// No later than all of it was so, in milliseconds since 1970.
    var readMs: Int64
    var isSuspended: Bool { suspendedAtMs != nil }
    var hasPassword: Bool { passwordHash != AccountStore.noPassword }

    var account: Account {
      Account(
        id: id, handle: handle, name: name, email: email, pendingEmail: pendingEmail, role: role.rawValue,
        suspended: isSuspended, hasPassword: hasPassword,
        createdAt: Date(timeIntervalSince1970: Double(createdAtMs) / 1000))
    }
  }

  /// Of an account that is opened by others alone. No hash is like it.
  static let noPassword = ""

  static let migration = Migration(
    "0014_accounts",
    [
      """
      CREATE TABLE accounts (
          id TEXT PRIMARY KEY, handle TEXT NOT NULL UNIQUE, name TEXT NOT NULL, email TEXT, email_key TEXT UNIQUE,
          pending_email TEXT, password_hash TEXT NOT NULL, role TEXT NOT NULL, suspended_at_ms BIGINT,
          created_at_ms BIGINT NOT NULL)
      """,
      // No secret of a client is in here, only hashes of secrets.
      """
      CREATE TABLE sessions (
          account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, id TEXT NOT NULL,
          generation BIGINT NOT NULL, secret_hash TEXT NOT NULL, previous_hash TEXT, salt TEXT NOT NULL,
          rotated_at_ms BIGINT NOT NULL, client TEXT NOT NULL, created_at_ms BIGINT NOT NULL,
          expires_at_ms BIGINT NOT NULL, PRIMARY KEY (account_id, id))
      """,
      "CREATE INDEX sessions_by_expiry ON sessions (expires_at_ms)",
      """
      CREATE TABLE account_links (
          account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, secret_hash TEXT NOT NULL,
          purpose TEXT NOT NULL, email TEXT, created_at_ms BIGINT NOT NULL, expires_at_ms BIGINT NOT NULL,
          PRIMARY KEY (account_id, secret_hash))
      """,
      "CREATE INDEX account_links_by_expiry ON account_links (expires_at_ms)",
    ])

  /// The hash of the idempotency key by which it was made.
  static let keyMigration = Migration(
    "0021_sign_up_keys", ["ALTER TABLE accounts ADD COLUMN sign_up_key TEXT"])

  let time: any TimeSource

  func find(_ id: String, in transaction: any Transaction) throws -> Row? {
    try row(where: "id = ?", id, in: transaction)
  }

  func find(handle: String, in transaction: any Transaction) throws -> Row? {
    try row(where: "handle = ?", handle, in: transaction)
  }

  /// By what somebody wrote: a handle, or a confirmed e-mail address.
  func find(named text: String, in transaction: any Transaction) throws -> Row? {
    // NB: a zero byte would end the text for one database and break the other.
    guard text.utf8.count <= Limits.emailBytes, !text.utf8.contains(where: { $0 < 0x20 }) else { return nil }
    let handle = Handle.folded(text)
    guard handle.utf8.contains(UInt8(ascii: "@")) else { return try find(handle: handle, in: transaction) }
    return try row(where: "email_key = ?", EmailAddress.key(text), in: transaction)
  }

  /// False: there is one with this id or this handle.
  func insert(_ row: Row, in transaction: any Transaction) throws -> Bool {
    try transaction.execute(
      """
      INSERT INTO accounts (id, handle, name, pending_email, password_hash, role, created_at_ms, sign_up_key)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
      """,
      [
        .text(row.id), .text(row.handle), .text(row.name), SQLValue(row.pendingEmail),
        .text(row.passwordHash), .text(row.role.rawValue), .integer(row.createdAtMs),
        SQLValue(row.signUpKey),
      ]) == 1
  }

  /// False: it is another one by now.
  func setPassword(
    of id: String, from old: String, to new: String, in transaction: any Transaction
  ) throws -> Bool {
    try transaction.execute(
      "UPDATE accounts SET password_hash = ? WHERE id = ? AND password_hash = ?",
      [.text(new), .text(id), .text(old)]) == 1
  }

  func setPassword(of id: String, to new: String, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE accounts SET password_hash = ? WHERE id = ?", [.text(new), .text(id)])
  }

  func rename(_ id: String, _ name: String, in transaction: any Transaction) throws {
    try transaction.execute("UPDATE accounts SET name = ? WHERE id = ?", [.text(name), .text(id)])
  }

  func setPending(_ email: String, of id: String, in transaction: any Transaction) throws {
    try transaction.execute("UPDATE accounts SET pending_email = ? WHERE id = ?", [.text(email), .text(id)])
  }

  /// The address that waits, and what would confirm it.
  func removePending(of id: String, in transaction: any Transaction) throws {
    try removeLinks(.email, of: id, in: transaction)
    try transaction.execute("UPDATE accounts SET pending_email = NULL WHERE id = ?", [.text(id)])
  }

  func removeEmail(of id: String, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE accounts SET email = NULL, email_key = NULL, pending_email = NULL WHERE id = ?", [.text(id)])
  }

  /// False: another account has it.
  func confirm(_ email: String, of id: String, in transaction: any Transaction) throws -> Bool {
    let key = EmailAddress.key(email)
    return try transaction.execute(
      """
      UPDATE accounts SET email = ?, email_key = ?, pending_email = NULL
      WHERE id = ? AND NOT EXISTS (SELECT 1 FROM accounts o WHERE o.email_key = ? AND o.id <> ?)
      """, [.text(email), .text(key), .text(id), .text(key), .text(id)]) == 1
  }

  func setRole(_ role: Viewer.Role, of id: String, in transaction: any Transaction) throws {
    try transaction.execute("UPDATE accounts SET role = ? WHERE id = ?", [.text(role.rawValue), .text(id)])
  }

  func setSuspended(_ isSuspended: Bool, _ id: String, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE accounts SET suspended_at_ms = ? WHERE id = ?",
      [isSuspended ? .integer(time.nowMs) : .null, .text(id)])
  }

  /// One that is suspended already stays so since then.
  func suspend(_ id: String, atMs: Int64, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE accounts SET suspended_at_ms = ? WHERE id = ? AND suspended_at_ms IS NULL",
      [.integer(atMs), .text(id)])
  }

  /// Unless it began at another instant.
  func endSuspension(of id: String, begunAtMs: Int64, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE accounts SET suspended_at_ms = NULL WHERE id = ? AND suspended_at_ms = ?",
      [.text(id), .integer(begunAtMs)])
  }

  func newest(_ limit: Int, in transaction: any Transaction) throws -> [Row] {
    let readMs = time.nowMs
    return try transaction.query(
      "SELECT * FROM accounts ORDER BY created_at_ms DESC, id DESC LIMIT ?", [SQLValue(limit)]
    ).map { try Self.row($0, readMs: readMs) }
  }

  // MARK: Links that were sent

  enum Purpose: String { case reset, email }

  /// At most so many of a purpose are open at a time: a stranger may ask for them in our name.
  static let openLinks = 3

  /// False: enough are open.
  func addLink(
    _ hash: String, _ purpose: Purpose, email: String?, of id: String, lifeMs: Int64, limited: Bool,
    in transaction: any Transaction
  ) throws -> Bool {
    let now = time.nowMs
    try transaction.execute("DELETE FROM account_links WHERE expires_at_ms < ?", [.integer(now)])
    let open = try transaction.query(
      "SELECT COUNT(*) AS n FROM account_links WHERE account_id = ? AND purpose = ?",
      [.text(id), .text(purpose.rawValue)])[0].integer("n")
    guard !limited || open < Int64(Self.openLinks) else { return false }
    try transaction.execute(
      """
      INSERT INTO account_links (account_id, secret_hash, purpose, email, created_at_ms, expires_at_ms)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        .text(id), .text(hash), .text(purpose.rawValue), SQLValue(email), .integer(now),
        .integer(now + lifeMs),
      ])
    return true
  }

  func hasLink(_ hash: String, _ purpose: Purpose, of id: String, in transaction: any Transaction) throws
    -> Bool
  {
    try !transaction.query(
      """
      SELECT 1 AS n FROM account_links
      WHERE account_id = ? AND secret_hash = ? AND purpose = ? AND expires_at_ms >= ?
      """, [.text(id), .text(hash), .text(purpose.rawValue), .integer(time.nowMs)]
    ).isEmpty
  }

  /// Uses the link up: nil if there is none, or not any more; else the address that it is about.
  func takeLink(
    _ hash: String, _ purpose: Purpose, of id: String, in transaction: any Transaction
  ) throws -> String?? {
    let row = try transaction.query(
      """
      SELECT email FROM account_links
      WHERE account_id = ? AND secret_hash = ? AND purpose = ? AND expires_at_ms >= ?
      """, [.text(id), .text(hash), .text(purpose.rawValue), .integer(time.nowMs)]
    ).first
    let taken = try transaction.execute(
      "DELETE FROM account_links WHERE account_id = ? AND secret_hash = ? AND purpose = ?",
      [.text(id), .text(hash), .text(purpose.rawValue)])
    guard let row, taken == 1 else { return nil }
    return .some(row.optionalText("email"))
  }

  func removeLinks(_ purpose: Purpose, of id: String, in transaction: any Transaction) throws {
    try transaction.execute(
      "DELETE FROM account_links WHERE account_id = ? AND purpose = ?", [.text(id), .text(purpose.rawValue)])
  }

  private func row(where condition: String, _ value: String, in transaction: any Transaction) throws -> Row? {
    let readMs = time.nowMs
    return try transaction.query("SELECT * FROM accounts WHERE \(condition)", [.text(value)]).first
      .map { try Self.row($0, readMs: readMs) }
  }

  private static func row(_ row: Platform.Row, readMs: Int64) throws -> Row {
    Row(
      id: try row.text("id"), handle: try row.text("handle"), name: try row.text("name"),
      email: row.optionalText("email"), pendingEmail: row.optionalText("pending_email"),
      passwordHash: try row.text("password_hash"),
      role: Viewer.Role(rawValue: try row.text("role")) ?? .member,
      suspendedAtMs: row.optionalInteger("suspended_at_ms"), createdAtMs: try row.integer("created_at_ms"),
      signUpKey: row.optionalText("sign_up_key"), readMs: readMs)
  }
}
