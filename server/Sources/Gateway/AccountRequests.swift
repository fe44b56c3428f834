internal import Contract
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Platform

/// Requests about accounts and sessions.
struct AccountRequests: Sendable {
  let accounts: any AccountKeeping
  let identities: any Identifying
  let guests: GuestLimits
  let guarding: any MediaGuarding
  var signIns: SignInRequests { SignInRequests(accounts: accounts, guests: guests) }

  enum Answer {
    case body(any Encodable & Sendable, HTTPResponse.Status)
    case nothing(HTTPResponse.Status)
  }

  func answer(
    _ route: Route, _ value: String, _ caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> Answer {
    switch (route, request.method) {
    case (.accounts, _): return .body(try await signUp(caller, request, context), .created)
    case (.sessions, .post): return .body(try await signIn(caller, request, context), .ok)
    case (.sessions, .delete): try await endSessions(caller, request)
    case (.sessions, _): return .body(try await accounts.sessions(of: try caller.account()), .ok)
    case (.sessionRefresh, _): return .body(try await refresh(caller, request, context), .ok)
    case (.session, _): try await endSession(value, caller, request, context)
    case (.notices, _): return .body(try await notices(caller, request), .ok)
    case (.account, .patch): return .body(try await change(caller, request, context), .ok)
    case (.account, _): return .body(try await accounts.account(try caller.account().id), .ok)
    case (.accountDeletion, _): try await delete(caller, request)
    case (.accountPassword, _): try await changePassword(caller, request)
    case (.passwordResets, _):
      try await requestReset(request, context)
      return .nothing(.accepted)
    case (.passwordReset, _): try await reset(value, request, context)
    case (.emailConfirmation, _): try await confirmEmail(value, request, context)
    case (.signInProviders, _): return .body(accounts.signInProviders, .ok)
    case (.signIns, _): return .body(try await signIns.begin(caller, request, context), .ok)
    case (.signInAnswers, _): return .body(try await endSignIn(caller, request, context), .ok)
    case (.signInAccounts, _): return .body(try await join(caller, request, context), .created)
    case (.accountSignIns, _): return .body(try await signIns.beginForAccount(caller, request, context), .ok)
    case (.accountSignInAnswers, _):
      return .body(try await signIns.endForAccount(caller, request, context), .ok)
    case (.identities, .post): return .body(try await connect(caller, request), .created)
    case (.identities, _): return .body(try await accounts.waysIn(try caller.account().id), .ok)
    case (.identity, _): try await disconnect(value, caller, request)
    default: throw AppError(.routeNotFound)
    }
    return .nothing(.noContent)
  }

  private func signUp(_ caller: Caller, _ request: Request, _ context: GatewayContext) async throws -> Session
  {
    let key = request.headers[.idempotencyKey] == nil ? nil : try request.idempotencyKey()
    let new = try await JSONBody.read(NewAccount.self, of: request)
    let session = try await accounts.signUp(
      new, idempotencyKey: key, guest: caller.guest, client: request.client)
    return hand(session, by: new.transport, to: caller, context)
  }

  private func signIn(_ caller: Caller, _ request: Request, _ context: GatewayContext) async throws -> Session
  {
    let new = try await JSONBody.read(NewSession.self, of: request)
    let session = try await guests.guessing(try await counted(new.handle, caller, context)) {
      try await accounts.signIn(
        new, guest: caller.guest, client: request.client, knownTo: caller.accountsOfDevice)
    }
    return hand(session, by: new.transport, to: caller, context)
  }

  /// What guesses at the password of an account of that name are counted by: the device's own, where somebody has signed in to it
  /// before, so that strangers who guess do not keep its owner out.
  private func counted(
    _ name: String, _ caller: Caller, _ context: GatewayContext
  ) async throws -> String {
    let guessed = try await accounts.guessed(by: name)
    context.concerned.note(guessed.account)
    guard let account = guessed.account else { return guessed.key }
    let device = caller.devices.first { $0.account == account }
    return device.map { "device/\($0.id)" } ?? guessed.key
  }

  /// With the token in the body, or in the cookie: in that case the new ones go into cookies again.
  private func refresh(
    _ caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> Session {
    let given = try await JSONBody.readIfAny(SessionRefresh.self, of: request)?
      .refreshToken
    guard let token = given ?? caller.sent.value(.refresh) else {
      throw AppError(.refreshTokenInvalid, "There is no refresh token in the body, nor in a cookie.")
    }
    if let session = accounts.session(ofRefreshToken: token) {
      context.concerned.note(session.account)
      try await guests.take(.sessionRefreshes, "session/\(session.id)")
    }
    do {
      let session = try await accounts.refresh(token, client: request.client)
      return hand(session, by: given == nil ? .cookie : .token, to: caller, context)
    } catch let error as AppError where error.code.status == 401 {
      if given == nil { caller.clear(.access, .refresh) }
      throw error
    }
  }

  /// Signing out succeeds whatever became of the session; ending another one needs an account.
  private func endSession(
    _ id: String, _ caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws {
    let viewer = caller.viewer.flatMap { $0.isGuest ? nil : $0 }
    guard id == Route.currentSession || id == viewer?.session else {
      context.concerned.tell("session-end")
      return try await accounts.endSession(id, of: try caller.account().id)
    }
    if let viewer, let session = viewer.session {
      do {
        try await accounts.endSession(session, of: viewer.id)
      } catch let error as AppError where error.code == .sessionNotFound {}
    }
    if request.headers[.authorization] == nil {
      if let token = caller.sent.value(.refresh) {
        context.concerned.note(accounts.session(ofRefreshToken: token)?.account)
        try await accounts.signOut(refreshToken: token)
      }
      caller.clear(.access, .refresh)
    }
  }

  /// The one that asks goes with them.
  private func endSessions(_ caller: Caller, _ request: Request) async throws {
    try await accounts.endSessions(of: try caller.account().id, client: request.client)
    caller.clear(.access, .refresh)
  }

  private func notices(_ caller: Caller, _ request: Request) async throws -> NoticePage {
    let place = try ListPlace(request)
    return try await accounts.notices(of: try caller.account().id, cursor: place.cursor, limit: place.limit)
  }

  private func change(
    _ caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> Account {
    let id = try caller.account().id
    let change = try await JSONBody.read(AccountChange.self, of: request)
    // Who reads the address's mail can get in; a name opens nothing.
    if change.email != nil || change.name != nil {
      context.concerned.tell(change.email != nil ? "address-change" : "name-change")
    }
    let isGuess = change.email != nil && change.proof == nil
    return try await guests.guessing(isGuess ? GuestLimits.key(ofOwner: id) : nil) {
      try await accounts.change(id, change, client: request.client)
    }
  }

  private func delete(_ caller: Caller, _ request: Request) async throws {
    let id = try caller.account().id
    let body = try await JSONBody.read(AccountDeletion.self, of: request)
    try await guests.guessing(body.proof == nil ? GuestLimits.key(ofOwner: id) : nil) {
      try await accounts.delete(id, body, client: request.client)
    }
    // Its clips went with it, and what is remembered of their media would serve them for a while.
    guarding.visibilityChanged()
    caller.clear(.access, .refresh)
  }

  private func changePassword(_ caller: Caller, _ request: Request) async throws {
    let viewer = try caller.account()
    let change = try await JSONBody.read(PasswordChange.self, of: request)
    try await guests.guessing(change.proof == nil ? GuestLimits.key(ofOwner: viewer.id) : nil) {
      try await accounts.changePassword(
        of: viewer.id, session: viewer.session, change, client: request.client)
    }
  }

  private func requestReset(_ request: Request, _ context: GatewayContext) async throws {
    let body = try await JSONBody.read(PasswordResetRequest.self, of: request)
    accounts.requestReset(of: body.handle)
  }

  private func reset(_ token: String, _ request: Request, _ context: GatewayContext) async throws {
    let body = try await JSONBody.read(NewPassword.self, of: request)
    context.concerned.note(try await accounts.reset(token, to: body.password, client: request.client))
  }

  private func confirmEmail(_ token: String, _ request: Request, _ context: GatewayContext) async throws {
    context.concerned.note(try await accounts.confirmEmail(token, client: request.client))
  }

  private func endSignIn(
    _ caller: Caller, _ request: Request, _ context: GatewayContext
  ) async throws -> SignInOutcome {
    var (outcome, transport) = try await signIns.end(caller, request, context)
    // Somebody whom the provider knows and we do not: who has yet to choose a name is not in.
    if outcome.session == nil { context.concerned.tell("proof") }
    outcome.session = outcome.session.map { hand($0, by: transport, to: caller, context) }
    return outcome
  }

  private func join(_ caller: Caller, _ request: Request, _ context: GatewayContext) async throws -> Session {
    let new = try await JSONBody.read(NewcomerAccount.self, of: request)
    let session = try await accounts.join(new, guest: caller.guest, client: request.client)
    return hand(session, by: new.transport, to: caller, context)
  }

  private func connect(_ caller: Caller, _ request: Request) async throws -> ConnectedIdentity {
    let id = try caller.account().id
    let new = try await JSONBody.read(NewIdentity.self, of: request)
    return try await guests.guessing(new.proof == nil ? GuestLimits.key(ofOwner: id) : nil) {
      try await accounts.connect(new, to: id, client: request.client)
    }
  }

  private func disconnect(_ identity: String, _ caller: Caller, _ request: Request) async throws {
    let id = try caller.account().id
    let removal = try await JSONBody.read(IdentityRemoval.self, of: request)
    try await guests.guessing(removal.proof == nil ? GuestLimits.key(ofOwner: id) : nil) {
      try await accounts.disconnect(identity, from: id, removal, client: request.client)
    }
  }

  /// Puts the tokens where the client keeps them.
  private func hand(
    _ session: Session, by transport: TokenTransport, to caller: Caller, _ context: GatewayContext
  ) -> Session {
    context.concerned.note(session.account.id)
    caller.guestBecameAccount()
    let devices = caller.sent.value(.device) ?? ""
    let remembered = identities.remember(session.account.id, in: devices)
    if remembered != devices || caller.sent.isToBeRenamed(.device) {
      caller.set(.device, to: remembered, seconds: Cookie.deviceSeconds)
    }
    guard transport == .cookie else { return session }
    var told = session
    (told.accessToken, told.refreshToken) = (nil, nil)
    // NB: both as long as the session: an access token that is over must be told from one that never was.
    let seconds = max(0, Int(clamping: session.refreshExpiresAt.timeIntervalSinceNow.rounded(.towardZero)))
    caller.set(.access, to: session.accessToken ?? "", seconds: seconds)
    caller.set(.refresh, to: session.refreshToken ?? "", seconds: seconds)
    return told
  }
}

extension Request {
  /// What the client calls itself.
  var client: String { headers[.userAgent] ?? "" }
}

extension GuestLimits {
  /// Of guesses in a session, which strangers' guesses do not use up.
  static func key(ofOwner account: String) -> String { "owner/\(account)" }

  /// Counts under the key until the password was right; nil: nothing is guessed. The same for accounts that are not there.
  func guessing<Value>(_ key: String?, _ work: () async throws -> Value) async throws -> Value {
    guard let key else { return try await work() }
    try await take(.guesses, key)
    let value = try await work()
    await rates.refill(key, of: .guesses)
    return value
  }
}
