internal import Contract

extension Operation {
  static let moderation: [Operation] = reporting + judged + judging

  private static let reporting: [Operation] =
    [
      Operation(
        id: "report", route: .reports, method: "POST", tag: "moderation",
        summary: "Reports a clip, a comment, a message or a person to the moderators.",
        about:
          "A guest can, too. The same thing again by the same person is the same report, until it is decided. Whoever it "
          + "is about is never told who reported it.",
        bodies: [.json(NewReport.self)],
        answers: [.json(201, "The report.", Report.self)],
        codes: [
          .clipNotFound, .commentNotFound, .messageNotFound, .authorNotFound, .reportOneself,
          .statementTooLong, .invalidParameter,
        ], access: .contributors, limit: .caller(.reports))
    ]
    + reading(
      "reports", .accountReports, "moderation", "What whoever asks has reported, newest first.",
      ReportPage.self, parameters: Parameter.page, links: Parameter.next(of: "getReports"))

  private static let judged: [Operation] =
    reading(
      "decisions", .accountDecisions, "moderation",
      "What moderators decided against whoever asks, newest first.", DecisionPage.self,
      parameters: Parameter.page, access: .accounts,
      links: Parameter.next(of: "getDecisions") + Link.byID(at: "/items/0/id", "appeal"))
    + [
      Operation(
        id: "appeal", route: .decisionAppeal, method: "PUT", tag: "moderation",
        summary: "Appeals against a decision; another moderator answers.",
        about: "Once for each decision, for 180 days. The same words again are the same appeal.",
        bodies: [.json(NewAppeal.self)], answers: [.json(200, "The decision.", Decision.self)],
        codes: [
          .decisionNotFound, .appealOver, .appealMade, .statementEmpty, .statementTooLong,
        ], access: .accounts, limit: .caller(.reports))
    ]

  private static let judging: [Operation] =
    reading(
      "cases", .moderationCases, "moderation", "What is reported, for moderators.", CasePage.self,
      parameters: [
        .query(
          "state", .choice(name: "", of: ModerationCase.State.allCases.map(\.rawValue)),
          Note(
            "Default: open. Open ones come the gravest first, appeals the oldest first, closed ones the last decided first."
          ))
      ] + Parameter.page, access: .moderators,
      links: Parameter.next(of: "getCases")
        + Link.byID(at: "/items/0/id", "getCaseFile", "headCaseFile", "decideCase"))
    + reading(
      "caseFile", .moderationCase, "moderation", "One case, with what is known about it.", CaseFile.self,
      codes: [.caseNotFound], access: .moderators,
      links: Link.byID(at: "/decisions/0/decision/id", "reviewDecision"))
    + [
      Operation(
        id: "decideCase", route: .caseDecisions, method: "POST", tag: "moderation",
        summary: "Decides a case.",
        about: "What is decided already can be decided again: a removal may be followed by a suspension.",
        parameters: [
          .idempotencyKey("Chosen anew for each decision; the same key again is the same decision.")
        ],
        bodies: [.json(NewDecision.self)], answers: [.json(201, "The case as it is now.", CaseFile.self)],
        codes: [
          .caseNotFound, .decisionNotPossible, .statementEmpty, .statementTooLong, .invalidParameter,
          .idempotencyKeyReused,
        ], access: .moderators, limit: .caller(.moderation)),
      Operation(
        id: "reviewDecision", route: .decisionReview, method: "PUT", tag: "moderation",
        summary: "Answers an appeal, or takes a decision back.",
        about: "An appeal is answered by another moderator than the one who decided.",
        bodies: [.json(DecisionReview.self)],
        answers: [.json(200, "The case as it is now.", CaseFile.self)],
        codes: [
          .decisionNotFound, .decisionReviewed, .decisionNotPossible, .statementEmpty, .statementTooLong,
        ],
        access: .moderators, limit: .caller(.moderation)),
    ]
}
