public import Contract
internal import Foundation
public import Observation

/// What moderators decided against whoever is signed in, and what they say against it. An appeal that was
/// typed stays until it was taken, also over the end of the app.
///
/// It refuses to know until when one can appeal: the decision says so.
@MainActor @Observable public final class DecisionsModel {
  /// As on the wire.
  public enum Field: String, CaseIterable, Sendable { case text }

  public let list: PagedList<Decision>

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let drafts: StatementDrafts
  @ObservationIgnored private let now: () -> Date
  @ObservationIgnored private var forms: [String: FormState<Field>] = [:]
  @ObservationIgnored var say: (Sentence) -> Void = { _ in }

  init(client: Client, drafts: StatementDrafts, now: @escaping () -> Date = Date.init) {
    self.client = client
    self.drafts = drafts
    self.now = now
    list = PagedList { try await client.decisions(cursor: $0, limit: $1) }
  }

  /// `nil`: it is not there, or not yet.
  public func decision(_ id: String) -> Decision? { list.items.first { $0.id == id } }

  // MARK: Appeals

  public func canAppeal(_ decision: Decision) -> Bool {
    guard decision.appeal == nil, let last = decision.appealUntil else { return false }
    return now() < last
  }

  /// What is said against it.
  public func form(of decision: String) -> FormState<Field> {
    if let form = forms[decision] { return form }
    let form = FormState<Field>()
    let place = Self.draftPlace(decision)
    if let draft = drafts.draft(of: place) { form[.text] = draft.text }
    form.onChanged = { [weak form, drafts] in
      if let form { drafts.change(place, text: form[.text]) }
    }
    forms[decision] = form
    return form
  }

  private static func draftPlace(_ decision: String) -> String { "appeal/\(decision)" }

  /// Negative: so many too many.
  public func charactersLeft(of decision: String) -> Int {
    TextCount.ofStatement(form(of: decision)[.text]).charactersLeft
  }

  /// The same words again are the same appeal, so a lost answer makes no second one.
  public func appeal(_ id: String) async {
    let form = form(of: id)
    var answer: Decision?
    var isOld = false
    await form.submit {
      guard charactersLeft(of: id) >= 0 else {
        throw FieldFault(field: Field.text, sentence: "The text is too long.")
      }
      do {
        answer = try await client.appeal(id, text: form.trimmed(.text) ?? "")
      } catch {
        isOld = RequestFailure(error).isOne(of: .appealOver, .appealMade, .decisionNotFound)
        throw error
      }
    }
    if answer != nil || isOld { drafts.drop(Self.draftPlace(id)) }
    if let answer {
      list.change { if $0.id == answer.id { $0 = answer } }
      say("Your appeal is with the moderators.")
    } else if isOld {
      // What is shown is not so any more. The form goes with it, so why is said beside.
      if let why = form.failure { say(why) }
      await list.reload()
    }
  }

  /// Somebody else is here. Drafts stay whose they are.
  func clear() {
    list.clear()
    forms = [:]
  }
}
