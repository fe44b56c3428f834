public import Foundation

/// Somebody else by whom people can sign in here: Apple, or an issuer of OpenID Connect.
public struct SignInProvider: Codable, Sendable, Equatable {
  public var id: String
  /// As people know it: "Sign in with …".
  public var name: String
  public var kind: SignInProviderKind

  public init(id: String, name: String, kind: SignInProviderKind) {
    self.id = id
    self.name = name
    self.kind = kind
  }
}

public enum SignInProviderKind: String, Codable, Sendable, CaseIterable { case apple, oidc }

/// As many as the operator has set up; none is an answer too.
public struct SignInProviders: Codable, Sendable, Equatable {
  public var items: [SignInProvider]
  /// For which site the passkeys of devices are; nil: this server takes none.
  public var passkeySite: String?

  public init(items: [SignInProvider], passkeySite: String? = nil) {
    self.items = items
    self.passkeySite = passkeySite
  }
}

/// The body of `POST sign-ins`.
public struct NewSignIn: Codable, Sendable, Equatable {
  public var provider: String
  /// A browser keeps the flow in a cookie, an app by itself.
  public var transport: TokenTransport

  public init(provider: String, transport: TokenTransport) {
    self.provider = provider
    self.transport = transport
  }
}

/// For what somebody who is signed in goes to a provider.
public enum SignInPurpose: String, Codable, Sendable, CaseIterable {
  /// To be able to sign in by it from now on.
  case connect
  /// To show that it is still them, where others are asked for their password.
  case confirm
}

/// The body of `POST account/sign-ins`.
public struct NewAccountSignIn: Codable, Sendable, Equatable {
  public var provider: String
  public var purpose: SignInPurpose
  public var transport: TokenTransport

  public init(provider: String, purpose: SignInPurpose, transport: TokenTransport) {
    self.provider = provider
    self.purpose = purpose
    self.transport = transport
  }
}

/// Where to go, and with what to come back.
public struct SignInStart: Codable, Sendable, Equatable {
  public var authorizationUrl: String
  /// What the identity token must name, itself or its SHA-256 in hexadecimal. Nil where a cookie holds the
  /// flow.
  public var nonce: String?
  /// What belongs to the answer. Nil where a cookie holds it.
  public var flow: String?

  public init(authorizationUrl: String, nonce: String? = nil, flow: String? = nil) {
    self.authorizationUrl = authorizationUrl
    self.nonce = nonce
    self.flow = flow
  }
}

/// The body of `POST sign-ins/answer` and `POST account/sign-ins/answer`. A browser has all but the transport
/// in cookies.
public struct SignInAnswer: Codable, Sendable, Equatable {
  public var transport: TokenTransport
  public var flow: String?
  public var state: String?
  public var code: String?
  public var iss: String?
  public var idToken: String?
  /// Apple tells it to the app, and only the first time.
  public var name: String?

  public init(
    transport: TokenTransport, flow: String? = nil, state: String? = nil, code: String? = nil,
    iss: String? = nil, idToken: String? = nil, name: String? = nil
  ) {
    self.transport = transport
    self.flow = flow
    self.state = state
    self.code = code
    self.iss = iss
    self.idToken = idToken
    self.name = name
  }
}

/// One of the two.
public struct SignInOutcome: Codable, Sendable, Equatable {
  public var session: Session?
  /// Nobody here is known by this yet.
  public var newcomer: Newcomer?

  public init(session: Session? = nil, newcomer: Newcomer? = nil) {
    self.session = session
    self.newcomer = newcomer
  }
}

/// Somebody whom a provider knows, and who has no account by it.
public struct Newcomer: Codable, Sendable, Equatable {
  /// With it an account is made, or one that exists is connected. Good for half an hour, once.
  public var ticket: String
  public var provider: String
  /// Free when it was asked for.
  public var handle: String
  public var name: String?
  public var email: String?
  /// There is an account with this e-mail address, which the provider says is the person's. It is not opened
  /// by that: whoever signs in to it can connect the provider.
  public var known: Bool

  public init(ticket: String, provider: String, handle: String, name: String?, email: String?, known: Bool) {
    self.ticket = ticket
    self.provider = provider
    self.handle = handle
    self.name = name
    self.email = email
    self.known = known
  }
}

/// The body of `POST sign-ins/accounts`.
public struct NewcomerAccount: Codable, Sendable, Equatable {
  public var ticket: String
  public var handle: String
  /// Nil: the handle.
  public var name: String?
  public var email: String?
  public var transport: TokenTransport

  public init(
    ticket: String, handle: String, name: String? = nil, email: String? = nil, transport: TokenTransport
  ) {
    self.ticket = ticket
    self.handle = handle
    self.name = name
    self.email = email
    self.transport = transport
  }
}

/// What came of going to a provider while signed in.
public struct AccountSignInOutcome: Codable, Sendable, Equatable {
  /// For `POST account/identities`.
  public var ticket: String?
  /// Good for ten minutes, once, wherever a password would do.
  public var proof: String?

  public init(ticket: String? = nil, proof: String? = nil) {
    self.ticket = ticket
    self.proof = proof
  }
}

/// How the account can be got into.
public struct WaysIn: Codable, Sendable, Equatable {
  /// There is one.
  public var password: Bool
  public var items: [ConnectedIdentity]

  public init(password: Bool, items: [ConnectedIdentity]) {
    self.password = password
    self.items = items
  }
}

/// A provider that opens an account.
public struct ConnectedIdentity: Codable, Sendable, Equatable {
  public var id: String
  /// Nil: the operator has taken it away; nobody gets in by it.
  public var provider: String?
  public var name: String
  /// As the provider said it then.
  public var email: String?
  public var connectedAt: Date

  public init(id: String, provider: String?, name: String, email: String?, connectedAt: Date) {
    self.id = id
    self.provider = provider
    self.name = name
    self.email = email
    self.connectedAt = connectedAt
  }
}

/// The body of `POST account/identities`.
public struct NewIdentity: Codable, Sendable, Equatable {
  public var ticket: String
  /// Or a proof.
  public var password: String?
  public var proof: String?

  public init(ticket: String, password: String? = nil, proof: String? = nil) {
    self.ticket = ticket
    self.password = password
    self.proof = proof
  }
}

/// The body of `DELETE account/identities/{id}`.
public struct IdentityRemoval: Codable, Sendable, Equatable {
  /// Or a proof.
  public var password: String?
  public var proof: String?

  public init(password: String? = nil, proof: String? = nil) {
    self.password = password
    self.proof = proof
  }
}
