internal import Contract
internal import Platform
internal import Synchronization

/// Which answers are events of the security log. One table, so that no route writes lines of its own.
enum SecurityEvents {
  /// Nil: none. `code`: of the error that is answered.
  static func name(_ route: Route?, _ method: String, _ code: ErrorCode?) -> String? {
    // What most requests are costs nothing, and a browser's question does nothing.
    if code == nil, method == "GET" || method == "HEAD" || method == "OPTIONS" { return nil }
    if code == .crossSiteRefused { return "cross-site-request" }
    if code?.status == 429 { return "limit" }
    switch (route, method) {
    case (.accounts, _), (.signInAccounts, _): return "sign-up"
    case (.sessions, "POST"), (.signInAnswers, _): return "sign-in"
    // Clients refresh all day; what is refused is what counts.
    case (.sessionRefresh, _): return code == nil ? nil : "refresh"
    case (.session, _), (.sessions, "DELETE"): return "sign-out"
    case (.account, "PATCH"): return "account-change"
    case (.accountDeletion, _): return "account-deletion"
    case (.accountPassword, _): return "password-change"
    case (.passwordResets, _): return "reset-request"
    case (.passwordReset, _): return "reset"
    case (.emailConfirmation, _): return "address-confirmation"
    case (.accountSignInAnswers, _): return "proof"
    case (.identities, "POST"): return "provider-connection"
    case (.identity, _): return "provider-removal"
    default: break
    }
    switch code {
    case .accessTokenInvalid, .sessionEnded: return "token"
    default: return code?.status == 403 ? "access" : nil
    }
  }
}

/// The account that a request turned out to be about.
final class ConcernedAccount: Sendable {
  private let account = Mutex<String?>(nil)

  var id: String? { account.withLock { $0 } }

  func note(_ id: String?) { if let id { account.withLock { $0 = id } } }
}
