public import Contract

/// Whom a provider vouches for.
public struct ProvenIdentity: Sendable, Equatable {
  /// Together with `subject`: who it is, for ever. Everything else may change.
  public var issuer: String
  public var subject: String
  public var name: String?
  /// What the person likes to be called in one word.
  public var nickname: String?
  public var email: String?
  /// The provider says that messages to it reach the person.
  public var isEmailVerified: Bool
  /// When the person signed in there, if that was said.
  public var signedInMs: Int64?
  /// By which the person's consent can be given back, of the client that it was given to.
  public var grant: Grant?
  /// Opens what the provider tells beside this, for some minutes. NB: kept nowhere.
  public var access: String?

  public struct Grant: Sendable, Equatable {
    public var client: String
    public var token: String

    public init(client: String, token: String) {
      self.client = client
      self.token = token
    }
  }

  public init(
    issuer: String, subject: String, name: String? = nil, nickname: String? = nil, email: String? = nil,
    isEmailVerified: Bool = false, signedInMs: Int64? = nil, grant: Grant? = nil, access: String? = nil
  ) {
    self.issuer = issuer
    self.subject = subject
    self.name = name
    self.nickname = nickname
    self.email = email
    self.isEmailVerified = isEmailVerified
    self.signedInMs = signedInMs
    self.grant = grant
    self.access = access
  }
}

/// What is asked of a provider; the answer has to be to just this.
public struct SignInQuestion: Sendable, Equatable {
  public var state: String
  public var nonce: String
  /// Of PKCE (RFC 7636): only who asked can use the code.
  public var verifier: String
  public var redirect: String
  /// The person has to show that it is still them, even where the provider knows them.
  public var isConfirming: Bool

  public init(state: String, nonce: String, verifier: String, redirect: String, isConfirming: Bool) {
    self.state = state
    self.nonce = nonce
    self.verifier = verifier
    self.redirect = redirect
    self.isConfirming = isConfirming
  }
}

/// Somebody by whom people can sign in: an issuer of OpenID Connect, or Apple.
///
/// Obligations: nothing is answered that was not checked (signature, issuer, audience, times, nonce); what
/// cannot be trusted is `identity_refused`, and the reason goes to the log and to nobody else; who does not
/// answer in time is `provider_unreachable`.
public protocol IdentityProvider: Sendable {
  /// As the operator calls it, in addresses.
  var id: String { get }
  var name: String { get }
  var kind: SignInProviderKind { get }
  var issuer: String { get }
  /// Where the person is sent.
  func address(for question: SignInQuestion) async throws -> String
  /// `issuer`: who says to have answered (RFC 9207), if anybody said so.
  func identity(ofCode code: String, issuer: String?, for question: SignInQuestion) async throws
    -> ProvenIdentity
  /// Of an app that the system signed in. `code` came beside the token, if any.
  func identity(ofToken token: String, code: String?, nonce: String) async throws -> ProvenIdentity
  /// The same with the name and the address that the provider tells elsewhere. Nothing hangs on them: where
  /// it does not answer, or with what is of another, they stay left out.
  func introduced(_ identity: ProvenIdentity) async -> ProvenIdentity
  func giveBack(_ grant: ProvenIdentity.Grant) async throws
}
