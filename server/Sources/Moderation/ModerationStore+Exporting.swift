public import Platform

extension ModerationStore: ViewerExporting {
  public var exported: [ExportedRecords] {
    [
      ExportedRecords(
        "reports", "What the account has reported, and what came of it.",
        of: ["moderation_reports.reporter_viewer_id"],
        fields: ["id", "kind", "subject_id", "reason", "note", "outcome", "created_at_ms"],
        sql: """
          SELECT r.id AS place, r.id, c.kind, c.subject_id, r.reason, r.note, o.outcome, r.created_at_ms
          FROM moderation_reports r JOIN moderation_cases c ON c.id = r.case_id
          LEFT JOIN moderation_outcomes o ON o.case_id = r.case_id AND o.round = r.round
          WHERE r.reporter_viewer_id = ?
          """),
      ExportedRecords(
        "decisions", "What moderators have decided about the account.",
        of: ["moderation_decisions.person_viewer_id"],
        fields: [
          "id", "kind", "subject_id", "text", "action", "reason", "statement", "state", "created_at_ms",
          "until_ms", "appeal", "appealed_at_ms", "outcome", "answer",
        ],
        sql: """
          SELECT d.id AS place, d.id, c.kind, c.subject_id, c.text, d.action, d.reason, d.statement, d.state, d.created_at_ms,
              d.until_ms, d.appeal, d.appealed_at_ms, d.outcome, d.answer
          FROM moderation_decisions d JOIN moderation_cases c ON c.id = d.case_id
          WHERE d.person_viewer_id = ? AND d.action <> 'dismiss'
          """),
    ]
  }

  public var kept: [KeptColumns] {
    [
      KeptColumns(
        "moderation_cases.person_viewer_id",
        because:
          "what was decided is in `decisions`; what others report stays between them and the moderators"),
      KeptColumns(
        "moderation_decisions.moderator_viewer_id", "moderation_decisions.reviewer_viewer_id",
        "moderation_log.actor_viewer_id",
        because: "work for the instance, about others"),
    ]
  }
}
