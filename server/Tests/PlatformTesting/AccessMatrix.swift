import Platform

/// Who may. A route or a method that is not in it fails a test, as does one that is there no more.
enum AccessMatrix {
  enum Asker: String, CaseIterable {
    case nobody, guest, member, suspended, moderator, admin

    var viewer: Viewer? {
      switch self {
      case .nobody: nil
      case .guest: Viewer(id: "g", standing: .guest)
      case .member: Viewer(id: "a", standing: .account(session: "s", role: .member))
      case .suspended: Viewer(id: "a", standing: .account(session: "s", role: .member), isSuspended: true)
      case .moderator: Viewer(id: "a", standing: .account(session: "s", role: .moderator))
      case .admin: Viewer(id: "a", standing: .account(session: "s", role: .admin))
      }
    }
  }

  static let everybody = Set(Asker.allCases)
  static let unlessSuspended = everybody.subtracting([.suspended])
  static let accounts = everybody.subtracting([.nobody, .guest])
  static let moderators: Set<Asker> = [.moderator, .admin]
  /// Nobody who is known by anything else, whoever it is.
  static let keysAlone: Set<Asker> = []

  static let rows: [String: Set<Asker>] = [
    "GET /api/v1/profiles/{handle}": everybody, "GET /api/v1/profiles/{handle}/clips": everybody,
    "GET /api/v1/profiles/{handle}/likes": everybody, "GET /api/v1/profiles/{handle}/followers": everybody,
    "GET /api/v1/profiles/{handle}/following": everybody,
    "PATCH /api/v1/account/profile": accounts.subtracting([.suspended]),
    "PUT /api/v1/account/picture": accounts.subtracting([.suspended]),
    "DELETE /api/v1/account/picture": accounts.subtracting([.suspended]),
    "GET /api/v1/trending": everybody, "GET /api/v1/clips/{id}/similar": everybody,
    "GET /api/v1/clips/{id}/insights": everybody,
    "GET /api/v1/taste": everybody, "PUT /api/v1/taste": unlessSuspended,
    "DELETE /api/v1/taste": unlessSuspended, "POST /api/v1/taste/dismissals": unlessSuspended,
    "DELETE /api/v1/taste/dismissals": unlessSuspended,
    "GET /api/v1/feed": everybody, "GET /api/v1/clips/{id}": everybody,
    "GET /api/v1/clips/{id}/comments": everybody, "POST /api/v1/clips/{id}/comments": unlessSuspended,
    "GET /api/v1/comments/{id}": everybody, "GET /api/v1/comments/{id}/replies": everybody,
    "DELETE /api/v1/comments/{id}": unlessSuspended,
    "PUT /api/v1/comments/{id}/like": unlessSuspended, "DELETE /api/v1/comments/{id}/like": unlessSuspended,
    "PUT /api/v1/comments/{id}/pin": unlessSuspended, "DELETE /api/v1/comments/{id}/pin": unlessSuspended,
    "PUT /api/v1/comments/{id}/approval": accounts.subtracting([.suspended]),
    "GET /api/v1/account/comment-filters": accounts,
    "PUT /api/v1/account/comment-filters": accounts.subtracting([.suspended]),
    "GET /api/v1/account/held-comments": accounts,
    "POST /api/v1/clips/{id}/reactions": unlessSuspended,
    "POST /api/v1/uploads": unlessSuspended, "GET /api/v1/uploads/{id}": everybody,
    "PATCH /api/v1/uploads/{id}": unlessSuspended, "DELETE /api/v1/uploads/{id}": unlessSuspended,
    "POST /api/v1/uploads/{id}/commit": unlessSuspended, "GET /api/v1/uploads/{id}/clip": everybody,
    "PUT /api/v1/uploads/{id}/clip": unlessSuspended, "DELETE /api/v1/uploads/{id}/clip": unlessSuspended,
    "GET /api/v1/uploads/{id}/captions": everybody,
    "PUT /api/v1/uploads/{id}/captions/{language}": unlessSuspended,
    "DELETE /api/v1/uploads/{id}/captions/{language}": unlessSuspended,
    "POST /api/v1/accounts": everybody, "GET /api/v1/sessions": accounts, "POST /api/v1/sessions": everybody,
    "POST /api/v1/sessions/refresh": everybody, "DELETE /api/v1/sessions/{id}": everybody,
    "DELETE /api/v1/sessions": accounts,
    "GET /api/v1/account/notices": accounts, "GET /api/v1/account": accounts,
    "PATCH /api/v1/account": accounts.subtracting([.suspended]),
    "POST /api/v1/account/deletion": accounts, "PUT /api/v1/account/password": accounts,
    "POST /api/v1/password-resets": everybody, "PUT /api/v1/password-resets/{token}": everybody,
    "PUT /api/v1/email-confirmations/{token}": everybody,
    "PUT /api/v1/clips/{id}/like": unlessSuspended, "DELETE /api/v1/clips/{id}/like": unlessSuspended,
    "PUT /api/v1/clips/{id}/bookmark": unlessSuspended, "DELETE /api/v1/clips/{id}/bookmark": unlessSuspended,
    "PUT /api/v1/authors/{id}/follow": unlessSuspended, "DELETE /api/v1/authors/{id}/follow": unlessSuspended,
    "PUT /api/v1/authors/{id}/block": unlessSuspended, "DELETE /api/v1/authors/{id}/block": unlessSuspended,
    "GET /api/v1/account/blocks": everybody,
    "GET /api/v1/conversations": everybody, "GET /api/v1/conversations/{id}/messages": everybody,
    "POST /api/v1/conversations/{id}/messages": unlessSuspended,
    "PUT /api/v1/conversations/{id}/read": everybody.subtracting([.nobody]),
    "GET /api/v1/unread-messages": everybody,
    "GET /api/v1/search/clips": everybody, "GET /api/v1/search/people": everybody,
    "GET /api/v1/search/tags": everybody, "GET /api/v1/search/sounds": everybody,
    "GET /api/v1/search/suggestions": everybody,
    "POST /api/v1/clips/{id}/shares": unlessSuspended, "POST /api/v1/events": everybody,
    "GET /api/v1/account/likes": everybody, "GET /api/v1/account/bookmarks": everybody,
    "GET /api/v1/account/clips": everybody,
    "GET /api/v1/account/following": everybody, "GET /openapi.json": everybody,
    "GET /api/v1/live": everybody.subtracting([.nobody]),
    "GET /media/{name}": everybody, "GET /sealed/{id}/{seal}/{name}": everybody, "GET /c/{id}": everybody,
    "GET /oembed": everybody, "GET /e/{id}": everybody, "GET /t/{tag}": everybody,
    "GET /s/{id}": everybody,
    "GET /api/v1/sign-in-providers": everybody, "POST /api/v1/sign-ins": everybody,
    "POST /api/v1/sign-ins/answer": everybody, "POST /api/v1/sign-ins/accounts": everybody,
    "POST /api/v1/account/sign-ins": accounts, "POST /api/v1/account/sign-ins/answer": accounts,
    "GET /api/v1/account/identities": accounts, "POST /api/v1/account/identities": accounts,
    "POST /api/v1/sessions/second-step": everybody, "GET /api/v1/account/second-factors": accounts,
    "POST /api/v1/account/second-factors/code-app": accounts,
    "PUT /api/v1/account/second-factors/code-app": accounts,
    "DELETE /api/v1/account/second-factors/code-app": accounts,
    "POST /api/v1/account/recovery-codes": accounts,
    "POST /api/v1/sessions/passkey-questions": everybody, "POST /api/v1/sessions/passkeys": everybody,
    "GET /api/v1/account/passkeys": accounts, "POST /api/v1/account/passkeys": accounts,
    "POST /api/v1/account/passkey-setups": accounts, "PATCH /api/v1/account/passkeys/{id}": accounts,
    "DELETE /api/v1/account/passkeys/{id}": accounts,
    "DELETE /api/v1/account/identities/{id}": accounts, "GET /sign-in/{provider}": everybody,
    "POST /sign-in/{provider}": everybody,
    "GET /api/v1/account/devices": everybody, "POST /api/v1/account/devices": unlessSuspended,
    "DELETE /api/v1/account/devices/{id}": everybody.subtracting([.nobody]),
    "POST /api/v1/reports": unlessSuspended, "GET /api/v1/account/reports": everybody,
    "GET /api/v1/account/decisions": accounts, "PUT /api/v1/account/decisions/{id}/appeal": accounts,
    "GET /api/v1/moderation/cases": moderators, "GET /api/v1/moderation/cases/{id}": moderators,
    "POST /api/v1/moderation/cases/{id}/decisions": moderators,
    "PUT /api/v1/moderation/decisions/{id}/review": moderators,
    "POST /api/v1/account/web-devices": unlessSuspended,
    "GET /api/v1/notifications": everybody,
    "PUT /api/v1/notifications/seen": everybody.subtracting([.nobody]),
    "GET /api/v1/unseen-notifications": everybody,
    "GET /api/v1/account/notification-settings": everybody,
    "PUT /api/v1/account/notification-settings": everybody.subtracting([.nobody]),
    "GET /api/v1/account/restricted-mode": everybody,
    "PUT /api/v1/account/restricted-mode": unlessSuspended,
    "GET /api/v1/generation-offer": accounts, "GET /api/v1/generations": accounts,
    "POST /api/v1/generations": accounts.subtracting([.suspended]),
    "GET /api/v1/generations/{id}": accounts,
    "DELETE /api/v1/generations/{id}": accounts.subtracting([.suspended]),
    "POST /api/v1/generations/{id}/refinements": accounts.subtracting([.suspended]),
    "PUT /api/v1/generations/{id}/publication": accounts.subtracting([.suspended]),
    "POST /api/v1/generation-pictures": accounts.subtracting([.suspended]),
    "GET /api/v1/generation-pictures/{id}": accounts,
    "DELETE /api/v1/generation-pictures/{id}": accounts.subtracting([.suspended]),
    "POST /api/v1/generation-webhooks/{provider}": everybody,
    "GET /api/v1/account/webhooks": accounts,
    "POST /api/v1/account/webhooks": accounts.subtracting([.suspended]),
    "PATCH /api/v1/account/webhooks/{id}": accounts.subtracting([.suspended]),
    "DELETE /api/v1/account/webhooks/{id}": accounts,
    "POST /api/v1/account/webhooks/{id}/secret": accounts.subtracting([.suspended]),
    "POST /api/v1/account/webhooks/{id}/tests": accounts.subtracting([.suspended]),
    "GET /api/v1/account/webhooks/{id}/deliveries": accounts,
    "GET /api/v1/account/keys": accounts, "POST /api/v1/account/keys": accounts.subtracting([.suspended]),
    "DELETE /api/v1/account/keys/{id}": accounts,
    "GET /v1/videos": keysAlone, "POST /v1/videos": keysAlone, "GET /v1/videos/{id}": keysAlone,
    "DELETE /v1/videos/{id}": keysAlone, "GET /v1/videos/{id}/content": keysAlone,
    "POST /v1/videos/{id}/remix": keysAlone,
    "GET /api/v1/account/exports": accounts, "POST /api/v1/account/exports": accounts,
    "DELETE /api/v1/account/exports/{id}": accounts, "GET /exports/{id}/{seal}": everybody,
    "GET /.well-known/apple-app-site-association": everybody,
    "GET /healthz": everybody, "GET /readyz": everybody,
  ]
}
