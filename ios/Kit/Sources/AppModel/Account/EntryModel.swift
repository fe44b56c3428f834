public import Contract
internal import Foundation
public import Observation

/// Coming in: signing in and up, by a password, a passkey or somebody else, and a forgotten password.
@MainActor @Observable public final class EntryModel {
  public enum SignInField: String, CaseIterable, Sendable { case handle, password }
  public enum JoinField: String, CaseIterable, Sendable { case handle, name, email, password }
  public enum NewcomerField: String, CaseIterable, Sendable { case handle, name, email }
  public enum ForgotField: String, CaseIterable, Sendable { case handle }
  public enum StepField: String, CaseIterable, Sendable { case code }
  public enum ResetField: String, CaseIterable, Sendable { case password }
  public enum NoField: String, CaseIterable, Sendable { case none }

  public let signInForm = FormState<SignInField>()
  public let joinForm = FormState<JoinField>(optional: [.name, .email])
  public let newcomerForm = FormState<NewcomerField>(optional: [.name, .email])
  public let forgotForm = FormState<ForgotField>()
  /// A code of an app, or a recovery code.
  public let stepForm = FormState<StepField>()
  public let resetForm = FormState<ResetField>()
  public let confirmForm = FormState<NoField>()

  /// By whom people can sign in here, as far as this device can bring them there.
  public private(set) var providers: [SignInProvider] = []
  /// Where the person is now.
  public private(set) var visited: SignInProvider?
  /// What went wrong there.
  public private(set) var visitFailure: Sentence?
  public private(set) var newcomer: (person: Newcomer, provider: String)?
  /// This device has passkeys of this server's, or could.
  public private(set) var hasKeys = false
  /// The system's sheet is open, or its answer on its way.
  public private(set) var isAtKey = false
  /// Why no passkey opened the account.
  public private(set) var keyFailure: Sentence?
  /// A link was asked for: the same whether there is such an account or not.
  public var isLinkSent = false

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let visits: any ProviderVisiting
  @ObservationIgnored private let keys: any PasskeyPort
  @ObservationIgnored private let tickets: Tickets
  /// The key of the sign-up that is being tried: the same again makes no second account.
  @ObservationIgnored private var tried: (account: NewAccount, key: String)?
  /// Of a sign-in whose first step was right, where the account asks for a code as well.
  @ObservationIgnored private var challenge: String?
  @ObservationIgnored var arrive: (AccountModel.Place?, Sentence?) -> Void = { _, _ in }

  init(client: Client, visits: any ProviderVisiting, keys: any PasskeyPort, tickets: Tickets) {
    self.client = client
    self.visits = visits
    self.keys = keys
    self.tickets = tickets
  }

  public func signIn() async {
    var session: Session?
    let isRight = await signInForm.submit {
      let new = NewSession(
        handle: signInForm.trimmed(.handle) ?? "", password: signInForm[.password], transport: .token)
      session = try await firstStep { try await client.signIn(new) }
    }
    guard isRight else { return }
    if let session { welcome(session.account) } else { arrive(.secondStep, nil) }
  }

  /// `nil`: it was right, and a second step is asked for.
  private func firstStep<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value? {
    do {
      return try await work()
    } catch let problem as Problem where problem.challenge != nil {
      challenge = problem.challenge
      keyFailure = nil
      return nil
    }
  }

  public func takeSecondStep() async {
    guard let challenge else { return }
    var account: Account?
    let isIn = await stepForm.submit {
      account = try await client.signIn(
        SecondStep(challenge: challenge, code: stepForm.trimmed(.code) ?? "", transport: .token)
      ).account
    }
    guard isIn, let account else { return }
    self.challenge = nil
    welcome(account)
  }

  // MARK: By a passkey

  public func signInByKey() async { await byKey(behind: nil) }

  /// In the place of a code.
  public func takeSecondStepByKey() async {
    if let challenge { await byKey(behind: challenge) }
  }

  private func byKey(behind challenge: String?) async {
    guard !isAtKey else { return }
    isAtKey = true
    keyFailure = nil
    defer { isAtKey = false }
    do {
      let answer = try await keys.answer(to: try await client.passkeyQuestion(), behind: challenge)
      let account = try await client.signIn(answer).account
      self.challenge = nil
      welcome(account)
    } catch {
      if !Sentence.isSilent(error) { keyFailure = Sentence(for: error) }
    }
  }

  private func welcome(_ account: Account) { arrive(nil, Sentence("Welcome back, %@.", account.name)) }

  public func join() async {
    let new = NewAccount(
      handle: joinForm.trimmed(.handle) ?? "", password: joinForm[.password], name: joinForm.trimmed(.name),
      email: joinForm.trimmed(.email), transport: .token)
    let key = tried.flatMap { $0.account == new ? $0.key : nil } ?? UUID().uuidString
    tried = (new, key)
    var name = ""
    let isIn = await joinForm.submit {
      name = try await client.signUp(new, idempotencyKey: key).account.name
    }
    guard isIn else { return }
    tried = nil
    arrive(nil, Sentence("Welcome, %@. What you liked so far is yours.", name))
  }

  // MARK: A forgotten password, and links out of messages

  public func askForLink() async {
    isLinkSent = await forgotForm.submit {
      try await client.requestPasswordReset(of: forgotForm.trimmed(.handle) ?? "")
    }
  }

  public func resetPassword(_ token: String) async {
    let isSet = await resetForm.submit {
      try await client.resetPassword(token: token, to: resetForm[.password])
    }
    if isSet { arrive(nil, "Your password is changed. Sign in with the new one.") }
  }

  public func confirmEmail(_ token: String) async {
    let isConfirmed = await confirmForm.submit([]) { try await client.confirmEmail(token: token) }
    if isConfirmed { arrive(nil, "The e-mail address is confirmed.") }
  }

  // MARK: By somebody else

  /// Who has no providers sees nothing of them.
  public func loadProviders() async {
    guard let found = try? await client.signInProviders() else { return }
    providers = found.items.filter { visits.canVisit($0) }
    hasKeys = found.passkeySite.map { keys.canUse($0) } ?? false
  }

  /// Goes to a provider, and comes back signed in, as a newcomer, or as before.
  public func visit(_ provider: SignInProvider) async {
    guard visited == nil else { return }
    visited = provider
    visitFailure = nil
    defer { visited = nil }
    do {
      let start = try await client.beginSignIn(NewSignIn(provider: provider.id, transport: .token))
      let answer = try await visits.answer(of: provider, start)
      let outcome = try await firstStep { try await client.endSignIn(answer) }
      guard let outcome else {
        arrive(.secondStep, nil)
        return
      }
      if let session = outcome.session {
        welcome(session.account)
      } else if let person = outcome.newcomer {
        came(person, by: provider)
      }
    } catch {
      if !Sentence.isSilent(error) { visitFailure = Sentence(for: error) }
    }
  }

  private func came(_ person: Newcomer, by provider: SignInProvider) {
    newcomer = (person, provider.name)
    newcomerForm[.handle] = person.handle
    newcomerForm[.name] = person.name ?? ""
    // It belongs to an account already.
    newcomerForm[.email] = person.known ? "" : person.email ?? ""
    arrive(.newcomer, nil)
  }

  public func joinAsNewcomer() async {
    guard let ticket = newcomer?.person.ticket else { return }
    let form = newcomerForm
    var name = ""
    let isIn = await form.submit {
      name = try await client.join(
        NewcomerAccount(
          ticket: ticket, handle: form.trimmed(.handle) ?? "", name: form.trimmed(.name),
          email: form.trimmed(.email), transport: .token)
      ).account.name
    }
    guard isIn else { return }
    newcomer = nil
    arrive(nil, Sentence("Welcome, %@. What you liked so far is yours.", name))
  }

  /// The newcomer has an account here: what was brought along waits until they are signed in to it.
  public func useOwnAccount() {
    guard let newcomer else { return }
    tickets.waiting = Tickets.Waiting(ticket: newcomer.person.ticket, provider: newcomer.provider)
    self.newcomer = nil
    arrive(nil, Sentence("Sign in as always. Then %@ waits under “Ways to sign in”.", newcomer.provider))
  }
}
