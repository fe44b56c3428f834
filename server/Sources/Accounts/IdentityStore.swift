internal import Contract
internal import Foundation
internal import Platform

/// By whom else accounts can be got into, and what somebody who came from a provider holds for a while.
struct IdentityStore: Sendable {
  struct Row: Sendable {
    var account: String
    var id: String
    var issuer: String
    var email: String?
    var grant: ProvenIdentity.Grant?
    var connectedAtMs: Int64
  }

  static let migration = Migration(
    "0019_identities",
    [
      // NB: by issuer and not by the operator's name for it, which may come to mean another issuer, with the
      // same subjects for other people.
      """
      CREATE TABLE identities (
          account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, id TEXT NOT NULL, issuer TEXT NOT NULL,
          subject TEXT NOT NULL, email TEXT, grant_client TEXT, grant_token TEXT, connected_at_ms BIGINT NOT NULL,
          PRIMARY KEY (account_id, id), UNIQUE (account_id, issuer))
      """,
      "CREATE UNIQUE INDEX identities_by_subject ON identities (issuer, subject)",
      // A row comes into being once a provider has vouched for somebody, and only its hash is here.
      """
      CREATE TABLE sign_in_tickets (
          secret_hash TEXT PRIMARY KEY, purpose TEXT NOT NULL, account_id TEXT, provider TEXT NOT NULL,
          issuer TEXT NOT NULL, subject TEXT NOT NULL, name TEXT, email TEXT, grant_client TEXT, grant_token TEXT,
          expires_at_ms BIGINT NOT NULL)
      """,
      "CREATE INDEX sign_in_tickets_by_subject ON sign_in_tickets (issuer, subject)",
      "CREATE INDEX sign_in_tickets_by_expiry ON sign_in_tickets (expires_at_ms)",
      // What is to be given back to providers once accounts are gone.
      """
      CREATE TABLE identity_farewells (
          id TEXT PRIMARY KEY, issuer TEXT NOT NULL, grant_client TEXT NOT NULL, grant_token TEXT NOT NULL,
          tries BIGINT NOT NULL, due_at_ms BIGINT NOT NULL)
      """,
      "CREATE INDEX identity_farewells_by_time ON identity_farewells (due_at_ms)",
    ])

  let time: any TimeSource

  // MARK: Identities

  func account(of issuer: String, _ subject: String, in transaction: any Transaction) throws -> String? {
    try transaction.query(
      "SELECT account_id FROM identities WHERE issuer = ? AND subject = ?", [.text(issuer), .text(subject)]
    ).first?.text("account_id")
  }

  func list(of account: String, in transaction: any Transaction) throws -> [Row] {
    try transaction.query(
      "SELECT * FROM identities WHERE account_id = ? ORDER BY connected_at_ms, id", [.text(account)]
    ).map(Self.row)
  }

  /// Nil: somebody is connected with it, or the account with another identity of this issuer.
  func connect(
    _ account: String, _ identity: ProvenIdentity, in transaction: any Transaction
  ) throws -> Row? {
    let row = Row(
      account: account, id: Identifier.make(at: time), issuer: identity.issuer, email: identity.email,
      grant: identity.grant, connectedAtMs: time.nowMs)
    let added = try transaction.execute(
      """
      INSERT INTO identities (account_id, id, issuer, subject, email, grant_client, grant_token, connected_at_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
      """,
      [
        .text(account), .text(row.id), .text(row.issuer), .text(identity.subject), SQLValue(row.email),
        SQLValue(row.grant?.client), SQLValue(row.grant?.token), .integer(row.connectedAtMs),
      ])
    return added == 1 ? row : nil
  }

  /// A newer grant stands for those before it.
  func keep(_ grant: ProvenIdentity.Grant, of identity: ProvenIdentity, in transaction: any Transaction)
    throws
  {
    try transaction.execute(
      "UPDATE identities SET grant_client = ?, grant_token = ? WHERE issuer = ? AND subject = ?",
      [.text(grant.client), .text(grant.token), .text(identity.issuer), .text(identity.subject)])
  }

  func remove(_ row: Row, in transaction: any Transaction) throws {
    try takeLeave(of: [row], in: transaction)
    try transaction.execute(
      "DELETE FROM identities WHERE account_id = ? AND id = ?", [.text(row.account), .text(row.id)])
  }

  /// Before the account goes, and its identities with it.
  func erase(_ account: String, in transaction: any Transaction) throws {
    try takeLeave(of: try list(of: account, in: transaction), in: transaction)
    try transaction.execute("DELETE FROM sign_in_tickets WHERE account_id = ?", [.text(account)])
  }

  // MARK: Tickets

  enum Purpose: String { case newcomer, proof }

  struct Ticket: Sendable {
    var purpose: Purpose
    /// Whose account it is about; nil: nobody's yet.
    var account: String?
    var provider: String
    var identity: ProvenIdentity
  }

  /// One of a purpose for each identity: the newest.
  func add(_ ticket: Ticket, lifeMs: Int64, in transaction: any Transaction) throws -> String {
    let secret = SecretToken.make()
    let identity = ticket.identity
    try forget(in: transaction)
    try transaction.execute(
      "DELETE FROM sign_in_tickets WHERE issuer = ? AND subject = ? AND purpose = ?",
      [.text(identity.issuer), .text(identity.subject), .text(ticket.purpose.rawValue)])
    try transaction.execute(
      """
      INSERT INTO sign_in_tickets (secret_hash, purpose, account_id, provider, issuer, subject, name, email,
          grant_client, grant_token, expires_at_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(SecretToken.hash(of: secret)), .text(ticket.purpose.rawValue), SQLValue(ticket.account),
        .text(ticket.provider), .text(identity.issuer), .text(identity.subject), SQLValue(identity.name),
        SQLValue(identity.email), SQLValue(identity.grant?.client), SQLValue(identity.grant?.token),
        .integer(time.nowMs + lifeMs),
      ])
    return secret
  }

  /// Nil: there is none, or not any more, or it is for another account.
  func find(
    _ secret: String, _ purpose: Purpose, for account: String?, in transaction: any Transaction
  ) throws -> Ticket? {
    let row = try transaction.query(
      "SELECT * FROM sign_in_tickets WHERE secret_hash = ? AND purpose = ? AND expires_at_ms >= ?",
      [.text(SecretToken.hash(of: secret)), .text(purpose.rawValue), .integer(time.nowMs)]
    ).first
    guard let row else { return nil }
    let owner = row.optionalText("account_id")
    guard owner == nil || owner == account else { return nil }
    return Ticket(
      purpose: purpose, account: owner, provider: try row.text("provider"),
      identity: ProvenIdentity(
        issuer: try row.text("issuer"), subject: try row.text("subject"), name: row.optionalText("name"),
        email: row.optionalText("email"), grant: Self.grant(row)))
  }

  /// Uses it up. Throws `sign_in_over`.
  func take(
    _ secret: String, _ purpose: Purpose, for account: String?, in transaction: any Transaction
  ) throws -> Ticket {
    guard let ticket = try find(secret, purpose, for: account, in: transaction),
      try transaction.execute(
        "DELETE FROM sign_in_tickets WHERE secret_hash = ?", [.text(SecretToken.hash(of: secret))]) == 1
    else { throw AppError(.signInOver) }
    return ticket
  }

  func forget(in transaction: any Transaction) throws {
    try transaction.execute("DELETE FROM sign_in_tickets WHERE expires_at_ms < ?", [.integer(time.nowMs)])
  }

  // MARK: Revocations

  struct ProviderRevocation: Sendable {
    var id: String
    var issuer: String
    var grant: ProvenIdentity.Grant
    var tries: Int64
  }

  /// A provider that does not take it for so long never will.
  static let revocationTries: Int64 = 12
  private static let firstWaitMs: Int64 = 60_000

  private func takeLeave(of rows: [Row], in transaction: any Transaction) throws {
    for row in rows {
      guard let grant = row.grant else { continue }
      try transaction.execute(
        """
        INSERT INTO identity_farewells (id, issuer, grant_client, grant_token, tries, due_at_ms)
        VALUES (?, ?, ?, ?, 0, ?)
        """,
        [
          .text(Identifier.make(at: time)), .text(row.issuer), .text(grant.client), .text(grant.token),
          .integer(time.nowMs),
        ])
    }
  }

  /// One that is due, which counts as tried; nil: there is none. Another process gets another one.
  func takeRevocation(in transaction: any Transaction) throws -> ProviderRevocation? {
    let now = time.nowMs
    try transaction.execute(
      "DELETE FROM identity_farewells WHERE tries >= ?", [.integer(Self.revocationTries)])
    let row = try transaction.query(
      "SELECT * FROM identity_farewells WHERE due_at_ms <= ? ORDER BY due_at_ms LIMIT 1", [.integer(now)],
      locking: .skip
    ).first
    guard let row else { return nil }
    let revocation = ProviderRevocation(
      id: try row.text("id"), issuer: try row.text("issuer"),
      grant: .init(client: try row.text("grant_client"), token: try row.text("grant_token")),
      tries: try row.integer("tries"))
    try transaction.execute(
      "UPDATE identity_farewells SET tries = tries + 1, due_at_ms = ? WHERE id = ?",
      [.integer(now + Self.firstWaitMs << min(revocation.tries, 11)), .text(revocation.id)])
    return revocation
  }

  func remove(_ revocation: ProviderRevocation, in transaction: any Transaction) throws {
    try transaction.execute("DELETE FROM identity_farewells WHERE id = ?", [.text(revocation.id)])
  }

  private static func row(_ row: Platform.Row) throws -> Row {
    Row(
      account: try row.text("account_id"), id: try row.text("id"), issuer: try row.text("issuer"),
      email: row.optionalText("email"), grant: grant(row), connectedAtMs: try row.integer("connected_at_ms"))
  }

  private static func grant(_ row: Platform.Row) -> ProvenIdentity.Grant? {
    guard let client = row.optionalText("grant_client"), let token = row.optionalText("grant_token") else {
      return nil
    }
    return .init(client: client, token: token)
  }
}
