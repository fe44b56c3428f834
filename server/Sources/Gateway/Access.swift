internal import Contract
internal import Platform

/// Who may do what, in one place: a rule for each method of each route. What is whose (a session, a draft) is for the feature
/// to say, which gets the viewer's id and nothing from the request.
enum Access: CaseIterable, Sendable {
  /// Who asks plays no part, and a token that is over does no harm.
  case unasked
  /// Everybody; who is known sees more.
  case anybody
  /// Everybody, guests too, but whose account is suspended.
  case contributors
  /// Whoever is known, a guest or an account in whatever state.
  case viewers
  /// Whoever has an account, in whatever state.
  case accounts
  /// Whoever has an account that is not suspended.
  case members

  /// Nil: an address that nobody has thought about, so nobody may use it.
  static func rule(for route: Route, _ method: String) -> Access? {
    switch (route, method) {
    case (.health, _), (.ready, _), (.media, _), (.sealedMedia, _): .unasked
    case (.clipPage, _), (.tagPage, _), (.oembed, _), (.embed, _), (.openAPI, _): .unasked
    case (.like, _), (.bookmark, _), (.shares, _), (.follow, _), (.block, _): .contributors
    // What somebody watches is no contribution.
    case (.likes, _), (.bookmarks, _), (.following, _), (.blocks, _), (.events, _): .anybody
    case (.live, _), (.messagesRead, _): .viewers
    case (.messages, "POST"): .contributors
    case (.conversations, _), (.messages, _), (.unreadMessages, _): .anybody
    // As with the upload: a guest's is that of whoever knows its id.
    case (.uploadClip, "PUT"), (.uploadClip, "DELETE"): .contributors
    case (.feed, _), (.clip, _), (.uploadClip, _), (.ownClips, _): .anybody
    case (.comments, "POST"), (.reactions, _): .contributors
    case (.comments, _): .anybody
    case (.uploads, "POST"), (.uploadCommit, _), (.captionsOfLanguage, _): .contributors
    // Its id is a secret, and what is done with it is not done in an account's name.
    case (.upload, "PATCH"), (.upload, "DELETE"): .contributors
    case (.uploads, _), (.upload, _), (.captions, _): .anybody
    case (.accounts, _), (.sessions, "POST"), (.sessionRefresh, _): .unasked
    // Signing out works whatever became of the session.
    case (.session, _): .unasked
    case (.passwordResets, _), (.passwordReset, _), (.emailConfirmation, _): .unasked
    case (.signInProviders, _), (.signIns, _), (.signInAnswers, _), (.signInAccounts, _): .unasked
    // Another site sends people there; nothing is done before the page asks for it.
    case (.signInReturn, _): .unasked
    case (.accountSignIns, _), (.accountSignInAnswers, _), (.identities, _), (.identity, _): .accounts
    case (.sessions, _), (.notices, _), (.accountDeletion, _), (.accountPassword, _): .accounts
    case (.account, "PATCH"): .members
    case (.account, _): .accounts
    default: nil
    }
  }

  /// Throws `sign_in_needed` and `account_suspended`.
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
    case .members: guard !isGuest else { throw AppError(.signInNeeded) }
    }
    guard viewer?.isSuspended != true else { throw AppError(.accountSuspended) }
  }
}
