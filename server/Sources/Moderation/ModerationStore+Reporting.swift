public import Contract
internal import Foundation
internal import Platform

extension ModerationStore {
  /// The same thing again by the same viewer is the same report, until it is decided. Throws
  /// `statement_too_long`, and as `ReportedThings.thing` does.
  public func report(_ new: NewReport, by viewer: String) async throws -> Report {
    let note = try statementText.checkedIfAny(new.note)
    return try await database.write { transaction in
      let thing = try things.thing(new.kind, new.subjectId, for: viewer, in: transaction)
      try lock(new.kind, new.subjectId, in: transaction)
      let (id, round) = try openCase(of: new, thing, in: transaction)
      let known = try transaction.query(
        "SELECT * FROM moderation_reports WHERE case_id = ? AND reporter_viewer_id = ? AND round = ?",
        [.text(id), .text(viewer), .integer(round)])
      if let known = known.first { return try Self.report(known, of: new, state: .open) }
      let report = Identifier.make(at: time)
      try transaction.execute(
        """
        INSERT INTO moderation_reports (case_id, reporter_viewer_id, id, round, reason, note, created_at_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (case_id, reporter_viewer_id) DO UPDATE SET id = excluded.id, round = excluded.round,
            reason = excluded.reason, note = excluded.note, created_at_ms = excluded.created_at_ms
        """,
        [
          .text(id), .text(viewer), .text(report), .integer(round), .text(new.reason.rawValue), .text(note),
          .integer(time.nowMs),
        ])
      try transaction.execute(
        """
        INSERT INTO moderation_reasons (case_id, reason, reports) VALUES (?, ?, 1)
        ON CONFLICT (case_id, reason) DO UPDATE SET reports = moderation_reasons.reports + 1
        """, [.text(id), .text(new.reason.rawValue)])
      try transaction.execute(
        """
        UPDATE moderation_cases SET reporters = reporters + 1, reported_at_ms = ?,
            gravity = CASE WHEN gravity < ? THEN ? ELSE gravity END
        WHERE id = ?
        """,
        [.integer(time.nowMs), .integer(new.reason.gravity), .integer(new.reason.gravity), .text(id)])
      return Report(
        id: report, kind: new.kind, subjectID: new.subjectId, reason: new.reason, state: .open,
        createdAt: Self.date(time.nowMs))
    }
  }

  /// The case of a thing, in a round that is not decided yet. One that waits for the answer to an appeal goes
  /// on waiting, and is open behind that.
  private func openCase(
    of new: NewReport, _ thing: ReportedThing, in transaction: any Transaction
  ) throws -> (id: String, round: Int64) {
    let known = try transaction.query(
      "SELECT id, round FROM moderation_cases WHERE kind = ? AND subject_id = ?",
      [.text(new.kind.rawValue), .text(new.subjectId)]
    ).first
    let now = SQLValue.integer(time.nowMs)
    guard let known else {
      let id = Identifier.make(at: time)
      try transaction.execute(
        """
        INSERT INTO moderation_cases (id, kind, subject_id, clip_id, person_viewer_id, text, gravity, reporters,
            round, state, opened_at_ms, reported_at_ms, changed_at_ms)
        VALUES (?, ?, ?, ?, ?, ?, 0, 0, 1, 'open', ?, ?, ?)
        """,
        [
          .text(id), .text(new.kind.rawValue), .text(new.subjectId), SQLValue(thing.clipID),
          SQLValue(thing.person), .text(thing.text), now, now, now,
        ])
      return (id, 1)
    }
    let (id, round) = (try known.text("id"), try known.integer("round"))
    guard try isDecided(id, round, in: transaction) else { return (id, round) }
    // It may say something else by now, and be somebody else's.
    try transaction.execute(
      """
      UPDATE moderation_cases SET round = round + 1, text = ?, person_viewer_id = ?, gravity = 0, reporters = 0,
          opened_at_ms = ?
      WHERE id = ?
      """, [.text(thing.text), SQLValue(thing.person), now, .text(id)])
    try transaction.execute("DELETE FROM moderation_reasons WHERE case_id = ?", [.text(id)])
    try settle(id, in: transaction)
    return (id, round + 1)
  }

  private static func report(_ row: Row, of new: NewReport, state: Report.State) throws -> Report {
    Report(
      id: try row.text("id"), kind: new.kind, subjectID: new.subjectId,
      reason: ReportReason(rawValue: try row.text("reason")) ?? .other, state: state,
      createdAt: date(try row.integer("created_at_ms")))
  }

  /// What the viewer has reported, newest first. Throws `invalid_cursor`.
  public func reports(of viewer: String, cursor: String?, limit: Int) async throws -> ReportPage {
    let list = WordsList(keys: cursorKeys, name: "reports/\(viewer)")
    let place = try list.place(of: cursor)
    let rows = try await database.read {
      try $0.query(
        """
        SELECT r.id, r.reason, r.created_at_ms, c.kind, c.subject_id, o.outcome
        FROM moderation_reports r JOIN moderation_cases c ON c.id = r.case_id
        LEFT JOIN moderation_outcomes o ON o.case_id = r.case_id AND o.round = r.round
        WHERE r.reporter_viewer_id = ? AND r.id < ? ORDER BY r.id DESC LIMIT ?
        """, [.text(viewer), .text(place ?? WordsList.behindAll), SQLValue(limit + 1)])
    }
    return try list.page(of: rows, limit: limit, place: { try $0.text("id") }) { row in
      Report(
        id: try row.text("id"), kind: try Self.kind(row), subjectID: try row.text("subject_id"),
        reason: ReportReason(rawValue: try row.text("reason")) ?? .other,
        state: row.optionalText("outcome").flatMap(Report.State.init(rawValue:)) ?? .open,
        createdAt: Self.date(try row.integer("created_at_ms")))
    }
  }
}
