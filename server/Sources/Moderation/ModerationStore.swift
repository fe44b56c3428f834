public import Contract
internal import Foundation
public import Platform

/// Something that can be reported, as it is when it is.
public struct ReportedThing: Sendable {
  /// The account that it is of; nil: a guest's.
  public var person: String?
  public var clipID: String?
  /// In its own words.
  public var text: String

  public init(person: String?, clipID: String?, text: String) {
    self.person = person
    self.clipID = clipID
    self.text = text
  }
}

/// Whatever can be reported. It is somebody else's to keep.
public protocol ReportedThings: Sendable {
  /// As the viewer can see it, whom a block keeps from nothing here. Throws `clip_not_found`,
  /// `comment_not_found`, `message_not_found`, `author_not_found`, and `report_oneself` for what is the
  /// viewer's own.
  func thing(
    _ kind: ReportedKind, _ id: String, for viewer: String, in transaction: any Transaction
  ) throws -> ReportedThing
  /// Those of these that nobody sees any more.
  func gone(_ kind: ReportedKind, among ids: [String], in transaction: any Transaction) throws -> Set<String>
  /// Nobody sees it any more, until it is given back. False: it cannot be, or is gone already.
  func withhold(_ kind: ReportedKind, _ id: String, in transaction: any Transaction) throws -> Bool
  /// What was withheld is seen by whom it would be seen by otherwise.
  func giveBack(_ kind: ReportedKind, _ id: String, in transaction: any Transaction) throws
  /// The clip is limited until that is lifted. False: it is limited so already, or is no clip, or gone.
  func limit(
    _ kind: ReportedKind, _ id: String, _ limit: ClipLimit, in transaction: any Transaction
  ) throws -> Bool
  func lift(
    _ limit: ClipLimit, of kind: ReportedKind, _ id: String, in transaction: any Transaction) throws
  /// As moderators watch them, whoever else can see them; those that there are.
  func clips(_ ids: [String]) async throws -> [String: Clip]
}

/// How a clip is kept from some, and not taken away.
public enum ClipLimit: Sendable {
  /// It is for adults alone.
  case age
  /// It is put before nobody who did not go to it.
  case reach

  /// Nil: the action limits nothing.
  init?(_ action: ModerationAction?) {
    switch action {
    case .ageLimit?: self = .age
    case .limitReach?: self = .reach
    case .dismiss?, .remove?, .warn?, .suspend?, nil: return nil
    }
  }
}

/// Where those hear of decisions whom they are about, beside the notices of their account.
public protocol DecisionNotices: Sendable {
  /// In the transaction of the decision, or of what was answered to it.
  func decided(
    _ decisionID: String, on clipID: String?, about account: String, isAnswer: Bool,
    in transaction: any Transaction) throws
}

/// Accounts, as far as something can be decided about them.
public protocol JudgedAccounts: Sendable {
  /// Nil: there is no such account.
  func role(of account: String, in transaction: any Transaction) throws -> Viewer.Role?
  func isSuspended(_ account: String, in transaction: any Transaction) throws -> Bool
  /// From this instant on; one that is suspended already stays so since then.
  func suspend(_ account: String, atMs: Int64, in transaction: any Transaction) throws
  /// Ends a suspension that began at one of these instants: one by the operator stays.
  func endSuspension(of account: String, begunAtMs: [Int64], in transaction: any Transaction) throws
  /// The owner is told, and told again where it is answered.
  func tell(_ account: String, ofReview isReview: Bool, in transaction: any Transaction) throws
}

/// Reports, the cases that they make, and what is decided about them (docs/design/moderation.md).
///
/// It refuses to know what a clip, a comment, a message or an account is, and how any of it is taken away.
/// All that concerns a case is written one after the other, under its lock.
public struct ModerationStore: Sendable {
  let database: any Database
  let time: any TimeSource
  let cursorKeys: TokenKeys
  let things: any ReportedThings
  let accounts: (any JudgedAccounts)?
  let notices: (any DecisionNotices)?
  var log: ModerationLog { ModerationLog(time: time) }

  /// `accounts`: nil where nobody signs in, so nobody judges or is judged.
  public init(
    database: any Database, time: any TimeSource, cursorKeys: TokenKeys, things: any ReportedThings,
    accounts: (any JudgedAccounts)?, notices: (any DecisionNotices)? = nil
  ) {
    self.database = database
    self.time = time
    self.cursorKeys = cursorKeys
    self.things = things
    self.accounts = accounts
    self.notices = notices
  }

  /// NB: a case that does not exist yet is locked by what it is about, so that two reports make one.
  func lock(_ kind: ReportedKind, _ subject: String, in transaction: any Transaction) throws {
    try transaction.lock("case of \(kind.rawValue) \(subject)")
  }

  /// The case, locked. Throws `case_not_found`.
  func lockedCase(_ id: String, in transaction: any Transaction) throws -> Row {
    guard let row = try row(id, in: transaction) else { throw AppError(.caseNotFound) }
    try lock(Self.kind(row), try row.text("subject_id"), in: transaction)
    // It may be another one than a moment ago.
    guard let locked = try self.row(id, in: transaction) else { throw AppError(.caseNotFound) }
    return locked
  }

  func row(_ id: String, in transaction: any Transaction) throws -> Row? {
    try transaction.query("SELECT * FROM moderation_cases WHERE id = ?", [.text(id)]).first
  }

  static func kind(_ row: Row) throws -> ReportedKind {
    guard let kind = ReportedKind(rawValue: try row.text("kind")) else { throw AppError(.internalError) }
    return kind
  }

  /// Who they are, for people; guests have no face.
  func faces(_ ids: [String?], in transaction: any Transaction) throws -> [String: Author] {
    let ids = Set(ids.compactMap { $0 }).sorted()
    guard !ids.isEmpty else { return [:] }
    let list = SQLList(ids)
    return try transaction.query(
      "SELECT id, handle, name, picture FROM authors WHERE id IN \(list.marks) AND handle <> ?",
      list.values + [.text(Author.guestHandle)]
    ).reduce(into: [:]) { faces, row in
      let id = try row.text("id")
      faces[id] = try row.author(id)
    }
  }

  static func date(_ ms: Int64) -> Date { Date(timeIntervalSince1970: Double(ms) / 1000) }
}

/// What moderators and those whom they judge write to each other.
let statementText = WrittenText(
  length: Limits.statementLength, scalars: Limits.statementScalars, empty: .statementEmpty,
  tooLong: .statementTooLong)

extension WrittenText {
  /// What may be nothing.
  func checkedIfAny(_ text: String?) throws -> String {
    guard let text, !PlainText.lines(text).isEmpty else { return "" }
    return try checked(text)
  }
}

extension ReportReason {
  /// Which case comes first: a child, a life, somebody's body, then the rest.
  var gravity: Int64 {
    switch self {
    case .minors: 5
    case .selfHarm, .violence: 4
    case .hate, .harassment, .illegal: 3
    case .nudity, .rights: 2
    case .misinformation, .other: 1
    case .spam: 0
    }
  }
}
