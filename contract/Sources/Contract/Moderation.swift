public import Foundation

// What people report, and what moderators decide about it (docs/design/moderation.md).

/// What can be reported.
public enum ReportedKind: String, Codable, Sendable, CaseIterable { case clip, comment, message, person }

/// Why something is reported, or was decided against.
public enum ReportReason: String, Codable, Sendable, CaseIterable {
  case spam, harassment, hate, violence, nudity
  /// A child is in danger, or is shown as none may be.
  case minors
  case selfHarm = "self_harm"
  case illegal, misinformation
  /// Somebody's work, name or picture without their leave.
  case rights
  case other
}

/// The body that makes a report.
public struct NewReport: Codable, Sendable, Equatable {
  public var kind: ReportedKind
  /// Of the clip, the comment, the message or the person.
  public var subjectId: String
  public var reason: ReportReason
  /// What else there is to know.
  public var note: String?

  public init(kind: ReportedKind, subjectID: String, reason: ReportReason, note: String? = nil) {
    self.kind = kind
    subjectId = subjectID
    self.reason = reason
    self.note = note
  }
}

/// A report as whoever made it sees it.
public struct Report: Codable, Sendable, Equatable {
  public enum State: String, Codable, Sendable, CaseIterable {
    case open
    /// Something was done about it, or whoever it was about is gone.
    case acted
    /// Nothing was found against the rules.
    case dismissed
  }

  public var id: String
  public var kind: ReportedKind
  public var subjectId: String
  public var reason: ReportReason
  public var state: State
  public var createdAt: Date

  public init(
    id: String, kind: ReportedKind, subjectID: String, reason: ReportReason, state: State, createdAt: Date
  ) {
    self.id = id
    self.kind = kind
    subjectId = subjectID
    self.reason = reason
    self.state = state
    self.createdAt = createdAt
  }
}

public typealias ReportPage = Page<Report>

// MARK: Decisions, as whoever they are about sees them

/// Something that a moderator decided against somebody, with its reasons.
public struct Decision: Codable, Sendable, Equatable {
  public enum State: String, Codable, Sendable, CaseIterable {
    case standing
    /// A suspension whose time is over.
    case over
    case reversed
  }

  public var id: String
  public var kind: ReportedKind
  public var subjectId: String
  /// The clip itself, or under which the comment stood.
  public var clipId: String?
  /// What was decided about, in its own words; empty where it had none, or they are gone.
  public var text: String
  public var action: ModerationAction
  public var reason: ReportReason
  public var statement: String
  public var state: State
  public var createdAt: Date
  /// When a suspension ends; nil: when it is taken back.
  public var until: Date?
  /// Until when whoever it is about can appeal; nil: they have, or can not any more.
  public var appealUntil: Date?
  public var appeal: Appeal?
  /// What was answered to the appeal, or said when the decision was taken back without one; nil: neither yet.
  public var review: DecisionReview?

  public init(
    id: String, kind: ReportedKind, subjectID: String, clipID: String? = nil, text: String = "",
    action: ModerationAction, reason: ReportReason, statement: String, state: State, createdAt: Date,
    until: Date? = nil, appealUntil: Date? = nil, appeal: Appeal? = nil, review: DecisionReview? = nil
  ) {
    self.id = id
    self.kind = kind
    subjectId = subjectID
    clipId = clipID
    self.text = text
    self.action = action
    self.reason = reason
    self.statement = statement
    self.state = state
    self.createdAt = createdAt
    self.until = until
    self.appealUntil = appealUntil
    self.appeal = appeal
    self.review = review
  }
}

public typealias DecisionPage = Page<Decision>

/// What somebody says against a decision about them.
public struct Appeal: Codable, Sendable, Equatable {
  public var text: String
  public var createdAt: Date

  public init(text: String, createdAt: Date) {
    self.text = text
    self.createdAt = createdAt
  }
}

/// The body that appeals.
public struct NewAppeal: Codable, Sendable, Equatable {
  public var text: String

  public init(text: String) {
    self.text = text
  }
}

// MARK: For moderators

/// What a moderator does about a case.
public enum ModerationAction: String, Codable, Sendable, CaseIterable {
  /// Nothing is against the rules.
  case dismiss
  /// The clip or the comment is seen by nobody any more; of a person, their picture.
  case remove
  /// The clip is for adults alone: nobody in restricted mode sees it.
  case ageLimit = "age_limit"
  /// The clip stays where people go to it, and is put before nobody who did not.
  case limitReach = "limit_reach"
  case warn
  /// The account can read, and nothing else.
  case suspend
}

/// All reports of one thing.
public struct ModerationCase: Codable, Sendable, Equatable {
  public enum State: String, Codable, Sendable, CaseIterable {
    case open
    /// It is decided, and whoever it is about has appealed.
    case appealed
    case closed
  }

  public var id: String
  public var kind: ReportedKind
  public var subjectId: String
  public var clipId: String?
  /// Whom it is about; nil for a guest, and where the account is gone.
  public var person: Author?
  /// What is reported, in the words that it had when it was.
  public var text: String
  /// Nil: there is none, or it is gone.
  public var clip: Clip?
  /// The gravest first.
  public var reasons: [ReasonCount]
  /// Everybody counts once.
  public var reporters: Int
  public var state: State
  /// Removed, by whomever.
  public var isGone: Bool
  public var openedAt: Date
  public var reportedAt: Date

  public init(
    id: String, kind: ReportedKind, subjectID: String, clipID: String? = nil, person: Author? = nil,
    text: String, clip: Clip? = nil, reasons: [ReasonCount], reporters: Int, state: State, isGone: Bool,
    openedAt: Date, reportedAt: Date
  ) {
    self.id = id
    self.kind = kind
    subjectId = subjectID
    clipId = clipID
    self.person = person
    self.text = text
    self.clip = clip
    self.reasons = reasons
    self.reporters = reporters
    self.state = state
    self.isGone = isGone
    self.openedAt = openedAt
    self.reportedAt = reportedAt
  }
}

public typealias CasePage = Page<ModerationCase>

/// How many reported it for this.
public struct ReasonCount: Codable, Sendable, Equatable {
  public var reason: ReportReason
  public var count: Int

  public init(reason: ReportReason, count: Int) {
    self.reason = reason
    self.count = count
  }
}

/// A case with what is known about it and about those whom it concerns.
public struct CaseFile: Codable, Sendable, Equatable {
  /// Named so since `case` is a word of many languages.
  public var summary: ModerationCase
  /// The newest ones.
  public var reports: [CaseReport]
  /// Newest first.
  public var decisions: [CaseDecision]
  /// What stood against whom it is about so far, in other cases too.
  public var record: PersonRecord

  public init(
    summary: ModerationCase, reports: [CaseReport], decisions: [CaseDecision], record: PersonRecord
  ) {
    self.summary = summary
    self.reports = reports
    self.decisions = decisions
    self.record = record
  }
}

/// A report as moderators see it.
public struct CaseReport: Codable, Sendable, Equatable {
  public var id: String
  /// Nil: a guest.
  public var reporter: Author?
  public var reason: ReportReason
  public var note: String
  public var createdAt: Date
  /// Of the reporter's other reports: how many something was done about, and how many nothing was found in.
  public var acted: Int
  public var dismissed: Int

  public init(
    id: String, reporter: Author? = nil, reason: ReportReason, note: String, createdAt: Date, acted: Int,
    dismissed: Int
  ) {
    self.id = id
    self.reporter = reporter
    self.reason = reason
    self.note = note
    self.createdAt = createdAt
    self.acted = acted
    self.dismissed = dismissed
  }
}

/// A decision as moderators see it.
public struct CaseDecision: Codable, Sendable, Equatable {
  public var decision: Decision
  /// Nil: the account is gone.
  public var moderator: Author?
  /// Who answered the appeal, or took the decision back.
  public var reviewer: Author?
  /// Whoever asks can answer the appeal, or take it back.
  public var canReview: Bool

  public init(decision: Decision, moderator: Author? = nil, reviewer: Author? = nil, canReview: Bool) {
    self.decision = decision
    self.moderator = moderator
    self.reviewer = reviewer
    self.canReview = canReview
  }
}

/// Decisions against somebody that were not reversed.
public struct PersonRecord: Codable, Sendable, Equatable {
  public var removals: Int
  /// Clips that were limited, by age or in their reach.
  public var limits: Int
  public var warnings: Int
  public var suspensions: Int
  public var isSuspended: Bool

  public init(
    removals: Int = 0, limits: Int = 0, warnings: Int = 0, suspensions: Int = 0, isSuspended: Bool = false
  ) {
    self.removals = removals
    self.limits = limits
    self.warnings = warnings
    self.suspensions = suspensions
    self.isSuspended = isSuspended
  }
}

/// The body that decides a case.
public struct NewDecision: Codable, Sendable, Equatable {
  public var action: ModerationAction
  public var reason: ReportReason
  /// What whoever it is about is told; for `dismiss` a note for other moderators, which may be missing.
  public var statement: String?
  /// Of a suspension; nil: until it is taken back.
  public var days: Int?

  public init(action: ModerationAction, reason: ReportReason, statement: String? = nil, days: Int? = nil) {
    self.action = action
    self.reason = reason
    self.statement = statement
    self.days = days
  }
}

public enum ReviewOutcome: String, Codable, Sendable, CaseIterable { case upheld, reversed }

/// The answer to an appeal, or the end of a decision; and the body that makes it.
public struct DecisionReview: Codable, Sendable, Equatable {
  public var outcome: ReviewOutcome
  /// What whoever it is about is told.
  public var statement: String

  public init(outcome: ReviewOutcome, statement: String) {
    self.outcome = outcome
    self.statement = statement
  }
}
