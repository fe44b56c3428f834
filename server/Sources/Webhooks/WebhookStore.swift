public import Contract
internal import Foundation
public import Platform

/// Endpoints that hear of what happens, by Standard Webhooks, and what waits to be sent to them; and what
/// providers of videos let us hear in the same way.
///
/// It decides who hears of what, how often a message is tried and when an endpoint is switched off. It does
/// not know how an endpoint is reached (`WebhookSending`), nor what a provider is asked (`PollHurrying`).
/// Nothing depends on a message in either direction: whoever missed one asks, and we do.
///
/// A message is a row of the transaction of what it tells of, and says no more than ids.
public struct WebhookStore: Sendable {
  public static let migrations = [
    Migration(
      "0066_webhooks",
      [
        // `viewer_id`: null: the operator's, which hears of everybody. `events`: with spaces between. `slow`:
        // 1: it did not take the last message, or not quickly.
        """
        CREATE TABLE webhook_endpoints (
            id TEXT PRIMARY KEY, viewer_id TEXT, address TEXT NOT NULL, events TEXT NOT NULL, secret TEXT NOT NULL,
            old_secret TEXT, old_until_ms BIGINT, enabled BIGINT NOT NULL, problem TEXT, slow BIGINT NOT NULL,
            created_at_ms BIGINT NOT NULL, delivered_at_ms BIGINT)
        """,
        "CREATE INDEX webhook_endpoints_of_viewer ON webhook_endpoints (viewer_id, id)",
        // No foreign key: whatever is told of must not fail because an endpoint goes at the same time.
        // `subject`: what it is about; of that an endpoint hears once. `tries`: those that were begun, by
        // which whoever makes one knows that it is still theirs.
        """
        CREATE TABLE webhook_deliveries (
            id TEXT PRIMARY KEY, endpoint_id TEXT NOT NULL, event TEXT NOT NULL, subject TEXT NOT NULL, clip_id TEXT,
            author_id TEXT, state TEXT NOT NULL, slow BIGINT NOT NULL, tries BIGINT NOT NULL, due_at_ms BIGINT NOT NULL,
            created_at_ms BIGINT NOT NULL, tried_at_ms BIGINT, status BIGINT, problem TEXT, took_ms BIGINT,
            UNIQUE (endpoint_id, event, subject))
        """,
        "CREATE INDEX webhook_deliveries_due ON webhook_deliveries (state, slow, due_at_ms)",
        "CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, id)",
        "CREATE INDEX webhook_deliveries_of_author ON webhook_deliveries (author_id)",
        "CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at_ms)",
        // What a provider let us hear, by the id that it gave it.
        """
        CREATE TABLE heard_webhooks (
            provider TEXT NOT NULL, id TEXT NOT NULL, heard_at_ms BIGINT NOT NULL, PRIMARY KEY (provider, id))
        """,
        "CREATE INDEX heard_webhooks_by_age ON heard_webhooks (heard_at_ms)",
      ])
  ]

  /// For how long messages are signed by the secret before as well.
  static let oldSecretMs: Int64 = 86_400_000

  let database: any Database
  let time: any TimeSource
  let setup: WebhookSetup
  let accounts: any AccountVerifying
  let polls: any PollHurrying
  let owners: (any WebhookTelling)?

  public init(
    database: any Database, time: any TimeSource, setup: WebhookSetup, accounts: any AccountVerifying,
    polls: any PollHurrying, owners: (any WebhookTelling)? = nil
  ) {
    self.database = database
    self.time = time
    self.setup = setup
    self.accounts = accounts
    self.polls = polls
    self.owners = owners
  }

  // MARK: Endpoints
  // `account`: nil: the operator.

  public func list(of account: String?) async throws -> WebhookList {
    let (condition, values) = Self.owned(by: account)
    let (rows, isVerified) = try await database.read { transaction in
      let rows = try transaction.query(
        "SELECT * FROM webhook_endpoints WHERE \(condition) ORDER BY id", values)
      return (rows, try account.map { try accounts.isVerified($0, in: transaction) } ?? true)
    }
    let most = account == nil ? Limits.operatorWebhooks : setup.servesAccounts ? Limits.webhooks : 0
    return WebhookList(items: try rows.map(Self.webhook), most: most, verified: isVerified)
  }

  /// Throws `webhooks_off`, `webhook_address_refused`, `verification_needed` and `webhooks_too_many`.
  public func add(_ new: NewWebhook, by account: String?) async throws -> WebhookWithSecret {
    guard let sender = setup.sender, account == nil || setup.servesAccounts else {
      throw AppError(.webhooksOff)
    }
    guard sender.mayReach(new.address) else { throw AppError(.webhookAddressRefused, field: "address") }
    let secret = WebhookKey.makeSecret()
    return try await database.write { transaction in
      try transaction.lock("webhooks of \(account ?? "the operator")")
      try requireVerified(account, in: transaction)
      let (condition, values) = Self.owned(by: account)
      let count = try transaction.query(
        "SELECT COUNT(*) AS n FROM webhook_endpoints WHERE \(condition)", values)[0].integer("n")
      guard count < Int64(account == nil ? Limits.operatorWebhooks : Limits.webhooks) else {
        throw AppError(.webhooksTooMany)
      }
      let id = Identifier.make(at: time)
      try transaction.execute(
        """
        INSERT INTO webhook_endpoints (id, viewer_id, address, events, secret, enabled, slow, created_at_ms)
        VALUES (?, ?, ?, ?, ?, 1, 0, ?)
        """,
        [
          .text(id), SQLValue(account), .text(new.address), .text(Self.stored(new.events)), .text(secret),
          .integer(time.nowMs),
        ])
      return WebhookWithSecret(
        webhook: try Self.webhook(try own(id, of: account, in: transaction)), secret: secret)
    }
  }

  /// Throws `webhook_not_found`, `webhooks_off` and `verification_needed`.
  public func change(_ id: String, _ change: WebhookChange, by account: String?) async throws -> Webhook {
    try await database.write { transaction in
      try Self.lock(id, in: transaction)
      let row = try own(id, of: account, in: transaction)
      let events = try change.events.map(Self.stored) ?? row.text("events")
      let isEnabled = try change.enabled ?? (row.integer("enabled") == 1)
      if isEnabled, try row.integer("enabled") == 0 {
        guard account == nil || setup.servesAccounts else { throw AppError(.webhooksOff) }
        try requireVerified(account, in: transaction)
      }
      // What was wrong is over once its owner has switched it on, or off.
      let problem = change.enabled == nil ? row.optionalText("problem") : nil
      try transaction.execute(
        "UPDATE webhook_endpoints SET events = ?, enabled = ?, problem = ? WHERE id = ?",
        [.text(events), .integer(isEnabled ? 1 : 0), SQLValue(problem), .text(id)])
      if !isEnabled { try Self.giveUpAll(of: id, in: transaction) }
      return try Self.webhook(try own(id, of: account, in: transaction))
    }
  }

  /// Throws `webhook_not_found`.
  public func remove(_ id: String, by account: String?) async throws {
    try await database.write { transaction in
      try Self.lock(id, in: transaction)
      _ = try own(id, of: account, in: transaction)
      try Self.remove(id, in: transaction)
    }
  }

  /// Throws `webhook_not_found`.
  public func renewSecret(of id: String, by account: String?) async throws -> WebhookWithSecret {
    let secret = WebhookKey.makeSecret()
    return try await database.write { transaction in
      try Self.lock(id, in: transaction)
      _ = try own(id, of: account, in: transaction)
      try transaction.execute(
        "UPDATE webhook_endpoints SET old_secret = secret, old_until_ms = ?, secret = ? WHERE id = ?",
        [.integer(time.nowMs + Self.oldSecretMs), .text(secret), .text(id)])
      return WebhookWithSecret(
        webhook: try Self.webhook(try own(id, of: account, in: transaction)), secret: secret)
    }
  }

  /// Sends it a message of no meaning, once, whether it is switched on or not. Throws `webhook_not_found`,
  /// `webhooks_off` and `verification_needed`.
  public func test(_ id: String, by account: String?) async throws -> WebhookDelivery {
    guard account == nil || setup.servesAccounts else { throw AppError(.webhooksOff) }
    return try await database.write { transaction in
      let row = try own(id, of: account, in: transaction)
      try requireVerified(account, in: transaction)
      let delivery = Identifier.make(at: time)
      try insert(
        delivery, to: id, WebhookEvent.test, about: delivery, clip: nil, author: account,
        isSlow: try row.integer("slow") == 1, in: transaction)
      return WebhookDelivery(
        id: delivery, event: WebhookEvent.test, state: .waiting, tries: 0, createdAt: Self.date(time.nowMs))
    }
  }

  /// The last messages to it. Throws `webhook_not_found`.
  public func deliveries(to id: String, of account: String?) async throws -> WebhookDeliveries {
    let rows = try await database.read { transaction in
      _ = try own(id, of: account, in: transaction)
      return try transaction.query(
        "SELECT * FROM webhook_deliveries WHERE endpoint_id = ? ORDER BY id DESC LIMIT ?",
        [.text(id), SQLValue(Limits.webhookDeliveries)])
    }
    return WebhookDeliveries(items: try rows.map(Self.delivery))
  }

  // MARK: Rows

  private static func owned(by account: String?) -> (condition: String, values: [SQLValue]) {
    account.map { ("viewer_id = ?", [.text($0)]) } ?? ("viewer_id IS NULL", [])
  }

  /// Whoever changes more than one row of an endpoint and its messages.
  static func lock(_ id: String, in transaction: any Transaction) throws {
    try transaction.lock("webhook \(id)")
  }

  private func own(_ id: String, of account: String?, in transaction: any Transaction) throws -> Row {
    let row = try transaction.query("SELECT * FROM webhook_endpoints WHERE id = ?", [.text(id)]).first
    guard let row, row.optionalText("viewer_id") == account else { throw AppError(.webhookNotFound) }
    return row
  }

  private func requireVerified(_ account: String?, in transaction: any Transaction) throws {
    guard let account, try !accounts.isVerified(account, in: transaction) else { return }
    throw AppError(.verificationNeeded)
  }

  static func remove(_ id: String, in transaction: any Transaction) throws {
    try transaction.execute("DELETE FROM webhook_deliveries WHERE endpoint_id = ?", [.text(id)])
    try transaction.execute("DELETE FROM webhook_endpoints WHERE id = ?", [.text(id)])
  }

  /// What waits for it is not sent any more.
  static func giveUpAll(of id: String, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE webhook_deliveries SET state = 'failed' WHERE endpoint_id = ? AND state = 'waiting'",
      [.text(id)])
  }

  func insert(
    _ id: String, to endpoint: String, _ event: String, about subject: String, clip: String?, author: String?,
    isSlow: Bool, in transaction: any Transaction
  ) throws {
    try transaction.execute(
      """
      INSERT INTO webhook_deliveries (id, endpoint_id, event, subject, clip_id, author_id, state, slow, tries, due_at_ms,
          created_at_ms)
      VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?, 0, ?, ?) ON CONFLICT (endpoint_id, event, subject) DO NOTHING
      """,
      [
        .text(id), .text(endpoint), .text(event), .text(subject), SQLValue(clip), SQLValue(author),
        .integer(isSlow ? 1 : 0), .integer(time.nowMs), .integer(time.nowMs),
      ])
  }

  private static func stored(_ events: [WebhookEvent]) -> String {
    WebhookEvent.allCases.filter(events.contains).map(\.rawValue).joined(separator: " ")
  }

  static func events(_ row: Row) throws -> [WebhookEvent] {
    try row.text("events").split(atByte: UInt8(ascii: " ")).compactMap { WebhookEvent(rawValue: String($0)) }
  }

  static func date(_ ms: Int64) -> Date { Date(timeIntervalSince1970: Double(ms) / 1000) }

  private static func webhook(_ row: Row) throws -> Webhook {
    Webhook(
      id: try row.text("id"), address: try row.text("address"), events: try events(row),
      enabled: try row.integer("enabled") == 1,
      problem: row.optionalText("problem").flatMap(WebhookProblem.init(rawValue:)),
      createdAt: date(try row.integer("created_at_ms")),
      deliveredAt: row.optionalInteger("delivered_at_ms").map(date))
  }

  private static func delivery(_ row: Row) throws -> WebhookDelivery {
    var delivery = WebhookDelivery(
      id: try row.text("id"), event: try row.text("event"),
      state: WebhookDeliveryState(rawValue: try row.text("state")) ?? .failed,
      tries: Int(clamping: try row.integer("tries")), createdAt: date(try row.integer("created_at_ms")))
    delivery.triedAt = row.optionalInteger("tried_at_ms").map(date)
    delivery.status = row.optionalInteger("status").map { Int(clamping: $0) }
    delivery.problem = row.optionalText("problem").flatMap(WebhookDeliveryProblem.init(rawValue:))
    delivery.tookMs = row.optionalInteger("took_ms").map { Int(clamping: $0) }
    if delivery.state == .waiting { delivery.nextAt = date(try row.integer("due_at_ms")) }
    return delivery
  }
}
