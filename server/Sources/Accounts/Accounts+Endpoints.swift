internal import Contract
internal import Features
internal import Foundation
internal import Platform

extension Accounts {
  /// `clips`: an account's go with it, and what is remembered of their media would serve them for a while.
  func endpoints(clips: any ClipSealing) -> [Endpoint] {
    [
      Endpoint("signUp") { call in
        let key = try call.idempotencyKeyIfAny()
        let new = try await call.body(NewAccount.self)
        let session = try await signUp(
          new, idempotencyKey: key, guest: call.guest, client: call.client)
        return call.hand(session, by: new.transport)
      },
      Endpoint("signIn") { call in
        let new = try await call.body(NewSession.self)
        let outcome = try await call.guessing(.guesses, try await counted(new.handle, call)) {
          try await call.firstStep {
            try await signIn(
              new, guest: call.guest, client: call.client, knownTo: call.credentials.devices.map(\.account))
          }
        }
        return call.hand(try outcome.get(), by: new.transport)
      },
      Endpoint(reading: "sessions") { try await sessions(of: $0.account()) },
      Endpoint("refreshSession") { try await refresh($0) },
      Endpoint(doing: "endSession") { try await endSession($0) },
      // The one that asks goes with them.
      Endpoint(doing: "endSessions") { call in
        try await endSessions(of: try call.account().id, client: call.client)
        call.forgetSession()
      },
      Endpoint(reading: "notices") { call in
        let place = try call.page()
        return try await notices(of: try call.account().id, cursor: place.cursor, limit: place.limit)
      },
      Endpoint(reading: "account") { try await account(try $0.account().id) },
      Endpoint("changeAccount") { try await change($0) },
      Endpoint(doing: "deleteAccount") { call in
        let id = try call.account().id
        let deletion = try await call.body(AccountDeletion.self)
        try await call.guessing(.guesses, call.ownGuesses(unless: deletion.proof)) {
          try await delete(id, deletion, client: call.client)
        }
        clips.visibilityChanged()
        call.forgetSession()
      },
      Endpoint(doing: "changePassword") { call in
        let viewer = try call.account()
        let change = try await call.body(PasswordChange.self)
        try await call.guessing(.guesses, call.ownGuesses(unless: change.proof)) {
          try await changePassword(of: viewer.id, session: viewer.session, change, client: call.client)
        }
      },
      Endpoint(doing: "requestPasswordReset") {
        requestReset(of: try await $0.body(PasswordResetRequest.self).handle)
      },
      Endpoint(doing: "resetPassword") { call in
        let new = try await call.body(NewPassword.self)
        call.note(try await reset(call.id, to: new.password, client: call.client))
      },
      Endpoint(doing: "confirmEmail") { call in
        call.note(try await confirmEmail(call.id, client: call.client))
      },
    ] + signInEndpoints + secondFactorEndpoints + passkeyEndpoints + apiKeyEndpoints
  }

  /// What guesses at the password of an account of that name are counted by: the device's own, where somebody
  /// has signed in to it before, so that strangers who guess do not keep its owner out.
  private func counted(_ name: String, _ call: Call) async throws -> String {
    let guessed = try await guessed(by: name)
    call.note(guessed.account)
    guard let account = guessed.account else { return guessed.key }
    let device = call.credentials.devices.first { $0.account == account }
    return device.map { "device/\($0.id)" } ?? guessed.key
  }

  /// With the token in the body, or in the cookie: in that case the new ones go into cookies again.
  private func refresh(_ call: Call) async throws -> Session {
    let given = try await call.bodyIfAny(SessionRefresh.self)?.refreshToken
    guard let token = given ?? call.credentials.credential(.refresh) else {
      throw AppError(.refreshTokenInvalid, "There is no refresh token in the body, nor in a cookie.")
    }
    if let session = session(ofRefreshToken: token) {
      call.note(session.account)
      try await call.take(.sessionRefreshes, "session/\(session.id)")
    }
    do {
      return call.hand(try await refresh(token, client: call.client), by: given == nil ? .cookie : .token)
    } catch let error as AppError where error.code.status == 401 {
      if given == nil { call.forgetSession() }
      throw error
    }
  }

  /// Signing out succeeds whatever became of the session; ending another one needs an account.
  private func endSession(_ call: Call) async throws {
    let viewer = call.viewer.flatMap { $0.isGuest ? nil : $0 }
    guard call.id == Route.currentSession || call.id == viewer?.session else {
      call.tell("session-end")
      return try await endSession(call.id, of: try call.account().id)
    }
    if let viewer, let session = viewer.session {
      do {
        try await endSession(session, of: viewer.id)
      } catch let error as AppError where error.code == .sessionNotFound {}
    }
    guard !call.credentials.bringsToken else { return }
    if let token = call.credentials.credential(.refresh) {
      call.note(session(ofRefreshToken: token)?.account)
      try await signOut(refreshToken: token)
    }
    call.forgetSession()
  }

  private func change(_ call: Call) async throws -> Account {
    let id = try call.account().id
    let change = try await call.body(AccountChange.self)
    // Who reads the address's mail can get in; a name opens nothing.
    if change.email != nil || change.name != nil {
      call.tell(change.email != nil ? "address-change" : "name-change")
    }
    if change.email?.isEmpty == false { try await call.take(.addressChanges, "account/\(id)") }
    let guesses = change.email == nil ? nil : try call.ownGuesses(unless: change.proof)
    return try await call.guessing(.guesses, guesses) {
      try await self.change(id, change, client: call.client)
    }
  }
}

extension TokenBucket {
  /// By account, from wherever: 1,440 guesses a day. Whoever guesses keeps the owner from signing in anew
  /// meanwhile on a device that never was signed in, and from nothing else.
  static let guesses = TokenBucket("guesses", burst: 20, intervalMs: 60_000)
  /// Of one session: a client that forgets its token at every start, and no loop.
  static let sessionRefreshes = TokenBucket("session-refreshes", burst: 20, intervalMs: 15_000)
  /// By account: each writes to an address that may be a stranger's.
  static let addressChanges = TokenBucket("address-changes", burst: 5, intervalMs: 600_000)
}

extension Call {
  /// Of guesses in a session, which strangers' guesses do not use up; nil: there is a proof, and nothing is
  /// guessed.
  func ownGuesses<Proof>(unless proof: Proof?) throws -> String? {
    proof == nil ? "owner/\(try account().id)" : nil
  }

  /// NB: where a second step is needed the first was right, and no guess. The log is told whose it is.
  func firstStep<Value>(_ work: () async throws -> Value) async throws -> Result<Value, AppError> {
    do {
      return .success(try await work())
    } catch let error as AppError where error.code == .secondStepNeeded {
      note(error.challenge.flatMap(Link.init)?.account)
      return .failure(error)
    }
  }

  func forgetSession() {
    credentials.forget(.access)
    credentials.forget(.refresh)
  }

  /// Puts the tokens where the client keeps them.
  func hand(_ session: Session, by transport: TokenTransport) -> Session {
    note(session.account.id)
    credentials.guestBecameAccount()
    credentials.remember(session.account.id)
    guard transport == .cookie else { return session }
    var shown = session
    (shown.accessToken, shown.refreshToken) = (nil, nil)
    // NB: both as long as the session: an access token that is over must be told from one that never was.
    let seconds = max(0, Int(clamping: session.refreshExpiresAt.timeIntervalSinceNow.rounded(.towardZero)))
    credentials.keep(.access, session.accessToken ?? "", seconds: seconds)
    credentials.keep(.refresh, session.refreshToken ?? "", seconds: seconds)
    return shown
  }
}
