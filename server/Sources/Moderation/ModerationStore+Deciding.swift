public import Contract
internal import Foundation
public import Platform

extension ModerationStore {
  /// The same key again answers with the case as it is now. Throws `case_not_found`, `decision_not_possible`,
  /// `statement_empty`, `statement_too_long`, `idempotency_key_reused`, and `not_allowed` to whom it is
  /// about.
  public func decide(
    _ caseID: String, _ new: NewDecision, by moderator: Viewer, idempotencyKey: String
  ) async throws -> CaseFile {
    let statement =
      try new.action == .dismiss
      ? statementText.checkedIfAny(new.statement) : statementText.checked(new.statement ?? "")
    guard new.days == nil || new.action == .suspend else {
      throw AppError(.decisionNotPossible, "Only a suspension lasts a number of days.", field: "days")
    }
    try await database.write { transaction in
      let row = try lockedCase(caseID, in: transaction)
      if let known = try decision(by: idempotencyKey, on: caseID, in: transaction) {
        guard try Self.isSame(known, new, statement, moderator.id) else {
          throw AppError(.idempotencyKeyReused)
        }
        return
      }
      guard row.optionalText("person_viewer_id") != moderator.id else { throw AppError(.notAllowed) }
      let now = time.nowMs
      try carryOut(new, on: row, by: moderator, atMs: now, in: transaction)
      let until = new.days.map { now + Int64($0) * Self.dayMs }
      let id = Identifier.make(at: time)
      try transaction.execute(
        """
        INSERT INTO moderation_decisions (id, case_id, round, idempotency_key, person_viewer_id, moderator_viewer_id,
            action, reason, statement, days, state, created_at_ms, until_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'standing', ?, ?)
        """,
        [
          .text(id), .text(caseID), .integer(try row.integer("round")),
          .text(idempotencyKey), SQLValue(row.optionalText("person_viewer_id")), .text(moderator.id),
          .text(new.action.rawValue), .text(new.reason.rawValue), .text(statement),
          SQLValue(new.days.map(Int64.init)), .integer(now), SQLValue(until),
        ])
      try setOutcome(of: caseID, round: try row.integer("round"), in: transaction)
      try settle(caseID, in: transaction)
      let days = new.days.map { " \($0)d" } ?? ""
      try log.append(
        .decided, caseID,
        "\(new.action.rawValue)\(days) \(new.reason.rawValue) \(ContentHash.of(Array(statement.utf8)))",
        by: moderator.id, in: transaction)
      if new.action != .dismiss, let person = row.optionalText("person_viewer_id") {
        try accounts?.tell(person, ofReview: false, in: transaction)
        try notices?.decided(
          id, on: row.optionalText("clip_id"), about: person, isAnswer: false, in: transaction)
      }
    }
    return try await caseFile(caseID, for: moderator)
  }

  static let dayMs: Int64 = 86_400_000

  private func carryOut(
    _ new: NewDecision, on row: Row, by moderator: Viewer, atMs: Int64, in transaction: any Transaction
  ) throws {
    switch new.action {
    case .dismiss:
      // What stands is taken back by an answer to it.
      guard try !isDecided(row.text("id"), row.integer("round"), in: transaction) else {
        throw AppError(.decisionNotPossible, "This case is decided.")
      }
    case .remove:
      guard try things.withhold(Self.kind(row), try row.text("subject_id"), in: transaction) else {
        throw AppError(.decisionNotPossible, "It is gone already, or it is nothing that can be removed.")
      }
    case .ageLimit, .limitReach:
      guard let limit = ClipLimit(new.action),
        try things.limit(Self.kind(row), try row.text("subject_id"), limit, in: transaction)
      else {
        throw AppError(.decisionNotPossible, "It is no clip, or is gone already, or limited so already.")
      }
    case .warn: _ = try account(of: row, in: transaction)
    case .suspend:
      let (person, role) = try account(of: row, in: transaction)
      guard role == .member || moderator.role == .admin else {
        throw AppError(.decisionNotPossible, "Only an admin can suspend a moderator or an admin.")
      }
      try accounts?.suspend(person, atMs: atMs, in: transaction)
    }
  }

  private func account(
    of row: Row, in transaction: any Transaction
  ) throws -> (id: String, role: Viewer.Role) {
    guard let person = row.optionalText("person_viewer_id"),
      let role = try accounts?.role(of: person, in: transaction)
    else { throw AppError(.decisionNotPossible, "It is of a guest, or of an account that is gone.") }
    return (person, role)
  }

  private func decision(
    by key: String, on caseID: String, in transaction: any Transaction
  ) throws -> Row? {
    try transaction.query(
      "SELECT * FROM moderation_decisions WHERE case_id = ? AND idempotency_key = ?",
      [.text(caseID), .text(key)]
    ).first
  }

  private static func isSame(
    _ known: Row, _ new: NewDecision, _ statement: String, _ moderator: String
  ) throws -> Bool {
    try known.text("action") == new.action.rawValue && known.text("reason") == new.reason.rawValue
      && known.text("statement") == statement && known.optionalText("moderator_viewer_id") == moderator
      && known.optionalInteger("days") == new.days.map(Int64.init)
  }

  func isDecided(_ caseID: String, _ round: Int64, in transaction: any Transaction) throws -> Bool {
    try !transaction.query(
      "SELECT 1 AS n FROM moderation_outcomes WHERE case_id = ? AND round = ?",
      [.text(caseID), .integer(round)]
    ).isEmpty
  }

  /// Where the case stands in the queue from now on: an appeal comes first, then reports that nobody has
  /// decided.
  func settle(_ id: String, in transaction: any Transaction) throws {
    guard let row = try row(id, in: transaction) else { return }
    let waits = try !transaction.query(
      "SELECT 1 AS n FROM moderation_decisions WHERE case_id = ? AND appeal IS NOT NULL AND outcome IS NULL LIMIT 1",
      [.text(id)]
    ).isEmpty
    let isDecided = try isDecided(id, row.integer("round"), in: transaction)
    let state: ModerationCase.State = waits ? .appealed : isDecided ? .closed : .open
    try transaction.execute(
      "UPDATE moderation_cases SET state = ?, changed_at_ms = ? WHERE id = ?",
      [.text(state.rawValue), .integer(time.nowMs), .text(id)])
  }

  /// What those hear who reported it in that round: something was done if any decision against it stands.
  func setOutcome(of caseID: String, round: Int64, in transaction: any Transaction) throws {
    let stands = try !transaction.query(
      """
      SELECT 1 AS n FROM moderation_decisions
      WHERE case_id = ? AND round = ? AND action <> 'dismiss' AND state <> 'reversed' LIMIT 1
      """, [.text(caseID), .integer(round)]
    ).isEmpty
    try transaction.execute(
      """
      INSERT INTO moderation_outcomes (case_id, round, outcome) VALUES (?, ?, ?)
      ON CONFLICT (case_id, round) DO UPDATE SET outcome = excluded.outcome
      """,
      [.text(caseID), .integer(round), .text((stands ? Report.State.acted : .dismissed).rawValue)])
  }

  // MARK: Suspensions

  /// Those whose time is over. Any number of processes may do it at once.
  public func endSuspensions() async throws {
    while try await database.write({ try endOne(in: $0) }) {}
  }

  private func endOne(in transaction: any Transaction) throws -> Bool {
    let due = try transaction.query(
      """
      SELECT id, case_id FROM moderation_decisions
      WHERE action = 'suspend' AND state = 'standing' AND until_ms IS NOT NULL AND until_ms <= ?
      ORDER BY until_ms LIMIT 1
      """, [.integer(time.nowMs)]
    ).first
    guard let due else { return false }
    let (id, caseID) = (try due.text("id"), try due.text("case_id"))
    _ = try lockedCase(caseID, in: transaction)
    let ended = try transaction.query(
      """
      UPDATE moderation_decisions SET state = 'over' WHERE id = ? AND state = 'standing' RETURNING person_viewer_id
      """, [.text(id)])
    guard let row = ended.first else { return true }
    if let person = row.optionalText("person_viewer_id") {
      try endSuspension(of: person, in: transaction)
    }
    try log.append(.ended, caseID, id, by: nil, in: transaction)
    return true
  }

  /// Unless another one stands.
  func endSuspension(of person: String, in transaction: any Transaction) throws {
    let rows = try transaction.query(
      "SELECT state, created_at_ms FROM moderation_decisions WHERE person_viewer_id = ? AND action = 'suspend'",
      [.text(person)])
    guard try !rows.contains(where: { try $0.text("state") == Decision.State.standing.rawValue }) else {
      return
    }
    try accounts?.endSuspension(
      of: person, begunAtMs: try rows.map { try $0.integer("created_at_ms") }, in: transaction)
  }
}
