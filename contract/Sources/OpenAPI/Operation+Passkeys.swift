internal import Contract

extension Operation {
  private static let owned: [ErrorCode] = [
    .accountNotFound, .passwordWrong, .proofNeeded, .signInOver, .codeWrong, .codeAppMissing,
  ]

  static let passkeys: [Operation] =
    [
      Operation(
        id: "askPasskey", route: .passkeyQuestions, method: "POST", tag: "accounts",
        summary: "Gives what a passkey is to sign, whoever signs in by it.",
        answers: [.json(200, "The question.", PasskeyQuestion.self)], codes: [.passkeysOff],
        access: .unasked, limit: .address(.signIns)),
      Operation(
        id: "signInByPasskey", route: .passkeySessions, method: "POST", tag: "accounts",
        summary: "Begins a session by what a passkey signed.",
        about:
          "By itself it must have looked at who holds it; with the challenge of `second_step_needed` it is the second step. "
          + "What the guest that asks did so far becomes the account's.",
        bodies: [.json(PasskeyAnswer.self)],
        answers: [.json(200, "The session.", Session.self, [cookies])],
        codes: [.passkeysOff, .passkeyRefused, .signInOver], access: .unasked, limit: .address(.signIns)),
    ]
    + reading(
      "passkeys", .passkeys, "accounts", "The passkeys of the account, newest first.", Passkeys.self,
      access: .accounts, links: Link.byID(at: "/items/0/id", "renamePasskey", "removePasskey"))
    + [
      Operation(
        id: "beginPasskey", route: .passkeySetups, method: "POST", tag: "accounts",
        summary: "Gives what a device needs to make a passkey.", bodies: [.json(OwnerProof.self)],
        answers: [.json(200, "What it needs.", PasskeySetup.self)],
        codes: owned + [.passkeysOff, .passkeysTooMany], access: .accounts,
        limit: .caller(.accountChanges)),
      Operation(
        id: "addPasskey", route: .passkeys, method: "POST", tag: "accounts",
        summary: "Adds the passkey that the device has made.", bodies: [.json(NewPasskey.self)],
        answers: [.json(201, "The passkey.", Passkey.self)],
        codes: [
          .accountNotFound, .passkeysOff, .passkeyRefused, .passkeyTaken, .passkeysTooMany, .signInOver,
          .nameInvalid,
        ], access: .accounts, limit: .caller(.accountChanges)),
      Operation(
        id: "renamePasskey", route: .passkey, method: "PATCH", tag: "accounts",
        summary: "Calls a passkey something else.", bodies: [.json(PasskeyChange.self)],
        answers: [.json(200, "The passkey.", Passkey.self)], codes: [.passkeyNotFound, .nameInvalid],
        access: .accounts, limit: .caller(.accountChanges)),
      Operation(
        id: "removePasskey", route: .passkey, method: "DELETE", tag: "accounts",
        summary: "Removes a passkey: it opens the account no more.", bodies: [.json(OwnerProof.self)],
        answers: [.empty(204, "It is removed.")], codes: owned + [.passkeyNotFound], access: .accounts,
        limit: .caller(.accountChanges)),
    ]
}
