public import Contract
internal import Foundation
public import Platform

extension WebhookStore {
  // MARK: What is told

  /// In the transaction of what is told of: what cannot be told did not happen. `subject`: the generation, or
  /// the clip; of the same an endpoint hears once in 30 days. `author`: whose it is; nil: nobody's account,
  /// so the operator alone hears of it.
  public func note(
    _ event: WebhookEvent, about subject: String, clip: String?, of author: String?,
    in transaction: any Transaction
  ) throws {
    let endpoints = try transaction.query(
      """
      SELECT id, events, slow FROM webhook_endpoints WHERE (viewer_id = ? OR viewer_id IS NULL) AND enabled = 1
      """, [SQLValue(author)])
    for row in endpoints where try Self.events(row).contains(event) {
      try insert(
        Identifier.make(at: time), to: try row.text("id"), event.rawValue, about: subject, clip: clip,
        author: author, isSlow: try row.integer("slow") == 1, in: transaction)
    }
  }

  // MARK: Sending

  /// A message that somebody is about, with what it takes to send it.
  struct Due: Sendable {
    var id: String
    var endpoint: String
    var address: String
    var keys: [WebhookKey]
    var event: String
    var subject: String
    var clip: String?
    var author: String?
    /// This one included.
    var tries: Int64
    var createdMs: Int64

    var isTest: Bool { event.hasSameBytes(as: WebhookEvent.test) }
  }

  /// The next message that is due, which counts as tried. Nobody else gets it for the time of the lease,
  /// after which it is due again: who was killed in between has lost nothing. `isSlow`: of endpoints that are
  /// slow. Nil: nothing is due.
  func claim(isSlow: Bool) async throws -> Due? {
    let now = time.nowMs
    let sql = """
      SELECT * FROM webhook_deliveries WHERE state = 'waiting' AND slow = ? AND due_at_ms <= ?
      ORDER BY due_at_ms LIMIT 1
      """
    let values: [SQLValue] = [.integer(isSlow ? 1 : 0), .integer(now)]
    // A look outside of a write first: an idle worker must not disturb those who write.
    guard try await !database.read({ try $0.query(sql, values) }).isEmpty else { return nil }
    return try await database.write { transaction in
      while let row = try transaction.query(sql, values, locking: .skip).first {
        let (id, endpoint) = (try row.text("id"), try row.text("endpoint_id"))
        let found = try transaction.query(
          "SELECT address, secret, old_secret, old_until_ms FROM webhook_endpoints WHERE id = ?",
          [.text(endpoint)]
        ).first
        guard let found else {
          // The endpoint went as this was written.
          try transaction.execute("DELETE FROM webhook_deliveries WHERE id = ?", [.text(id)])
          continue
        }
        let tries = try row.integer("tries") + 1
        try transaction.execute(
          "UPDATE webhook_deliveries SET tries = ?, due_at_ms = ? WHERE id = ?",
          [.integer(tries), .integer(now + WebhookCourse.leaseMs), .text(id)])
        return Due(
          id: id, endpoint: endpoint, address: try found.text("address"),
          keys: try Self.keys(found, atMs: now), event: try row.text("event"),
          subject: try row.text("subject"), clip: row.optionalText("clip_id"),
          author: row.optionalText("author_id"), tries: tries, createdMs: try row.integer("created_at_ms"))
      }
      return nil
    }
  }

  private static func keys(_ row: Row, atMs nowMs: Int64) throws -> [WebhookKey] {
    let old = row.optionalInteger("old_until_ms") ?? 0 > nowMs ? row.optionalText("old_secret") : nil
    return [try row.text("secret"), old].compactMap { $0.flatMap { WebhookKey($0) } }
  }

  /// The same bytes at each try; its time and signatures are of this one.
  func signed(_ due: Due) throws -> SignedMessage {
    var subject = WebhookMessage.Subject(clipId: due.clip, authorId: due.author)
    let origin = setup.origin
    switch WebhookEvent(rawValue: due.event) {
    case .generationReady?, .generationFailed?:
      subject.generationId = due.subject
      subject.url = origin.map { $0 + Route.generation.path(due.subject) }
    case .clipPublished?: subject.url = origin.map { $0 + Route.clipPage.path(due.subject) }
    case nil: break
    }
    let message = WebhookMessage(type: due.event, timestamp: Self.date(due.createdMs), data: subject)
    let body = [UInt8](try WireCoding.encode(message))
    let seconds = time.nowMs / 1000
    return SignedMessage(
      id: due.id, timestamp: seconds,
      signatures: due.keys.map { $0.signature(id: due.id, timestamp: seconds, body: body) }
        .joined(separator: " "), body: body)
  }

  /// What follows from a try: it is over, or tried again, or its endpoint is switched off. Nothing, if
  /// somebody else has it by now.
  func finish(_ due: Due, _ outcome: WebhookOutcome, tookMs: Int64) async throws {
    let now = time.nowMs
    let next = WebhookCourse.next(
      after: outcome, tries: due.tries, ageMs: now - due.createdMs, isTest: due.isTest,
      permille: Int64.random(in: 0...1000))
    let isSlow = next != .delivered || tookMs > WebhookCourse.quickMs
    try await database.write { transaction in
      try Self.lock(due.endpoint, in: transaction)
      var state = WebhookDeliveryState.failed
      var dueMs = now
      switch next {
      case .delivered: state = .delivered
      case .again(let afterMs): (state, dueMs) = (.waiting, now + afterMs)
      case .failed, .gone: break
      }
      let (status, problem) = Self.columns(of: outcome)
      let changed = try transaction.execute(
        """
        UPDATE webhook_deliveries SET state = ?, due_at_ms = ?, slow = ?, tried_at_ms = ?, status = ?, problem = ?,
            took_ms = ?
        WHERE id = ? AND tries = ? AND state = 'waiting'
        """,
        [
          .text(state.rawValue), .integer(dueMs), .integer(isSlow ? 1 : 0), .integer(now), status, problem,
          .integer(tookMs), .text(due.id), .integer(due.tries),
        ])
      guard changed == 1 else { return }
      let deliveredMs: Int64? = next == .delivered ? now : nil
      try transaction.execute(
        "UPDATE webhook_endpoints SET slow = ?, delivered_at_ms = COALESCE(?, delivered_at_ms) WHERE id = ?",
        [.integer(isSlow ? 1 : 0), SQLValue(deliveredMs), .text(due.endpoint)])
      if next == .gone { try switchOff(due.endpoint, .gone, in: transaction) }
      // NB: a test is given up at once.
      if next == .failed, !due.isTest,
        try Self.tookNothing(due.endpoint, since: due.createdMs, in: transaction)
      {
        try switchOff(due.endpoint, .failing, in: transaction)
      }
    }
  }

  private static func columns(of outcome: WebhookOutcome) -> (status: SQLValue, problem: SQLValue) {
    switch outcome {
    case .answered(let status, _): (SQLValue(status), .null)
    case .unanswered(let problem): (.null, .text(problem.rawValue))
    }
  }

  private static func tookNothing(
    _ endpoint: String, since ms: Int64, in transaction: any Transaction
  ) throws -> Bool {
    try transaction.query(
      "SELECT id FROM webhook_endpoints WHERE id = ? AND delivered_at_ms >= ?",
      [.text(endpoint), .integer(ms)]
    ).isEmpty
  }

  private func switchOff(
    _ endpoint: String, _ problem: WebhookProblem, in transaction: any Transaction
  ) throws {
    let changed = try transaction.execute(
      "UPDATE webhook_endpoints SET enabled = 0, problem = ? WHERE id = ? AND enabled = 1",
      [.text(problem.rawValue), .text(endpoint)])
    try Self.giveUpAll(of: endpoint, in: transaction)
    guard changed == 1, let owners else { return }
    let row = try transaction.query(
      "SELECT viewer_id FROM webhook_endpoints WHERE id = ?", [.text(endpoint)]
    ).first
    guard let row else { return }
    try owners.switchedOff(
      endpoint, of: row.optionalText("viewer_id"), because: problem, in: transaction)
  }

  /// Whether it is the account's and was switched off, though its owner did not ask for it.
  public static func isSwitchedOff(
    _ id: String, of account: String, in transaction: any Transaction
  ) throws -> Bool {
    try !transaction.query(
      "SELECT id FROM webhook_endpoints WHERE id = ? AND viewer_id = ? AND enabled = 0 AND problem IS NOT NULL",
      [.text(id), .text(account)]
    ).isEmpty
  }
}
