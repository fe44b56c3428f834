internal import Contract

extension Operation {
  private static let owned: [ErrorCode] = [
    .accountNotFound, .passwordWrong, .proofNeeded, .signInOver, .codeWrong, .codeAppMissing,
  ]

  static let secondFactor: [Operation] =
    [
      Operation(
        id: "takeSecondStep", route: .secondStep, method: "POST", tag: "accounts",
        summary: "Begins a session by a code, where the account asks for one as well.",
        about:
          "`POST sessions` and `POST sign-ins/answer` answer `second_step_needed` with a challenge, which is good once. "
          + "What the guest that asks did so far becomes the account's.",
        bodies: [.json(SecondStep.self)], answers: [.json(200, "The session.", Session.self, [cookies])],
        codes: [.codeWrong, .signInOver], access: .unasked, limit: .address(.signIns))
    ]
    + reading(
      "secondFactors", .secondFactors, "accounts",
      "What the account asks for beside its password or its provider.", SecondFactors.self,
      codes: [.accountNotFound], access: .accounts)
    + [
      Operation(
        id: "beginCodeApp", route: .codeApp, method: "POST", tag: "accounts",
        summary: "Makes a secret for an app that makes codes.",
        about:
          "Nothing changes before a code of it has come. Asked again, the secret before is none any more.",
        bodies: [.json(OwnerProof.self)],
        answers: [.json(200, "The secret.", CodeAppSetup.self)], codes: owned + [.codeAppSetUp],
        access: .accounts, limit: .caller(.accountChanges)),
      Operation(
        id: "confirmCodeApp", route: .codeApp, method: "PUT", tag: "accounts",
        summary: "Has signing in ask for codes of the app from now on.",
        about: "Its answer is the only one that has the recovery codes.",
        bodies: [.json(CodeAppConfirmation.self)],
        answers: [.json(200, "The recovery codes.", RecoveryCodes.self)],
        codes: [.codeWrong, .codeAppSetUp, .codeAppMissing], access: .accounts,
        limit: .caller(.accountChanges)),
      Operation(
        id: "removeCodeApp", route: .codeApp, method: "DELETE", tag: "accounts",
        summary: "Has signing in ask for no codes any more; the recovery codes go with it.",
        bodies: [.json(OwnerProof.self)], answers: [.empty(204, "It is off.")], codes: owned,
        access: .accounts, limit: .caller(.accountChanges)),
      Operation(
        id: "makeRecoveryCodes", route: .recoveryCodes, method: "POST", tag: "accounts",
        summary: "Gives new recovery codes; those before do not count any more.",
        bodies: [.json(OwnerProof.self)],
        answers: [.json(200, "The recovery codes.", RecoveryCodes.self)], codes: owned, access: .accounts,
        limit: .caller(.accountChanges)),
    ]
}
