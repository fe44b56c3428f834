public import Contract
public import Observation

/// Name and e-mail address.
@MainActor @Observable public final class ContactModel {
  public enum NameField: String, CaseIterable, Sendable { case name }
  public enum EmailField: String, CaseIterable, Sendable { case email, password }

  public let nameForm = FormState<NameField>()
  /// An empty address: there is to be none.
  public let emailForm = FormState<EmailField>(optional: [.email])
  public private(set) var account: Account?
  public private(set) var failure: Sentence?

  @ObservationIgnored private let client: Client
  @ObservationIgnored var renewed: (Account) -> Void = { _ in }
  @ObservationIgnored var say: (Sentence) -> Void = { _ in }

  init(client: Client) { self.client = client }

  public func load() async {
    failure = nil
    do {
      renewed(try await client.account())
    } catch {
      if !Sentence.isSilent(error) { failure = Sentence(for: error) }
    }
  }

  /// How it is with the address.
  public var addressState: Sentence {
    if let pending = account?.pendingEmail {
      return Sentence("A link is on its way to %@. The address counts once it is opened.", pending)
    }
    if let email = account?.email { return Sentence("%@ is confirmed.", email) }
    return "No address yet. Without one, a forgotten password can’t be reset by e-mail."
  }

  public func saveName() async {
    let form = nameForm
    let isSaved = await form.submit {
      renewed(try await client.change(AccountChange(name: form.trimmed(.name))))
    }
    if isSaved {
      account.map { form[.name] = $0.name }
      say("The name is saved.")
    }
  }

  public func saveEmail() async {
    let form = emailForm
    let isSaved = await form.submit {
      renewed(
        try await client.change(
          AccountChange(email: form.trimmed(.email) ?? "", password: form[.password])))
    }
    if isSaved {
      account.map { form[.email] = $0.pendingEmail ?? $0.email ?? "" }
      say("Saved.")
    }
  }

  /// What is being typed stays.
  func show(_ account: Account) {
    let before = self.account
    self.account = account
    if nameForm[.name] == (before?.name ?? "") { nameForm[.name] = account.name }
    if emailForm[.email] == (before?.pendingEmail ?? before?.email ?? "") {
      emailForm[.email] = account.pendingEmail ?? account.email ?? ""
    }
  }

  func clear() {
    account = nil
    nameForm[.name] = ""
    emailForm[.email] = ""
    emailForm[.password] = ""
  }
}
