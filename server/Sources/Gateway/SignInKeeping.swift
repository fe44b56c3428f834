public import Contract

/// What the gateway needs of signing in by somebody else. `client` is what a client calls itself, `knownTo` the accounts that
/// were signed in to on this device before. `place`: the provider to whose address the answer came; nil: it
/// came to an app.
public protocol SignInKeeping: Sendable {
  var signInProviders: SignInProviders { get }
  /// `account`: who is signed in, for any purpose but signing in. Nonce and flow are in the answer. Throws
  /// `provider_not_found` and `provider_unreachable`.
  func beginSignIn(at provider: String, for purpose: SignInPurpose?, account: String?) async throws
    -> SignInStart
  /// Throws `sign_in_over`, `identity_refused` and `provider_unreachable`.
  func endSignIn(
    _ answer: SignInAnswer, at place: String?, guest: String?, client: String, knownTo accounts: [String]
  ) async throws -> SignInOutcome
  /// Throws `sign_in_over`, `identity_taken` and what signing up throws, but for passwords.
  func join(_ new: NewcomerAccount, guest: String?, client: String) async throws -> Session
  /// As `endSignIn`; also `identity_taken` and `identity_not_found`.
  func endAccountSignIn(_ answer: SignInAnswer, at place: String?, account: String) async throws
    -> AccountSignInOutcome
  func waysIn(_ account: String) async throws -> WaysIn
  /// Throws `sign_in_over`, `identity_taken`, `password_wrong` and `proof_needed`.
  func connect(_ new: NewIdentity, to account: String, client: String) async throws -> ConnectedIdentity
  /// Throws `identity_not_found`, `last_way_in`, `password_wrong`, `proof_needed` and `sign_in_over`.
  func disconnect(
    _ identity: String, from account: String, _ removal: IdentityRemoval, client: String
  ) async throws
}
