internal import Contract

extension Operation {
  private static let newPasswords: [ErrorCode] = [.passwordTooShort, .passwordTooLong, .passwordTooCommon]

  static let cookies = Header(
    "Set-Cookie", "With the transport `cookie`: both tokens, which no script can read.")

  static let accounts: [Operation] =
    [
      Operation(
        id: "signUp", route: .accounts, method: "POST", tag: "accounts", summary: "Makes an account.",
        about: "What the guest that asks did so far becomes the account's.",
        parameters: [
          .idempotencyKey(
            "Chosen anew for each account; for a day the same again begins another session of the account that was made.",
            isRequired: false)
        ], bodies: [.json(NewAccount.self)],
        answers: [.json(201, "A session of the new account.", Session.self, [cookies])],
        codes: newPasswords + [
          .handleInvalid, .handleTaken, .nameInvalid, .textRefused, .emailInvalid, .idempotencyKeyReused,
        ], access: .unasked, limit: .address(.signUps)),
      Operation(
        id: "signIn", route: .sessions, method: "POST", tag: "accounts", summary: "Begins a session.",
        about: "What the guest that asks did so far becomes the account's.", bodies: [.json(NewSession.self)],
        answers: [.json(200, "The session.", Session.self, [cookies])],
        codes: [.credentialsWrong, .secondStepNeeded], access: .unasked, limit: .address(.signIns)),
    ]
    + reading(
      "sessions", .sessions, "accounts", "The sessions of the account, most recently used first.",
      OpenSessions.self, codes: [], access: .accounts, links: Link.byID(at: "/items/0/id", "endSession"))
    + [
      Operation(
        id: "refreshSession", route: .sessionRefresh, method: "POST", tag: "accounts",
        summary: "Gives new tokens for a refresh token, which is good once.",
        about: "The token comes in the body, or in the cookie; then the new ones go into cookies again.",
        bodies: [.json(SessionRefresh.self)], needsBody: false,
        answers: [.json(200, "The session.", Session.self, [cookies])],
        codes: [.refreshTokenInvalid, .refreshTokenReused], access: .unasked, limit: .address(.refreshes)),
      Operation(
        id: "endSession", route: .session, method: "DELETE", tag: "accounts",
        summary: "Ends a session; `current` signs out.",
        answers: [.empty(204, "It is over.", [cookies])],
        codes: [.sessionNotFound, .signInNeeded], access: .unasked, limit: .caller(.accountChanges)),
      Operation(
        id: "endSessions", route: .sessions, method: "DELETE", tag: "accounts",
        summary: "Signs the account out everywhere: ends all of its sessions, the one that asks too.",
        answers: [.empty(204, "They are over.", [cookies])], access: .accounts,
        limit: .caller(.accountChanges)),
    ]
    + reading(
      "notices", .notices, "accounts",
      "What happened that matters to the safety of the account, newest first: 90 days of it, 100 at most.",
      NoticePage.self, parameters: Parameter.page, access: .accounts, links: Parameter.next(of: "getNotices"))
    + reading(
      "account", .account, "accounts", "The account that asks.", Account.self,
      codes: [.accountNotFound], access: .accounts)
    + [
      Operation(
        id: "changeAccount", route: .account, method: "PATCH", tag: "accounts",
        summary: "Changes the account.",
        about: "What is null stays as it is.", bodies: [.json(AccountChange.self)],
        answers: [.json(200, "The account.", Account.self)],
        codes: [
          .accountNotFound, .nameInvalid, .textRefused, .emailInvalid, .passwordWrong, .proofNeeded,
          .signInOver,
        ],
        access: .members, limit: .caller(.accountChanges)),
      Operation(
        id: "deleteAccount", route: .accountDeletion, method: "POST", tag: "accounts",
        summary: "Deletes the account and everything in it.", bodies: [.json(AccountDeletion.self)],
        answers: [.empty(204, "It is gone.", [cookies])],
        codes: [.accountNotFound, .passwordWrong, .proofNeeded, .signInOver],
        access: .accounts, limit: .caller(.accountChanges)),
      Operation(
        id: "changePassword", route: .accountPassword, method: "PUT", tag: "accounts",
        summary: "Changes the password, and ends every other session.", bodies: [.json(PasswordChange.self)],
        answers: [.empty(204, "It is changed.")],
        codes: newPasswords + [
          .accountNotFound, .passwordWrong, .proofNeeded, .signInOver,
        ],
        access: .accounts, limit: .caller(.accountChanges)),
      Operation(
        id: "requestPasswordReset", route: .passwordResets, method: "POST", tag: "accounts",
        summary: "Has a link to set a new password sent to the account's e-mail address.",
        bodies: [.json(PasswordResetRequest.self)],
        answers: [.empty(202, "The same whether there is such an account or not.")], access: .unasked,
        limit: .address(.resets)),
      Operation(
        id: "resetPassword", route: .passwordReset, method: "PUT", tag: "accounts",
        summary: "Sets the password by such a link, and ends every session.",
        bodies: [.json(NewPassword.self)],
        answers: [.empty(204, "It is set.")], codes: newPasswords + [.linkOver], access: .unasked,
        limit: .address(.links)),
      Operation(
        id: "confirmEmail", route: .emailConfirmation, method: "PUT", tag: "accounts",
        summary: "Confirms an e-mail address by the link that was sent there.",
        answers: [.empty(204, "It is confirmed.")], codes: [.linkOver, .emailTaken], access: .unasked,
        limit: .address(.links)),
    ]
}
