public import Contract
internal import Foundation
internal import Platform

/// Signing in by somebody else. An account is known by issuer and subject alone: an e-mail address opens
/// nothing, however well it is verified, since whoever had an account with it first may not be whom the
/// provider means.
extension Accounts {
  public var signInProviders: SignInProviders {
    SignInProviders(
      items: around.providers.map { SignInProvider(id: $0.id, name: $0.name, kind: $0.kind) },
      passkeySite: around.passkeys?.site)
  }

  /// `account`: who is signed in, for any purpose but signing in. Throws `provider_not_found` and
  /// `provider_unreachable`.
  public func beginSignIn(
    at id: String, for purpose: SignInPurpose? = nil, account: String? = nil
  ) async throws -> SignInStart {
    let provider = try provider(id)
    let flow = SignInFlow(
      provider: id, purpose: purpose, account: account, expiresMs: time.nowMs + Limits.signInMs,
      secret: SecretToken.make())
    let key = signInKey
    return SignInStart(
      authorizationUrl: try await provider.address(for: question(of: flow, key)), nonce: flow.nonce(key),
      flow: flow.text(key))
  }

  /// `place`: to whose address the answer came, if it came to one. `knownTo` as for `signIn`. Throws
  /// `sign_in_over`, `identity_refused`, `provider_unreachable` and `second_step_needed`.
  public func endSignIn(
    _ answer: SignInAnswer, at place: String?, guest: String?, client: String,
    knownTo accounts: [String] = []
  ) async throws -> SignInOutcome {
    let (provider, identity) = try await identity(of: answer, at: place, for: nil, account: nil)
    let found = try await database.read {
      try identities.account(of: identity.issuer, identity.subject, in: $0)
    }
    if let found {
      return SignInOutcome(session: try await enter(found, identity, guest, client, knownTo: accounts))
    }
    return SignInOutcome(newcomer: try await newcomer(introduced(identity, by: provider), at: provider))
  }

  /// Makes an account for a newcomer; it takes the guest's id over. Throws `sign_in_over`, `identity_taken`
  /// and what signing up throws, but for passwords.
  public func join(_ new: NewcomerAccount, guest: String?, client: String) async throws -> Session {
    let handle = try Handle.checked(new.handle)
    let name = try new.name.flatMap { $0.isEmpty ? nil : $0 }.map(PersonName.checked) ?? handle
    try requireTaken(handle: handle, name: name)
    let email = try new.email.flatMap { $0.isEmpty ? nil : $0 }.map(EmailAddress.checked)
    let row = AccountStore.Row(
      id: guest ?? Identifier.make(at: time), handle: handle, name: name, pendingEmail: email,
      passwordHash: AccountStore.noPassword, role: .member, createdAtMs: time.nowMs, readMs: time.nowMs)
    let (made, opened) = try await database.write { transaction in
      let ticket = try identities.take(new.ticket, .newcomer, for: nil, in: transaction)
      guard case .made(let row, let opened) = try make(row, client: client, in: transaction) else {
        throw AppError(.handleTaken, field: "handle")
      }
      guard try identities.connect(row.id, ticket.identity, in: transaction) != nil else {
        throw AppError(.identityTaken)
      }
      return (row, opened)
    }
    if let email { outbox.add(.confirmation(account: made.id, email: email)) }
    return try await session(opened, of: made)
  }

  /// For somebody who is signed in: a ticket to connect the provider, or the proof that it is still them.
  public func endAccountSignIn(
    _ answer: SignInAnswer, at place: String?, account: String
  ) async throws -> AccountSignInOutcome {
    guard let purpose = read(answer.flow)?.flow.purpose else {
      throw AppError(.signInOver)
    }
    let (provider, proven) = try await identity(of: answer, at: place, for: purpose, account: account)
    // People tell their identities apart by the address.
    let identity = purpose == .connect ? await introduced(proven, by: provider) : proven
    let now = time.nowMs
    return try await database.write { transaction in
      let owner = try identities.account(of: identity.issuer, identity.subject, in: transaction)
      switch purpose {
      case .connect:
        guard owner == nil || owner == account else { throw AppError(.identityTaken) }
        return AccountSignInOutcome(
          ticket: try identities.add(
            .init(purpose: .newcomer, account: account, provider: provider.id, identity: identity),
            lifeMs: Limits.signInTicketMs, in: transaction))
      case .confirm:
        guard owner == account else {
          throw AppError(
            .identityNotFound, "That is not whom this account is connected with at \(provider.name).")
        }
        // Where the provider says when the person signed in, it must have been for this.
        if let signedInMs = identity.signedInMs, now - signedInMs > Limits.signInMs {
          throw AppError(
            .signInOver, "\(provider.name) did not ask you to sign in again; sign out there, then try again.")
        }
        return AccountSignInOutcome(
          proof: try identities.add(
            .init(purpose: .proof, account: account, provider: provider.id, identity: identity),
            lifeMs: Limits.signInProofMs, in: transaction))
      }
    }
  }

  // MARK: Parts

  func provider(_ id: String) throws -> any IdentityProvider {
    guard let provider = around.providers.first(where: { $0.id == id }) else {
      throw AppError(.providerNotFound)
    }
    return provider
  }

  /// Of what travels by way of a browser to a provider and back, if it sets out now.
  var signInKey: String { Self.signInKey(refreshTokens.keys.making) }

  private static func signInKey(_ refreshKey: String) -> String {
    SecretToken.derived(from: refreshKey, salt: "sign-in", key: refreshKey)
  }

  /// What this instance made, and the key by which it did: there may be a newer one when the answer comes.
  private func read(_ text: String?) -> (flow: SignInFlow, key: String)? {
    for key in refreshTokens.keys.reading.map(Self.signInKey) {
      if let flow = SignInFlow.read(text ?? "", key) { return (flow, key) }
    }
    return nil
  }

  private func question(of flow: SignInFlow, _ key: String) -> SignInQuestion {
    SignInQuestion(
      state: flow.state(key), nonce: flow.nonce(key), verifier: flow.verifier(key),
      redirect: (around.origin ?? "") + Route.signInReturn.path(flow.provider),
      isConfirming: flow.purpose == .confirm)
  }

  private func identity(
    of answer: SignInAnswer, at place: String?, for purpose: SignInPurpose?, account: String?
  ) async throws -> (any IdentityProvider, ProvenIdentity) {
    guard let (flow, key) = read(answer.flow), time.nowMs < flow.expiresMs,
      flow.purpose == purpose, flow.account == account,
      // An answer of another issuer must not be taken for one of this (RFC 9207 says it as well, where it is
      // spoken).
      place == nil || place == flow.provider
    else { throw AppError(.signInOver) }
    let provider = try provider(flow.provider)
    var proven: ProvenIdentity
    if let token = answer.idToken {
      proven = try await provider.identity(ofToken: token, code: answer.code, nonce: flow.nonce(key))
    } else {
      // Whoever plants the answer to his own sign-in in somebody's browser does not know its state.
      guard SignInFlow.isSame(answer.state ?? "", flow.state(key)), let code = answer.code else {
        throw AppError(.signInOver)
      }
      proven = try await provider.identity(ofCode: code, issuer: answer.iss, for: question(of: flow, key))
    }
    proven.name = proven.name ?? answer.name
    return (provider, presentable(proven))
  }

  private func introduced(_ identity: ProvenIdentity, by provider: any IdentityProvider) async
    -> ProvenIdentity
  {
    presentable(await provider.introduced(identity))
  }

  /// Shown and kept: what nobody may be called here is left out. Addresses are checked again where they
  /// count.
  private func presentable(_ identity: ProvenIdentity) -> ProvenIdentity {
    var identity = identity
    identity.name = identity.name.flatMap { try? PersonName.checked($0) }
    identity.email = identity.email.flatMap { try? EmailAddress.checked($0) }
    return identity
  }

  private func enter(
    _ id: String, _ identity: ProvenIdentity, _ guest: String?, _ client: String, knownTo accounts: [String]
  ) async throws -> Session {
    let (row, entry) = try await database.write { transaction in
      try transaction.lock(id)
      // It may be gone or disconnected by now.
      guard let row = try store.find(id, in: transaction),
        try identities.account(of: identity.issuer, identity.subject, in: transaction) == id
      else { throw AppError(.signInOver) }
      if let grant = identity.grant { try identities.keep(grant, of: identity, in: transaction) }
      return (
        row, try open(row, guest: guest, client: client, knownTo: accounts, in: transaction)
      )
    }
    return try await session(entry, of: row)
  }

  private func newcomer(
    _ identity: ProvenIdentity, at provider: any IdentityProvider
  ) async throws -> Newcomer {
    try await database.write { transaction in
      let known =
        try identity.isEmailVerified
        && identity.email.map { try store.find(named: $0, in: transaction) != nil } ?? false
      let ticket = try identities.add(
        .init(purpose: .newcomer, account: nil, provider: provider.id, identity: identity),
        lifeMs: Limits.signInTicketMs, in: transaction)
      return Newcomer(
        ticket: ticket, provider: provider.id,
        handle: try HandleSuggestion.of(identity) { try store.find(handle: $0, in: transaction) == nil },
        name: identity.name, email: identity.email, known: known)
    }
  }
}
