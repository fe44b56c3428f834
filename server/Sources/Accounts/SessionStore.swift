internal import Contract
internal import Foundation
internal import Platform

/// Sessions in the database: one row each, whose refresh token is the newest link of a chain. Of the link
/// before it is kept what is needed to give the same answer again.
struct SessionStore: Sendable {
  /// From the last refresh to the end.
  static let patienceMs: Int64 = 60 * 86_400_000
  /// Bytes of what a client calls itself.
  private static let clientBytes = 256

  let time: any TimeSource
  let tokens: RefreshTokens
  /// From its beginning to its end, however often it is refreshed; nil: for ever. It counts for sessions that
  /// began before it was said, too.
  let lifeMs: Int64?

  struct Opened: Sendable {
    let id: String
    let token: String
    let expiresMs: Int64
  }

  /// What became of a refresh.
  enum Outcome: Sendable {
    case refreshed(Opened)
    /// The token was used before; its session is over now.
    case reused
    case unknown
  }

  func open(for account: String, client: String, in transaction: any Transaction) throws -> Opened {
    let now = time.nowMs
    let expires = end(ofOneFrom: now, usedAt: now)
    let token = RefreshTokens.Token(
      account: account, session: Identifier.make(at: time), generation: 0, secret: SecretToken.make())
    try transaction.execute(
      """
      INSERT INTO sessions (account_id, id, generation, secret_hash, salt, rotated_at_ms, client, created_at_ms,
          expires_at_ms)
      VALUES (?, ?, 0, ?, '', ?, ?, ?, ?)
      """,
      [
        .text(account), .text(token.session), .text(SecretToken.hash(of: token.secret)), .integer(now),
        .text(Self.cleaned(client)), .integer(now), .integer(expires),
      ])
    return Opened(id: token.session, token: tokens.text(of: token), expiresMs: expires)
  }

  /// Turns a token into the next one.
  ///
  /// The one before the newest counts for a short while, from the same client, and gives the newest again:
  /// its answer may have got lost, or two windows of a browser may refresh at once. Any other old token is in
  /// two hands, and which of them is the owner's cannot be told: the session ends.
  func refresh(
    _ token: RefreshTokens.Token, client: String, in transaction: any Transaction
  ) throws -> Outcome {
    let now = time.nowMs
    let hash = SecretToken.hash(of: token.secret)
    // NB: the first look may be overtaken by another process, never the second: a rotation is conditional.
    for _ in 0..<2 {
      guard let row = try find(token, in: transaction), try row.integer("expires_at_ms") >= now,
        try row.integer("created_at_ms") >= oldest
      else { return .unknown }
      let generation = try row.integer("generation")
      if generation == token.generation, try row.text("secret_hash") == hash {
        let salt = SecretToken.make()
        let next = tokens.next(after: token, salt: salt)
        let expires = end(ofOneFrom: try row.integer("created_at_ms"), usedAt: now)
        let changed = try transaction.execute(
          """
          UPDATE sessions SET generation = ?, secret_hash = ?, previous_hash = ?, salt = ?, rotated_at_ms = ?,
              client = ?, expires_at_ms = ?
          WHERE account_id = ? AND id = ? AND generation = ?
          """,
          [
            .integer(next.generation), .text(SecretToken.hash(of: next.secret)), .text(hash), .text(salt),
            .integer(now), .text(Self.cleaned(client)), .integer(expires),
            .text(token.account), .text(token.session), .integer(generation),
          ])
        guard changed == 1 else { continue }
        return .refreshed(Opened(id: token.session, token: tokens.text(of: next), expiresMs: expires))
      }
      if generation == token.generation + 1, row.optionalText("previous_hash") == hash,
        (0...Limits.refreshGraceMs).contains(now - (try row.integer("rotated_at_ms"))),
        try row.text("client") == Self.cleaned(client)
      {
        guard
          let next = tokens.next(
            after: token, salt: try row.text("salt"), hash: try row.text("secret_hash"))
        else { return .unknown }
        return .refreshed(
          Opened(
            id: token.session, token: tokens.text(of: next), expiresMs: try row.integer("expires_at_ms")))
      }
      try end(token.session, of: token.account, in: transaction)
      return .reused
    }
    return .unknown
  }

  func isOpen(_ id: String, of account: String, in transaction: any Transaction) throws -> Bool {
    try !transaction.query(
      """
      SELECT 1 AS n FROM sessions WHERE account_id = ? AND id = ? AND expires_at_ms >= ? AND created_at_ms >= ?
      """, [.text(account), .text(id), .integer(time.nowMs), .integer(oldest)]
    ).isEmpty
  }

  /// False: there is none such.
  @discardableResult
  func end(_ id: String, of account: String, in transaction: any Transaction) throws -> Bool {
    try transaction.execute(
      "DELETE FROM sessions WHERE account_id = ? AND id = ?", [.text(account), .text(id)]) == 1
  }

  /// Ends all of an account's sessions but one, and tells which.
  func endAll(
    of account: String, except kept: String? = nil, in transaction: any Transaction
  ) throws -> [String] {
    let ids = try list(of: account, in: transaction).map(\.id).filter { $0 != kept }
    for id in ids { try end(id, of: account, in: transaction) }
    return ids
  }

  /// Ends those that were used longest ago, if there are too many, and tells which.
  func prune(of account: String, in transaction: any Transaction) throws -> [String] {
    let ids = try list(of: account, in: transaction).dropFirst(Limits.sessions).map(\.id)
    for id in ids { try end(id, of: account, in: transaction) }
    return ids
  }

  /// Most recently used first.
  func list(of account: String, in transaction: any Transaction) throws -> [OpenSession] {
    try transaction.query(
      """
      SELECT id, client, created_at_ms, rotated_at_ms FROM sessions
      WHERE account_id = ? AND expires_at_ms >= ? AND created_at_ms >= ? ORDER BY rotated_at_ms DESC, id DESC
      """, [.text(account), .integer(time.nowMs), .integer(oldest)]
    ).map { row in
      OpenSession(
        id: try row.text("id"), current: false, client: try row.text("client"),
        createdAt: Self.date(try row.integer("created_at_ms")),
        usedAt: Self.date(try row.integer("rotated_at_ms")))
    }
  }

  func forget(in transaction: any Transaction) throws {
    try transaction.execute("DELETE FROM sessions WHERE expires_at_ms < ?", [.integer(time.nowMs)])
  }

  /// When one that began then and is used then ends by itself.
  private func end(ofOneFrom beganMs: Int64, usedAt usedMs: Int64) -> Int64 {
    min(usedMs + Self.patienceMs, lifeMs.map { beganMs + $0 } ?? .max)
  }

  /// What began before is over.
  private var oldest: Int64 { lifeMs.map { time.nowMs - $0 } ?? .min }

  private func find(_ token: RefreshTokens.Token, in transaction: any Transaction) throws -> Row? {
    try transaction.query(
      "SELECT * FROM sessions WHERE account_id = ? AND id = ?", [.text(token.account), .text(token.session)]
    ).first
  }

  private static func cleaned(_ client: String) -> String {
    // NB: cut before anything else: this is inside the transaction in which the session is written.
    BoundedText.cut(PlainText.line(BoundedText.cut(client, toBytes: clientBytes)), toBytes: clientBytes)
  }

  private static func date(_ ms: Int64) -> Date { Date(timeIntervalSince1970: Double(ms) / 1000) }
}
