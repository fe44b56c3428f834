internal import Foundation

/// Accounts and sessions. Where tokens travel in cookies the transport keeps those; elsewhere it adds
/// `Authorization: Bearer` with the access token.
extension Client {
  /// With a key the same again, within a day, begins another session of the account that was made.
  public func signUp(_ new: NewAccount, idempotencyKey: String? = nil) async throws -> Session {
    try await write(
      "POST", new, to: Route.accounts.path(),
      headers: idempotencyKey.map { ["idempotency-key": $0] } ?? [:])
  }

  public func signIn(_ new: NewSession) async throws -> Session {
    try await write("POST", new, to: Route.sessions.path())
  }

  /// Every refresh token is good once. An answer that got lost can be asked for again within
  /// `Limits.refreshGraceMs`.
  public func refresh(_ token: String? = nil) async throws -> Session {
    try await write("POST", SessionRefresh(refreshToken: token), to: Route.sessionRefresh.path())
  }

  public func sessions() async throws -> OpenSessions { try await get(Route.sessions.path()) }

  /// Without an id the one that asks: signs out.
  public func endSession(_ id: String = Route.currentSession) async throws {
    try await send(WireRequest("DELETE", Route.session.path(id)))
  }

  /// Ends all of the account's sessions, the one that asks too.
  public func endSessions() async throws { try await send(WireRequest("DELETE", Route.sessions.path())) }

  /// What happened that matters to the safety of the account, newest first.
  public func notices(cursor: String? = nil, limit: Int? = nil) async throws -> NoticePage {
    try await page(Route.notices.path(), cursor: cursor, limit: limit)
  }

  public func account() async throws -> Account { try await get(Route.account.path()) }

  public func change(_ change: AccountChange) async throws -> Account {
    try await write("PATCH", change, to: Route.account.path())
  }

  public func signInProviders() async throws -> SignInProviders {
    try await get(Route.signInProviders.path())
  }

  public func beginSignIn(_ new: NewSignIn) async throws -> SignInStart {
    try await write("POST", new, to: Route.signIns.path())
  }

  public func endSignIn(_ answer: SignInAnswer) async throws -> SignInOutcome {
    try await write("POST", answer, to: Route.signInAnswers.path())
  }

  public func join(_ new: NewcomerAccount) async throws -> Session {
    try await write("POST", new, to: Route.signInAccounts.path())
  }

  /// For somebody who is signed in.
  public func beginSignIn(_ new: NewAccountSignIn) async throws -> SignInStart {
    try await write("POST", new, to: Route.accountSignIns.path())
  }

  public func endAccountSignIn(_ answer: SignInAnswer) async throws -> AccountSignInOutcome {
    try await write("POST", answer, to: Route.accountSignInAnswers.path())
  }

  public func waysIn() async throws -> WaysIn { try await get(Route.identities.path()) }

  public func connect(_ new: NewIdentity) async throws -> ConnectedIdentity {
    try await write("POST", new, to: Route.identities.path())
  }

  /// Throws `last_way_in` for the only one of an account without a password.
  public func disconnect(_ id: String, _ removal: IdentityRemoval) async throws {
    try await command("DELETE", removal, to: Route.identity.path(id))
  }

  public func deleteAccount(proof: String) async throws {
    try await command("POST", AccountDeletion(proof: proof), to: Route.accountDeletion.path())
  }

  public func setPassword(_ new: String, proof: String) async throws {
    try await command(
      "PUT", PasswordChange(newPassword: new, proof: proof), to: Route.accountPassword.path())
  }

  public func deleteAccount(password: String) async throws {
    try await command("POST", AccountDeletion(password: password), to: Route.accountDeletion.path())
  }

  /// Ends every other session.
  public func changePassword(from current: String, to new: String) async throws {
    try await command(
      "PUT", PasswordChange(currentPassword: current, newPassword: new), to: Route.accountPassword.path())
  }

  /// The same answer whether there is such an account or not.
  public func requestPasswordReset(of handle: String) async throws {
    try await command("POST", PasswordResetRequest(handle: handle), to: Route.passwordResets.path())
  }

  /// Ends every session.
  public func resetPassword(token: String, to password: String) async throws {
    try await command("PUT", NewPassword(password: password), to: Route.passwordReset.path(token))
  }

  public func confirmEmail(token: String) async throws {
    try await send(WireRequest("PUT", Route.emailConfirmation.path(token)))
  }
}
