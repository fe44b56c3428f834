public import Contract
internal import Observation

/// Where somebody reports a clip, a comment, a message or a person: a sheet for each thing, which is as it
/// was left until the server has the report. What was chosen and typed outlives the app.
///
/// Wiring, in the composition root:
///
///     let reporting = Reporting(client: client, router: router, blocking: talk.blocking, drafts: statements)
///     reporting.onReported = { account.noteReport($0) }
///     reporting.onReports = { account.open(.reports) }
///     assembly.model.onReport = { reporting.open(.clip($0)) }
///     signIn.onChanged { _ in reporting.viewerChanged() }
@MainActor public final class Reporting {
  /// Hears of each report that the server took.
  public var onReported: ((Report) -> Void)?
  /// Somebody wants to see all that they reported.
  public var onReports: (() -> Void)?
  /// Hears whom somebody has blocked after a report.
  public var onBlocked: ((Author) -> Void)?

  let client: Client
  let blocking: Blocking
  let drafts: StatementDrafts
  private let router: Router
  private var models: [Router.Destination: ReportModel] = [:]

  public init(client: Client, router: Router, blocking: Blocking, drafts: StatementDrafts) {
    self.client = client
    self.router = router
    self.blocking = blocking
    self.drafts = drafts
  }

  /// With what was typed before, unless that is on its way to moderators already.
  public func open(_ subject: ReportSubject) {
    let known = models[subject.destination]
    models = models.filter { router.path.contains($0.key) || ($0.value.report == nil && !$0.value.isBlank) }
    if known?.report != nil || known?.subject != subject || models[subject.destination] == nil {
      let model = ReportModel(subject, workshop: self)
      // Their name or whether they are blocked changed meanwhile: what was typed did not.
      if let known, known.report == nil {
        model.reason = known.reason
        model.form[.note] = known.form[.note]
      }
      models[subject.destination] = model
    }
    router.open(subject.destination)
  }

  /// Of a screen; `nil`: it is none of these, or nobody knows of what any more.
  public func model(of destination: Router.Destination) -> ReportModel? { models[destination] }

  func leave(_ subject: ReportSubject) {
    if router.top == subject.destination { router.back() }
  }

  /// There is nothing to say to them any more.
  func blocked(_ person: Author, from subject: ReportSubject) {
    leave(subject)
    if router.top == .conversation(with: person.id) { router.back() }
    onBlocked?(person)
  }

  /// Somebody signed in or out. Whoever is before a sheet is still before it. Drafts stay whose they are.
  public func viewerChanged() { models = models.filter { router.path.contains($0.key) } }
}

extension TextCount {
  /// Of what moderators read.
  static func ofStatement(_ text: String) -> TextCount {
    TextCount(text, length: Limits.statementLength, scalars: Limits.statementScalars)
  }
}
