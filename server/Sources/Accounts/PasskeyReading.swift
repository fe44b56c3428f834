/// What a device says of a key that it has made.
public struct PasskeyRegistration: Sendable, Equatable {
  /// What was asked.
  public var challenge: [UInt8]
  public var credential: [UInt8]
  public var key: [UInt8]
  public var signCount: UInt32
  /// The device knows who holds it.
  public var isVerified: Bool

  public init(
    challenge: [UInt8], credential: [UInt8], key: [UInt8], signCount: UInt32, isVerified: Bool
  ) {
    self.challenge = challenge
    self.credential = credential
    self.key = key
    self.signCount = signCount
    self.isVerified = isVerified
  }
}

/// What a device has signed.
public struct PasskeyAssertion: Sendable, Equatable {
  public var challenge: [UInt8]
  public var signCount: UInt32
  public var isVerified: Bool

  public init(challenge: [UInt8], signCount: UInt32, isVerified: Bool) {
    self.challenge = challenge
    self.signCount = signCount
    self.isVerified = isVerified
  }
}

/// Reads what devices answer for this site. Each throws `passkey_refused` for what is for another one, what
/// nobody touched, what is malformed, and what the key did not sign. Whether the question was ours, and is
/// still open, is for the caller to say.
public protocol PasskeyReading: Sendable {
  /// For which passkeys are made: the site's host.
  var site: String { get }
  func registration(_ clientData: [UInt8], _ attestation: [UInt8]) throws -> PasskeyRegistration
  func assertion(
    _ clientData: [UInt8], _ authenticatorData: [UInt8], signature: [UInt8], by key: [UInt8]
  ) throws -> PasskeyAssertion
}
