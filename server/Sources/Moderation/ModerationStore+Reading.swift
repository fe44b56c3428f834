public import Contract
internal import Foundation
public import Platform

// What those see whom decisions are about.
extension ModerationStore {
  private static let select = """
    SELECT d.*, c.kind, c.subject_id, c.clip_id, c.text FROM moderation_decisions d
    JOIN moderation_cases c ON c.id = d.case_id\u{20}
    """

  /// Against somebody, newest first. Throws `invalid_cursor`.
  public func decisions(about person: String, cursor: String?, limit: Int) async throws -> DecisionPage {
    let list = WordsList(keys: cursorKeys, name: "decisions/\(person)")
    let place = try list.place(of: cursor)
    let rows = try await database.read {
      try $0.query(
        Self.select
          + "WHERE d.person_viewer_id = ? AND d.action <> 'dismiss' AND d.id < ? ORDER BY d.id DESC LIMIT ?",
        [.text(person), .text(place ?? WordsList.behindAll), SQLValue(limit + 1)])
    }
    return try list.page(of: rows, limit: limit, place: { try $0.text("id") }, decision)
  }

  /// What is told of a decision in the list of what happened; nil: it is about nobody of that id any more.
  public static func announced(
    _ id: String, to person: String, in transaction: any Transaction
  ) throws -> NotificationDecision? {
    let row = try transaction.query(
      Self.select + "WHERE d.id = ? AND d.person_viewer_id = ? AND d.action <> 'dismiss'",
      [.text(id), .text(person)]
    ).first
    return try row.map { row in
      NotificationDecision(
        id: id, kind: try kind(row), action: ModerationAction(rawValue: try row.text("action")) ?? .warn,
        outcome: row.optionalText("outcome").flatMap(ReviewOutcome.init(rawValue:)))
    }
  }

  func shown(_ id: String, in transaction: any Transaction) throws -> Decision {
    guard let row = try transaction.query(Self.select + "WHERE d.id = ?", [.text(id)]).first else {
      throw AppError(.decisionNotFound)
    }
    return try decision(row)
  }

  private func decision(_ row: Row) throws -> Decision {
    let text = row.optionalText("appeal")
    let outcome = row.optionalText("outcome").flatMap(ReviewOutcome.init(rawValue:))
    let appeal = try text.map {
      Appeal(text: $0, createdAt: Self.date(try row.integer("appealed_at_ms")))
    }
    let review = outcome.flatMap { outcome in
      row.optionalText("answer").map { DecisionReview(outcome: outcome, statement: $0) }
    }
    let end = try Self.appealEnd(row)
    return Decision(
      id: try row.text("id"), kind: try Self.kind(row), subjectID: try row.text("subject_id"),
      clipID: row.optionalText("clip_id"), text: try row.text("text"),
      action: ModerationAction(rawValue: try row.text("action")) ?? .warn,
      reason: ReportReason(rawValue: try row.text("reason")) ?? .other, statement: try row.text("statement"),
      state: Decision.State(rawValue: try row.text("state")) ?? .standing,
      createdAt: Self.date(try row.integer("created_at_ms")),
      until: row.optionalInteger("until_ms").map(Self.date),
      appealUntil: text == nil && outcome == nil && end > time.nowMs ? Self.date(end) : nil, appeal: appeal,
      review: review)
  }

  // MARK: One case, for moderators

  /// Reports that are shown with their case: the newest.
  private static let shownReports = 50
  private static let shownDecisions = 50
  /// Reports of one reporter that are looked at for what became of them.
  private static let judgedReports = 500

  /// Throws `case_not_found`.
  public func caseFile(_ id: String, for moderator: Viewer) async throws -> CaseFile {
    var file = try await database.read { transaction in
      guard let row = try row(id, in: transaction) else { throw AppError(.caseNotFound) }
      guard let summary = try summaries([row], in: transaction).first else { throw AppError(.caseNotFound) }
      return CaseFile(
        summary: summary, reports: try reports(on: id, in: transaction),
        decisions: try decisions(on: id, for: moderator, in: transaction),
        record: try record(of: row.optionalText("person_viewer_id"), in: transaction))
    }
    file.summary = try await withClips([file.summary]).first ?? file.summary
    return file
  }

  private func reports(on id: String, in transaction: any Transaction) throws -> [CaseReport] {
    let rows = try transaction.query(
      "SELECT * FROM moderation_reports WHERE case_id = ? ORDER BY id DESC LIMIT ?",
      [.text(id), SQLValue(Self.shownReports)])
    let faces = try faces(rows.map { $0.optionalText("reporter_viewer_id") }, in: transaction)
    return try rows.map { row in
      let reporter = try row.text("reporter_viewer_id")
      let (acted, dismissed) = try judged(of: reporter, butIn: id, in: transaction)
      return CaseReport(
        id: try row.text("id"), reporter: faces[reporter],
        reason: ReportReason(rawValue: try row.text("reason")) ?? .other, note: try row.text("note"),
        createdAt: Self.date(try row.integer("created_at_ms")), acted: acted, dismissed: dismissed)
    }
  }

  /// What became of a reporter's other reports.
  private func judged(
    of reporter: String, butIn id: String, in transaction: any Transaction
  ) throws -> (acted: Int, dismissed: Int) {
    let rows = try transaction.query(
      """
      SELECT o.outcome, COUNT(*) AS n FROM (SELECT case_id, round FROM moderation_reports
          WHERE reporter_viewer_id = ? AND case_id <> ? ORDER BY id DESC LIMIT ?) latest
      JOIN moderation_outcomes o ON o.case_id = latest.case_id AND o.round = latest.round GROUP BY o.outcome
      """, [.text(reporter), .text(id), SQLValue(Self.judgedReports)])
    let counts = try rows.reduce(into: [String: Int]()) {
      $0[try $1.text("outcome")] = Int(try $1.integer("n"))
    }
    return (counts[Report.State.acted.rawValue] ?? 0, counts[Report.State.dismissed.rawValue] ?? 0)
  }

  private func decisions(
    on id: String, for moderator: Viewer, in transaction: any Transaction
  ) throws -> [CaseDecision] {
    let rows = try transaction.query(
      Self.select + "WHERE d.case_id = ? ORDER BY d.id DESC LIMIT ?",
      [.text(id), SQLValue(Self.shownDecisions)])
    let faces = try faces(
      rows.flatMap { [$0.optionalText("moderator_viewer_id"), $0.optionalText("reviewer_viewer_id")] },
      in: transaction)
    return try rows.map { row in
      CaseDecision(
        decision: try decision(row), moderator: row.optionalText("moderator_viewer_id").flatMap { faces[$0] },
        reviewer: row.optionalText("reviewer_viewer_id").flatMap { faces[$0] },
        canReview: try Self.canReview(row, moderator))
    }
  }

  private func record(of person: String?, in transaction: any Transaction) throws -> PersonRecord {
    guard let person else { return PersonRecord() }
    let counts = try transaction.query(
      """
      SELECT action, COUNT(*) AS n FROM moderation_decisions
      WHERE person_viewer_id = ? AND state <> 'reversed' GROUP BY action
      """, [.text(person)]
    ).reduce(into: [String: Int]()) { $0[try $1.text("action")] = Int(try $1.integer("n")) }
    return PersonRecord(
      removals: counts[ModerationAction.remove.rawValue] ?? 0,
      limits: (counts[ModerationAction.ageLimit.rawValue] ?? 0)
        + (counts[ModerationAction.limitReach.rawValue] ?? 0),
      warnings: counts[ModerationAction.warn.rawValue] ?? 0,
      suspensions: counts[ModerationAction.suspend.rawValue] ?? 0,
      isSuspended: try accounts?.isSuspended(person, in: transaction) ?? false)
  }
}
