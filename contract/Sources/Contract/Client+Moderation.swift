/// Reports, and what is decided about them.
extension Client {
  /// The same thing again is the same report. Throws `report_oneself`, and what is thrown where there is no
  /// such thing (`clip_not_found` and so on).
  public func report(_ report: NewReport) async throws -> Report {
    try await post(report, to: Route.reports.path())
  }

  /// Of whoever asks, newest first.
  public func reports(cursor: String? = nil, limit: Int? = nil) async throws -> ReportPage {
    try await page(Route.accountReports.path(), cursor: cursor, limit: limit)
  }

  /// Against whoever asks, newest first.
  public func decisions(cursor: String? = nil, limit: Int? = nil) async throws -> DecisionPage {
    try await page(Route.accountDecisions.path(), cursor: cursor, limit: limit)
  }

  /// Throws `appeal_over` and `appeal_made`.
  public func appeal(_ decision: String, text: String) async throws -> Decision {
    try await write("PUT", NewAppeal(text: text), to: Route.decisionAppeal.path(decision))
  }

  // MARK: For moderators

  /// The gravest first, then those of most people; closed ones the last decided first.
  public func cases(
    _ state: ModerationCase.State = .open, cursor: String? = nil, limit: Int? = nil
  ) async throws -> CasePage {
    var query = ["state=\(state.rawValue)"]
    if let cursor { query.append("cursor=\(Route.encoded(cursor))") }
    if let limit { query.append("limit=\(limit)") }
    return try await get(Route.moderationCases.path() + "?" + query.joined(separator: "&"))
  }

  public func caseFile(_ id: String) async throws -> CaseFile {
    try await get(Route.moderationCase.path(id))
  }

  /// The same key again answers with the same case file, so a request without an answer can be repeated.
  public func decide(_ id: String, _ decision: NewDecision, idempotencyKey: String) async throws -> CaseFile {
    try await post(
      decision, to: Route.caseDecisions.path(id), headers: ["idempotency-key": idempotencyKey])
  }

  /// Throws `decision_reviewed`, and `not_allowed` to whoever made the decision that is appealed against.
  public func review(_ decision: String, _ review: DecisionReview) async throws -> CaseFile {
    try await write("PUT", review, to: Route.decisionReview.path(decision))
  }
}
