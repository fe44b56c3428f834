public import Contract
internal import Foundation
public import Platform

extension ModerationStore {
  /// Once; the same words again are the same appeal. Throws `decision_not_found`, `appeal_over`,
  /// `appeal_made`, `statement_empty` and `statement_too_long`.
  public func appeal(_ id: String, _ new: NewAppeal, by person: String) async throws -> Decision {
    let text = try statementText.checked(new.text)
    return try await database.write { transaction in
      let (row, _) = try lockedDecision(id, in: transaction)
      guard row.optionalText("person_viewer_id") == person, try row.text("action") != "dismiss" else {
        throw AppError(.decisionNotFound)
      }
      let caseID = try row.text("case_id")
      if let known = row.optionalText("appeal") {
        guard known.hasSameBytes(as: text) else { throw AppError(.appealMade) }
        return try shown(id, in: transaction)
      }
      guard try Self.appealEnd(row) > time.nowMs, row.optionalText("outcome") == nil else {
        throw AppError(.appealOver)
      }
      try transaction.execute(
        "UPDATE moderation_decisions SET appeal = ?, appealed_at_ms = ? WHERE id = ?",
        [.text(text), .integer(time.nowMs), .text(id)])
      try settle(caseID, in: transaction)
      try log.append(
        .appealed, caseID, "\(id) \(ContentHash.of(Array(text.utf8)))", by: person, in: transaction)
      return try shown(id, in: transaction)
    }
  }

  /// An answer to an appeal, or without one the end of a decision. Once; the same by the same moderator is
  /// the same. Throws `decision_not_found`, `decision_reviewed`, `decision_not_possible`, `statement_empty`,
  /// `statement_too_long`, and `not_allowed` to who decided what is appealed against, and to whom it is
  /// about.
  public func review(_ id: String, _ new: DecisionReview, by moderator: Viewer) async throws -> CaseFile {
    let statement = try statementText.checked(new.statement)
    let caseID = try await database.write { transaction in
      let (row, locked) = try lockedDecision(id, in: transaction)
      let caseID = try row.text("case_id")
      guard try row.text("action") != "dismiss" else { throw AppError(.decisionNotFound) }
      if let outcome = row.optionalText("outcome") {
        guard outcome == new.outcome.rawValue, row.optionalText("reviewer_viewer_id") == moderator.id else {
          throw AppError(.decisionReviewed)
        }
        return caseID
      }
      guard try Self.canReview(row, moderator) else { throw AppError(.notAllowed) }
      guard row.optionalText("appeal") != nil || new.outcome == .reversed else {
        throw AppError(.decisionNotPossible, "Nobody has appealed: it can be taken back alone.")
      }
      try transaction.execute(
        """
        UPDATE moderation_decisions SET outcome = ?, answer = ?, reviewer_viewer_id = ?,
            state = CASE WHEN CAST(? AS TEXT) = 'reversed' THEN 'reversed' ELSE state END
        WHERE id = ?
        """,
        [
          .text(new.outcome.rawValue), .text(statement), .text(moderator.id), .text(new.outcome.rawValue),
          .text(id),
        ])
      if new.outcome == .reversed { try undo(row, of: locked, in: transaction) }
      try settle(caseID, in: transaction)
      try log.append(
        .reviewed, caseID, "\(id) \(new.outcome.rawValue) \(ContentHash.of(Array(statement.utf8)))",
        by: moderator.id, in: transaction)
      if let person = row.optionalText("person_viewer_id") {
        try accounts?.tell(person, ofReview: true, in: transaction)
        try notices?.decided(
          id, on: locked.optionalText("clip_id"), about: person, isAnswer: true, in: transaction)
      }
      return caseID
    }
    return try await caseFile(caseID, for: moderator)
  }

  private func undo(_ row: Row, of locked: Row, in transaction: any Transaction) throws {
    let (id, caseID) = (try row.text("id"), try row.text("case_id"))
    let (kind, subject) = (try Self.kind(locked), try locked.text("subject_id"))
    let action = ModerationAction(rawValue: try row.text("action"))
    switch action {
    case .remove?:
      // An earlier one was of a picture that is not there any more, and holds this one back no longer.
      if try !stands(.remove, on: caseID, behind: id, in: transaction) {
        try things.giveBack(kind, subject, in: transaction)
      }
    case .ageLimit?, .limitReach?:
      guard let action, let limit = ClipLimit(action) else { break }
      if try !stands(action, on: caseID, in: transaction) {
        try things.lift(limit, of: kind, subject, in: transaction)
      }
    case .suspend?:
      if let person = row.optionalText("person_viewer_id") {
        try endSuspension(of: person, in: transaction)
      }
    case .warn?, .dismiss?, nil: break
    }
    try setOutcome(of: caseID, round: try row.integer("round"), in: transaction)
  }

  /// Another one of the kind may stand, or one that was decided behind another: what was decided was taken
  /// back, and decided once more.
  private func stands(
    _ action: ModerationAction, on caseID: String, behind id: String = "", in transaction: any Transaction
  ) throws -> Bool {
    try !transaction.query(
      """
      SELECT 1 AS n FROM moderation_decisions
      WHERE case_id = ? AND action = ? AND state = 'standing' AND id > ? LIMIT 1
      """, [.text(caseID), .text(action.rawValue), .text(id)]
    ).isEmpty
  }

  /// Throws `decision_not_found`.
  private func lockedDecision(
    _ id: String, in transaction: any Transaction
  ) throws -> (decision: Row, locked: Row) {
    let sql = "SELECT * FROM moderation_decisions WHERE id = ?"
    guard let known = try transaction.query(sql, [.text(id)]).first else { throw AppError(.decisionNotFound) }
    let locked = try lockedCase(try known.text("case_id"), in: transaction)
    guard let row = try transaction.query(sql, [.text(id)]).first else { throw AppError(.decisionNotFound) }
    return (row, locked)
  }

  /// In milliseconds since 1970.
  static func appealEnd(_ row: Row) throws -> Int64 { try row.integer("created_at_ms") + Limits.appealMs }

  /// An appeal is answered by somebody else than who decided; nobody judges what is about them.
  static func canReview(_ row: Row, _ moderator: Viewer) throws -> Bool {
    guard row.optionalText("person_viewer_id") != moderator.id, row.optionalText("outcome") == nil,
      try row.text("action") != "dismiss"
    else { return false }
    return row.optionalText("appeal") == nil || row.optionalText("moderator_viewer_id") != moderator.id
  }
}
