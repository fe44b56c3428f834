public import Platform

extension ModerationStore {
  public static let migrations = [
    Migration(
      "0046_moderation",
      [
        // All reports of one thing. `round`: how often it was opened; the reports of a round are decided
        // together.
        """
        CREATE TABLE moderation_cases (
            id TEXT PRIMARY KEY, kind TEXT NOT NULL, subject_id TEXT NOT NULL, clip_id TEXT, person_viewer_id TEXT,
            text TEXT NOT NULL, gravity BIGINT NOT NULL, reporters BIGINT NOT NULL, round BIGINT NOT NULL,
            state TEXT NOT NULL, opened_at_ms BIGINT NOT NULL, reported_at_ms BIGINT NOT NULL,
            changed_at_ms BIGINT NOT NULL, UNIQUE (kind, subject_id))
        """,
        "CREATE INDEX moderation_cases_in_order ON moderation_cases (state, gravity, reporters, id)",
        "CREATE INDEX moderation_cases_by_change ON moderation_cases (state, changed_at_ms, id)",
        """
        CREATE INDEX moderation_cases_of_person ON moderation_cases (person_viewer_id)
        WHERE person_viewer_id IS NOT NULL
        """,
        """
        CREATE TABLE moderation_reasons (
            case_id TEXT NOT NULL REFERENCES moderation_cases (id) ON DELETE CASCADE, reason TEXT NOT NULL,
            reports BIGINT NOT NULL, PRIMARY KEY (case_id, reason))
        """,
        """
        CREATE TABLE moderation_reports (
            case_id TEXT NOT NULL REFERENCES moderation_cases (id) ON DELETE CASCADE,
            reporter_viewer_id TEXT NOT NULL, id TEXT NOT NULL UNIQUE, round BIGINT NOT NULL, reason TEXT NOT NULL,
            note TEXT NOT NULL, created_at_ms BIGINT NOT NULL, PRIMARY KEY (case_id, reporter_viewer_id))
        """,
        "CREATE INDEX moderation_reports_of_viewer ON moderation_reports (reporter_viewer_id, id)",
        "CREATE INDEX moderation_reports_by_age ON moderation_reports (case_id, id)",
        // What became of the reports of a round.
        """
        CREATE TABLE moderation_outcomes (
            case_id TEXT NOT NULL REFERENCES moderation_cases (id) ON DELETE CASCADE, round BIGINT NOT NULL,
            outcome TEXT NOT NULL, PRIMARY KEY (case_id, round))
        """,
        """
        CREATE TABLE moderation_decisions (
            id TEXT PRIMARY KEY, case_id TEXT NOT NULL REFERENCES moderation_cases (id) ON DELETE CASCADE,
            round BIGINT NOT NULL, idempotency_key TEXT NOT NULL, person_viewer_id TEXT, moderator_viewer_id TEXT,
            action TEXT NOT NULL, reason TEXT NOT NULL, statement TEXT NOT NULL, days BIGINT, state TEXT NOT NULL,
            created_at_ms BIGINT NOT NULL, until_ms BIGINT, appeal TEXT, appealed_at_ms BIGINT, outcome TEXT,
            answer TEXT, reviewer_viewer_id TEXT, UNIQUE (case_id, idempotency_key))
        """,
        """
        CREATE INDEX moderation_decisions_about ON moderation_decisions (person_viewer_id, id)
        WHERE person_viewer_id IS NOT NULL
        """,
        """
        CREATE INDEX moderation_decisions_of ON moderation_decisions (moderator_viewer_id)
        WHERE moderator_viewer_id IS NOT NULL
        """,
        """
        CREATE INDEX moderation_decisions_reviewed_by ON moderation_decisions (reviewer_viewer_id)
        WHERE reviewer_viewer_id IS NOT NULL
        """,
        """
        CREATE INDEX moderation_suspensions_by_end ON moderation_decisions (until_ms)
        WHERE action = 'suspend' AND state = 'standing' AND until_ms IS NOT NULL
        """,
        // Who did it stands beside what the hash covers, so that a deleted account's name can go.
        """
        CREATE TABLE moderation_log (
            number BIGINT PRIMARY KEY, at_ms BIGINT NOT NULL, event TEXT NOT NULL, case_id TEXT NOT NULL,
            detail TEXT NOT NULL, actor_viewer_id TEXT, actor_salt TEXT, actor_hash TEXT NOT NULL,
            hash TEXT NOT NULL)
        """,
        """
        CREATE INDEX moderation_log_of_actor ON moderation_log (actor_viewer_id)
        WHERE actor_viewer_id IS NOT NULL
        """,
      ])
  ]
}
