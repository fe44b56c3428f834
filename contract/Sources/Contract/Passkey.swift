public import Foundation

/// A key on somebody's device that opens their account (WebAuthn).
public struct Passkey: Codable, Sendable, Equatable {
  public var id: String
  /// What its owner calls it.
  public var name: String
  public var createdAt: Date
  /// Nil: nobody came by it yet.
  public var usedAt: Date?

  public init(id: String, name: String, createdAt: Date, usedAt: Date? = nil) {
    self.id = id
    self.name = name
    self.createdAt = createdAt
    self.usedAt = usedAt
  }
}

/// Newest first. They are bounded in number, so there are no pages.
public struct Passkeys: Codable, Sendable, Equatable {
  public var items: [Passkey]
  /// Nil: this server takes no new ones.
  public var site: String?

  public init(items: [Passkey], site: String? = nil) {
    self.items = items
    self.site = site
  }
}

/// What a device needs to make a passkey. Bytes are in base64url.
public struct PasskeySetup: Codable, Sendable, Equatable {
  /// Good once, within ten minutes.
  public var challenge: String
  /// The id of the relying party: the site's host.
  public var site: String
  /// Whose it will be: bytes that the device keeps with it.
  public var user: String
  public var handle: String
  public var name: String
  /// Those that the account has: no device makes a second one.
  public var known: [String]

  public init(
    challenge: String, site: String, user: String, handle: String, name: String, known: [String]
  ) {
    self.challenge = challenge
    self.site = site
    self.user = user
    self.handle = handle
    self.name = name
    self.known = known
  }
}

/// The body of `POST account/passkeys`: what the device answered, in base64url.
public struct NewPasskey: Codable, Sendable, Equatable {
  public var clientData: String
  public var attestation: String
  /// Nil: the device's.
  public var name: String?

  public init(clientData: String, attestation: String, name: String? = nil) {
    self.clientData = clientData
    self.attestation = attestation
    self.name = name
  }
}

/// The body of `PATCH account/passkeys/{id}`.
public struct PasskeyChange: Codable, Sendable, Equatable {
  public var name: String

  public init(name: String) { self.name = name }
}

/// What a device is asked to sign.
public struct PasskeyQuestion: Codable, Sendable, Equatable {
  /// In base64url. Good once, within ten minutes.
  public var challenge: String
  public var site: String

  public init(challenge: String, site: String) {
    self.challenge = challenge
    self.site = site
  }
}

/// The body of `POST sessions/passkeys`: what the device answered, in base64url.
public struct PasskeyAnswer: Codable, Sendable, Equatable {
  /// Of the key, as the device calls it.
  public var credential: String
  public var clientData: String
  public var authenticatorData: String
  public var signature: String
  /// Whose it is, if the device says so.
  public var user: String?
  /// Of the problem `second_step_needed`, where the first step was another.
  public var challenge: String?
  public var transport: TokenTransport

  public init(
    credential: String, clientData: String, authenticatorData: String, signature: String,
    user: String? = nil, challenge: String? = nil, transport: TokenTransport
  ) {
    self.credential = credential
    self.clientData = clientData
    self.authenticatorData = authenticatorData
    self.signature = signature
    self.user = user
    self.challenge = challenge
    self.transport = transport
  }
}
