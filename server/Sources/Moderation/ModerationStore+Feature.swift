internal import Contract
public import Features
public import Platform

extension ModerationStore {
  public var feature: Feature {
    Feature(
      endpoints: endpoints, jobs: [],
      periodicTasks: accounts == nil
        ? []
        : [
          PeriodicTask(.servers(every: .seconds(30)), failure: "suspensions cannot be ended now") {
            try await endSuspensions()
          }
        ],
      merging: self, erasing: self, exporting: self)
  }

  private var endpoints: [Endpoint] {
    [
      Endpoint("report") { call in
        let report = try await call.body(NewReport.self)
        return try await self.report(report, by: call.writer().id)
      },
      // Somebody who has done nothing yet has reported nothing.
      Endpoint(reading: "reports") { call in
        let page = try call.page()
        guard let viewer = call.viewer else { return ReportPage(items: [], nextCursor: nil) }
        return try await reports(of: viewer.id, cursor: page.cursor, limit: page.limit)
      },
      Endpoint(reading: "decisions") { call in
        let page = try call.page()
        return try await decisions(about: try call.account().id, cursor: page.cursor, limit: page.limit)
      },
      Endpoint("appeal") { call in
        let appeal = try await call.body(NewAppeal.self)
        return try await self.appeal(call.id, appeal, by: try call.account().id)
      },
      Endpoint(reading: "cases") { call in
        let page = try call.page()
        let state = call.query("state").flatMap(ModerationCase.State.init(rawValue:)) ?? .open
        return try await cases(state, cursor: page.cursor, limit: page.limit)
      },
      Endpoint(reading: "caseFile") { try await caseFile($0.id, for: try $0.account()) },
      Endpoint("decideCase") { call in
        let key = try call.idempotencyKey()
        let decision = try await call.body(NewDecision.self)
        return try await decide(call.id, decision, by: try call.account(), idempotencyKey: key)
      },
      Endpoint("reviewDecision") { call in
        let review = try await call.body(DecisionReview.self)
        return try await self.review(call.id, review, by: try call.account())
      },
    ]
  }
}

extension ModerationStore: ViewerMerging {
  /// What both reported is one report, and counted twice until it is decided: who looks at it sees one.
  public func merge(_ guest: String, into account: String, in transaction: any Transaction) throws {
    try transaction.execute(
      """
      UPDATE moderation_reports SET reporter_viewer_id = ? WHERE reporter_viewer_id = ?
          AND case_id NOT IN (SELECT case_id FROM moderation_reports WHERE reporter_viewer_id = ?)
      """, [.text(account), .text(guest), .text(account)])
    try transaction.execute(
      "DELETE FROM moderation_reports WHERE reporter_viewer_id = ?", [.text(guest)])
  }
}

extension ModerationStore: ViewerErasing {
  /// The reports that the viewer made go, and whatever was written about the viewer. That there was something
  /// to decide stays, without words and names.
  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    for sql in [
      // There is nothing left to decide.
      """
      INSERT INTO moderation_outcomes (case_id, round, outcome)
      SELECT id, round, 'acted' FROM moderation_cases WHERE person_viewer_id = ? ON CONFLICT DO NOTHING
      """,
      "DELETE FROM moderation_cases WHERE kind = 'person' AND subject_id = ?",
      "DELETE FROM moderation_reports WHERE reporter_viewer_id = ?",
      "UPDATE moderation_cases SET person_viewer_id = NULL, text = '', state = 'closed' WHERE person_viewer_id = ?",
      """
      UPDATE moderation_decisions SET person_viewer_id = NULL, statement = '', appeal = NULL, answer = NULL
      WHERE person_viewer_id = ?
      """,
      "UPDATE moderation_decisions SET moderator_viewer_id = NULL WHERE moderator_viewer_id = ?",
      "UPDATE moderation_decisions SET reviewer_viewer_id = NULL WHERE reviewer_viewer_id = ?",
      "UPDATE moderation_log SET actor_viewer_id = NULL, actor_salt = NULL WHERE actor_viewer_id = ?",
    ] { try transaction.execute(sql, [.text(viewer)]) }
  }
}
