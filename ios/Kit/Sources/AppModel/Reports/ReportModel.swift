public import Contract
public import Observation

/// One thing being reported: for what, what else there is to know, and what became of it. What was chosen and
/// typed stays until the server has it, also over the end of the app.
///
/// It refuses to know what moderators do about it, and what a screen looks like.
@MainActor @Observable public final class ReportModel {
  /// As on the wire.
  public enum Field: String, CaseIterable, Sendable { case note }

  public let subject: ReportSubject
  public let form = FormState<Field>(optional: [.note])
  public var reason: ReportReason? {
    didSet {
      guard reason != oldValue else { return }
      form.fail(nil)
      keep()
    }
  }
  /// As the server took it.
  public private(set) var report: Report?
  /// Whoever it is about is on their way to be blocked.
  public private(set) var isBlocking = false

  @ObservationIgnored private let workshop: Reporting

  init(_ subject: ReportSubject, workshop: Reporting) {
    self.subject = subject
    self.workshop = workshop
    if let draft = workshop.drafts.draft(of: subject.draftPlace) {
      // NB: the text first. What changes is kept from here on.
      form[.note] = draft.text
      reason = draft.reason.flatMap(ReportReason.init(rawValue:))
    }
    form.onChanged = { [weak self] in self?.keep() }
  }

  /// On the device too.
  private func keep() {
    guard report == nil else { return }
    workshop.drafts.change(subject.draftPlace, reason: reason?.rawValue, text: form[.note])
  }

  /// Nobody would miss anything of it.
  var isBlank: Bool { reason == nil && !form.isBusy && form.trimmed(.note) == nil }

  /// Of the note; negative: so many too many.
  public var charactersLeft: Int { TextCount.ofStatement(form[.note]).charactersLeft }

  /// The same once more is the same report, so a lost answer makes no second one.
  public func send() async {
    guard report == nil else { return }
    guard let reason else { return form.fail("Choose a reason first.") }
    var answer: Report?
    await form.submit {
      guard charactersLeft >= 0 else {
        throw FieldFault(field: Field.note, sentence: "The text is too long.")
      }
      answer = try await workshop.client.report(
        NewReport(
          kind: subject.kind, subjectID: subject.id, reason: reason, note: form.trimmed(.note)))
    }
    guard let answer else { return }
    report = answer
    workshop.drafts.drop(subject.draftPlace)
    workshop.onReported?(answer)
  }

  // MARK: Afterwards

  /// Offered beside the thanks.
  public var canBlock: Bool {
    guard let person = subject.person, workshop.blocking.canBlock(person) else { return false }
    return isBlocking || !workshop.blocking.gone.contains(person.id)
  }

  /// Leaves once they are blocked; what fails is said.
  public func block() async {
    guard let person = subject.person, canBlock, !isBlocking else { return }
    isBlocking = true
    defer { isBlocking = false }
    if await workshop.blocking.block(person) { workshop.blocked(person, from: subject) }
  }

  /// To all that was reported.
  public func showReports() {
    workshop.leave(subject)
    workshop.onReports?()
  }

  public func leave() { workshop.leave(subject) }
}
