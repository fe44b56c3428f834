internal import Contract
internal import OpenAPI
internal import Platform

/// Who may do what stands in the operation. What is not under `/api` is nobody's business to ask.
extension Operation.Access {
  /// Nil: an address that nobody has thought about, so nobody may use it.
  static func rule(for route: Route, _ operation: Operation?) -> Operation.Access? {
    route.isOfAPI ? operation?.access : .unasked
  }

  /// Throws `sign_in_needed`, `account_suspended` and `not_allowed`.
  func admit(_ viewer: Viewer?) throws {
    let isGuest = viewer?.isGuest ?? true
    switch self {
    case .unasked, .anybody: return
    case .viewers:
      guard viewer != nil else { throw AppError(.signInNeeded) }
      return
    case .contributors: break
    case .accounts:
      guard !isGuest else { throw AppError(.signInNeeded) }
      return
    case .members, .moderators: guard !isGuest else { throw AppError(.signInNeeded) }
    }
    guard viewer?.isSuspended != true else { throw AppError(.accountSuspended) }
    guard self != .moderators || viewer?.role != .member else { throw AppError(.notAllowed) }
  }
}
