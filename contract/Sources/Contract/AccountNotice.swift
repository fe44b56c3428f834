public import Foundation

/// Something that matters to the safety of an account, as its owner is told of it.
public struct AccountNotice: Codable, Sendable, Equatable {
  /// What happened. There will be more; a client that does not know one shows that something happened, and
  /// when.
  public enum Kind: String, Sendable, CaseIterable {
    /// Somebody signed in on a device that the account had not had.
    case newDevice = "new_device"
    /// In a session: also the first one of an account that had none.
    case passwordChanged = "password_changed"
    /// By a link that was sent to the address, or that the operator made.
    case passwordReset = "password_reset"
    /// Another address is confirmed.
    case emailChanged = "email_changed"
    case emailRemoved = "email_removed"
    case providerConnected = "provider_connected"
    case providerDisconnected = "provider_disconnected"
    /// A wrong password was given several times: to sign in, or in a session before something that asks for
    /// it.
    case wrongPasswords = "wrong_passwords"
    case signedOutEverywhere = "signed_out_everywhere"
    /// An app makes codes that signing in asks for, from now on, or not any more.
    case codeAppOn = "code_app_on"
    case codeAppOff = "code_app_off"
    /// Somebody got in by a recovery code.
    case recoveryCodeUsed = "recovery_code_used"
    /// Those before do not count any more.
    case recoveryCodesMade = "recovery_codes_made"
    /// A key of a device opens the account from now on, or not any more.
    case passkeyAdded = "passkey_added"
    case passkeyRemoved = "passkey_removed"
    /// A program may act for the account by a key from now on, or not any more.
    case apiKeyMade = "api_key_made"
    case apiKeyRevoked = "api_key_revoked"
    /// The password was right, or a provider vouched, and the code was wrong several times.
    case wrongCodes = "wrong_codes"
    /// A moderator decided something against the owner, or answered an appeal; see `account/decisions`.
    case decided
    case decisionReviewed = "decision_reviewed"
    /// All that is kept of the account was put together on request, and can be downloaded for a week.
    case exportReady = "export_ready"
  }

  public var id: String
  public var kind: String
  public var createdAt: Date
  /// By what, coarsely ("Firefox on Android"); nil for a client that is none of those that are known.
  public var device: String?
  /// Of a provider, as people know it.
  public var provider: String?
  /// How often it happened, where so much of it happened in a day that it is told as one.
  public var times: Int

  public init(
    id: String, kind: String, createdAt: Date, device: String? = nil, provider: String? = nil, times: Int = 1
  ) {
    self.id = id
    self.kind = kind
    self.createdAt = createdAt
    self.device = device
    self.provider = provider
    self.times = times
  }
}
