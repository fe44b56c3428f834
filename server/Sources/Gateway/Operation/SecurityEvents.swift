internal import Contract
internal import Platform
internal import Synchronization

/// Which answers are events of the security log. One table, so that no route writes lines of its own.
enum SecurityEvents {
  /// Nil: none. `code`: of the error that is answered. `told`: what the request turned out to do, where its
  /// route does several things.
  static func name(_ route: Route?, _ method: String, _ code: ErrorCode?, event: String? = nil) -> String? {
    // What most requests are costs nothing, and a browser's question does nothing.
    if code == nil, method == "GET" || method == "HEAD" || method == "OPTIONS" { return nil }
    if code == .crossSiteRefused { return "cross-site-request" }
    if code?.status == 429 { return "limit" }
    // What a client that was away for long comes with: nobody's attack.
    if code == .sessionEnded { return "ended-session" }
    if let event { return event }
    switch (route, method) {
    case (.accounts, _), (.signInAccounts, _): return "sign-up"
    case (.sessions, "POST"), (.signInAnswers, _), (.secondStep, _), (.passkeySessions, _):
      return "sign-in"
    // Clients refresh all day; what is refused is what counts.
    case (.sessionRefresh, _): return code == nil ? nil : "refresh"
    case (.session, _): return "sign-out"
    case (.sessions, "DELETE"): return "sign-out-everywhere"
    case (.account, "PATCH"): return "account-change"
    case (.accountDeletion, _): return "account-deletion"
    case (.accountPassword, _): return "password-change"
    case (.passwordResets, _): return "reset-request"
    case (.passwordReset, _): return "reset"
    case (.emailConfirmation, _): return "address-confirmation"
    case (.accountSignInAnswers, _): return "proof"
    case (.identities, "POST"): return "provider-connection"
    case (.identity, _): return "provider-removal"
    case (.codeApp, "POST"): return "code-app-setup"
    case (.codeApp, "PUT"): return "code-app-on"
    case (.codeApp, "DELETE"): return "code-app-off"
    case (.recoveryCodes, _): return "recovery-codes"
    case (.passkeySetups, _): return "passkey-setup"
    case (.passkeys, "POST"): return "passkey-added"
    case (.passkey, "DELETE"): return "passkey-removed"
    case (.apiKeys, "POST"): return "key-made"
    case (.apiKey, _): return "key-revoked"
    case (.exports, "POST"): return "export-request"
    case (.export, _): return "export-removal"
    default: break
    }
    switch code {
    case .accessTokenInvalid: return "token"
    case .apiKeyInvalid: return "key"
    default: return code?.status == 403 ? "access" : nil
    }
  }
}

/// What a request turned out to be about: which account, and what it did where its route does several things.
final class Concerned: Sendable {
  private struct Known {
    var account: String?
    var event: String?
    var refusal: ErrorCode?
  }

  private let known = Mutex(Known())

  var account: String? { known.withLock(\.account) }
  var event: String? { known.withLock(\.event) }
  /// With what the request was refused.
  var refusal: ErrorCode? { known.withLock(\.refusal) }

  func note(_ account: String?) { if let account { known.withLock { $0.account = account } } }

  func tell(_ event: String) { known.withLock { $0.event = event } }

  func refused(_ code: ErrorCode) { known.withLock { $0.refusal = code } }
}
