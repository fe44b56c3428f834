public import Contract
public import Platform

/// What the gateway needs of accounts. `client` is what a client calls itself; `guest` the id of who asks, if that is a
/// guest. Sessions come with both tokens in them.
public protocol AccountKeeping: SignInKeeping {
  /// Throws `handle_invalid`, `handle_taken`, `name_invalid`, `email_invalid`, `password_too_short`,
  /// `password_too_long`, `password_too_common`. The same key with the same handle and password again, within a day, begins a
  /// session of the account that was made; with others it throws `idempotency_key_reused`.
  func signUp(_ new: NewAccount, idempotencyKey: String?, guest: String?, client: String) async throws
    -> Session
  /// Which account somebody means who gives this name to sign in, and what guesses at its password are counted by: the same
  /// for every spelling of every name of an account, and for every spelling of a name that nobody has.
  func guessed(by name: String) async throws -> (key: String, account: String?)
  /// `knownTo`: the accounts that were signed in to on this device before; the owner of another is told. Throws
  /// `credentials_wrong`, after the same work whatever is wrong.
  func signIn(_ new: NewSession, guest: String?, client: String, knownTo accounts: [String]) async throws
    -> Session
  /// Throws `refresh_token_invalid`, `session_ended` and `refresh_token_reused`.
  func refresh(_ token: String, client: String) async throws -> Session
  /// The session that a refresh token of ours is for, and whose it is; nil for any other text.
  func session(ofRefreshToken token: String) -> (id: String, account: String)?
  func sessions(of viewer: Viewer) async throws -> OpenSessions
  /// Throws `session_not_found`, also for a session of somebody else.
  func endSession(_ id: String, of account: String) async throws
  /// All of them.
  func endSessions(of account: String, client: String) async throws
  func signOut(refreshToken: String) async throws
  /// Throws `account_not_found`.
  func account(_ id: String) async throws -> Account
  /// Throws `name_invalid`, `email_invalid`, `password_wrong`, `proof_needed` and `sign_in_over`.
  func change(_ id: String, _ change: AccountChange, client: String) async throws -> Account
  /// Throws `password_wrong`, `proof_needed` and `sign_in_over`.
  func delete(_ id: String, _ deletion: AccountDeletion, client: String) async throws
  /// Throws `password_wrong`, `proof_needed`, `sign_in_over` and the errors of new passwords.
  func changePassword(of id: String, session: String?, _ change: PasswordChange, client: String) async throws
  /// The same for every name, at once.
  func requestReset(of name: String)
  /// The account that the link was for. Throws `link_over` and the errors of new passwords.
  @discardableResult func reset(_ token: String, to password: String, client: String) async throws -> String
  /// The same. Throws `link_over` and `email_taken`.
  @discardableResult func confirmEmail(_ token: String, client: String) async throws -> String
  /// What happened that matters to the account's safety, newest first. Throws `invalid_cursor`.
  func notices(of account: String, cursor: String?, limit: Int) async throws -> NoticePage
}
