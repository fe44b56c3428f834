public import Contract
public import Observation

/// What opens the account, and what else could.
@MainActor @Observable public final class WaysInModel {
  public enum PasswordField: String, CaseIterable, Sendable { case password }
  public enum NewPasswordField: String, CaseIterable, Sendable { case new = "new_password" }

  public private(set) var ways: WaysIn?
  public private(set) var failure: Sentence?
  /// Where the person is now.
  public private(set) var visited: SignInProvider?
  /// The one that is to be disconnected, for which the password is asked.
  public private(set) var leaving: ConnectedIdentity?
  public let connectForm = FormState<PasswordField>()
  public let disconnectForm = FormState<PasswordField>()
  public let setForm = FormState<NewPasswordField>()

  private var providers: [SignInProvider] = []
  private let tickets: Tickets
  @ObservationIgnored private let client: Client
  @ObservationIgnored private let visits: any ProviderVisiting
  @ObservationIgnored var say: (Sentence) -> Void = { _ in }
  @ObservationIgnored private var account: String?

  init(client: Client, visits: any ProviderVisiting, tickets: Tickets) {
    self.client = client
    self.visits = visits
    self.tickets = tickets
  }

  /// Stands for the password, until it is used.
  func proof(of account: String?) -> String? {
    tickets.proof.flatMap { $0.account == account ? $0.secret : nil }
  }

  public var hasProof: Bool { proof(of: account) != nil }
  public var hasPassword: Bool { ways?.password ?? true }
  /// The provider that was brought along and is not connected yet.
  public var waiting: String? { tickets.waiting?.provider }

  /// Those that could be connected.
  public var free: [SignInProvider] {
    providers.filter { provider in
      visits.canVisit(provider) && provider.name != waiting
        && !(ways?.items.contains { $0.provider == provider.id } ?? true)
    }
  }

  /// Those that can show that it is still the same person, where there is no password.
  public var confirming: [SignInProvider] {
    guard !hasPassword, !hasProof else { return [] }
    return providers.filter { provider in
      visits.canVisit(provider) && ways?.items.contains { $0.provider == provider.id } == true
    }
  }

  /// `me`: whose ways they are.
  public func load(_ me: String?) async {
    account = me
    do {
      async let ways = client.waysIn()
      async let providers = client.signInProviders()
      (self.ways, self.providers) = try await (ways, providers.items)
      failure = nil
    } catch {
      if !Sentence.isSilent(error) { failure = Sentence(for: error) }
    }
  }

  // MARK: To a provider and back

  public func connect(_ provider: SignInProvider) async { await visit(provider, for: .connect) }
  public func confirm(_ provider: SignInProvider) async { await visit(provider, for: .confirm) }

  private func visit(_ provider: SignInProvider, for purpose: SignInPurpose) async {
    guard visited == nil, let account else { return }
    visited = provider
    defer { visited = nil }
    do {
      let start = try await client.beginSignIn(
        NewAccountSignIn(provider: provider.id, purpose: purpose, transport: .token))
      let answer = try await visits.answer(of: provider, start)
      let outcome = try await client.endAccountSignIn(answer)
      if let ticket = outcome.ticket {
        tickets.waiting = Tickets.Waiting(ticket: ticket, provider: provider.name)
      }
      if let proof = outcome.proof { tickets.proof = (proof, account) }
    } catch {
      if !Sentence.isSilent(error) { say(Sentence(for: error)) }
    }
  }

  /// Connects what was brought along, by the password or the proof.
  public func connectWaiting() async {
    guard let waiting = tickets.waiting else { return }
    let proof = hasPassword ? nil : proof(of: account)
    let isConnected = await connectForm.submit(hasPassword ? [.password] : []) {
      do {
        _ = try await client.connect(
          NewIdentity(
            ticket: waiting.ticket, password: hasPassword ? connectForm[.password] : nil, proof: proof))
      } catch let problem as Problem {
        // What is over or another's will not do the next time either.
        if problem.code == ErrorCode.signInOver.rawValue || problem.code == ErrorCode.identityTaken.rawValue {
          tickets.waiting = nil
          tickets.proof = nil
          say(Sentence(problem.detail))
        }
        throw problem
      }
    }
    guard isConnected else { return }
    tickets.waiting = nil
    if proof != nil { tickets.proof = nil }
    say(Sentence("%@ is connected. You can sign in by it from now on.", waiting.provider))
    await load(account)
  }

  /// Asks for the password first where there is one.
  public func disconnect(_ identity: ConnectedIdentity) async {
    if hasPassword {
      leaving = identity
      return
    }
    do {
      if let proof = proof(of: account) {
        try await tickets.spend { try await client.disconnect(identity.id, IdentityRemoval(proof: proof)) }
      } else {
        try await client.disconnect(identity.id, IdentityRemoval())
      }
      await gone(identity)
    } catch {
      if !Sentence.isSilent(error) { say(Sentence(for: error)) }
    }
  }

  public func disconnectByPassword() async {
    guard let identity = leaving else { return }
    let isGone = await disconnectForm.submit {
      try await client.disconnect(identity.id, IdentityRemoval(password: disconnectForm[.password]))
    }
    guard isGone else { return }
    leaving = nil
    await gone(identity)
  }

  public func keepConnected() { leaving = nil }

  private func gone(_ identity: ConnectedIdentity) async {
    say(Sentence("%@ is disconnected.", identity.name))
    await load(account)
  }

  /// The first password, by a proof.
  public func setPassword() async {
    guard let proof = proof(of: account) else { return }
    let isSet = await setForm.submit {
      try await tickets.spend { try await client.setPassword(setForm[.new], proof: proof) }
    }
    guard isSet else { return }
    say("The password is set. Other devices are signed out.")
    await load(account)
  }

  /// NB: a ticket stays: it was brought along before somebody signed in.
  func clear() {
    ways = nil
    leaving = nil
    failure = nil
    account = nil
    tickets.proof = nil
  }
}
