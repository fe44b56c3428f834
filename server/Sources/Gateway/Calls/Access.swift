internal import Contract
internal import OpenAPI
internal import Platform

/// Who may do what stands in the operation. What is neither of our API nor of the dialect is nobody's
/// business to ask.
extension Operation.Access {
  /// Nil: an address that nobody has thought about, so nobody may use it.
  static func rule(for route: Route, _ operation: Operation?) -> Operation.Access? {
    route.isOfAPI || route.isOfDialect ? operation?.access : .unasked
  }

  /// Throws `sign_in_needed`, `account_suspended`, `not_allowed`, `api_key_invalid` and
  /// `api_key_not_allowed`.
  func admit(_ viewer: Viewer?) throws {
    let isGuest = viewer?.isGuest ?? true
    if case .key(let scope) = self {
      guard let scopes = viewer?.scopes else { throw AppError(.apiKeyInvalid) }
      guard viewer?.isSuspended != true else { throw AppError(.accountSuspended) }
      guard scopes.contains(scope) else {
        throw AppError(.apiKeyNotAllowed, "This key lacks the scope \(scope.rawValue).")
      }
      return
    }
    // Whatever led here: a key opens nothing else.
    guard viewer?.scopes == nil else { throw AppError(.apiKeyInvalid) }
    switch self {
    case .unasked, .anybody: return
    case .viewers:
      guard viewer != nil else { throw AppError(.signInNeeded) }
      return
    case .contributors: break
    case .accounts:
      guard !isGuest else { throw AppError(.signInNeeded) }
      return
    // Keys are looked at above.
    case .key: return
    case .members, .moderators: guard !isGuest else { throw AppError(.signInNeeded) }
    }
    guard viewer?.isSuspended != true else { throw AppError(.accountSuspended) }
    guard self != .moderators || viewer?.role != .member else { throw AppError(.notAllowed) }
  }
}
