public import Foundation

/// What an account asks for beside its password or its provider.
public struct SecondFactors: Codable, Sendable, Equatable {
  /// Since when an app makes codes; nil: signing in asks for none.
  public var codeAppSince: Date?
  /// Recovery codes that were not used yet.
  public var recoveryCodes: Int

  public init(codeAppSince: Date? = nil, recoveryCodes: Int = 0) {
    self.codeAppSince = codeAppSince
    self.recoveryCodes = recoveryCodes
  }
}

/// The body of `POST account/second-factors/code-app`, and of `POST account/recovery-codes`: by
/// what somebody shows to be the owner.
public struct OwnerProof: Codable, Sendable, Equatable {
  public var password: String?
  /// Instead of the password.
  public var proof: String?
  /// Instead of both, where an app makes codes.
  public var code: String?

  public init(password: String? = nil, proof: String? = nil, code: String? = nil) {
    self.password = password
    self.proof = proof
    self.code = code
  }
}

/// What an app needs to make codes (RFC 6238: SHA-1, six digits, 30 seconds). It counts once a code of it has
/// come.
public struct CodeAppSetup: Codable, Sendable, Equatable {
  /// In base32, to be typed.
  public var secret: String
  /// The same as an address (`otpauth://totp/…`), to be opened or shown as a picture.
  public var uri: String

  public init(secret: String, uri: String) {
    self.secret = secret
    self.uri = uri
  }
}

/// The body of `PUT account/second-factors/code-app`.
public struct CodeAppConfirmation: Codable, Sendable, Equatable {
  public var code: String

  public init(code: String) { self.code = code }
}

/// Each opens the account once in place of the app's code. They are told this once.
public struct RecoveryCodes: Codable, Sendable, Equatable {
  public var items: [String]

  public init(items: [String]) { self.items = items }
}

/// The body of `POST sessions/second-step`.
public struct SecondStep: Codable, Sendable, Equatable {
  /// Of the problem `second_step_needed`.
  public var challenge: String
  /// Of the app, or a recovery code.
  public var code: String
  public var transport: TokenTransport

  public init(challenge: String, code: String, transport: TokenTransport) {
    self.challenge = challenge
    self.code = code
    self.transport = transport
  }
}
