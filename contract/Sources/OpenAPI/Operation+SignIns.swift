internal import Contract

extension Operation {
  private static let flowCookie = Header(
    "Set-Cookie", "With the transport `cookie`: the flow, which no script can read.")
  private static let provider: [ErrorCode] = [.providerNotFound, .providerUnreachable]
  private static let answered: [ErrorCode] =
    provider + [.signInOver, .signInDeclined, .identityRefused, .nameInvalid]
  private static let proven: [ErrorCode] = [
    .accountNotFound, .passwordWrong, .proofNeeded, .signInOver,
  ]

  static let signIns: [Operation] =
    reading(
      "signInProviders", .signInProviders, "accounts", "By whom else people can sign in here.",
      SignInProviders.self, access: .unasked)
    + [
      Operation(
        id: "beginSignIn", route: .signIns, method: "POST", tag: "accounts",
        summary: "Begins to sign in by a provider.",
        about: "The person goes to the address, and comes back with an answer.",
        bodies: [.json(NewSignIn.self)],
        answers: [.json(200, "Where to go.", SignInStart.self, [flowCookie])], codes: provider,
        access: .unasked, limit: .address(.signIns)),
      Operation(
        id: "endSignIn", route: .signInAnswers, method: "POST", tag: "accounts",
        summary: "Signs in by what a provider answered, or says whom it is about.",
        bodies: [.json(SignInAnswer.self)],
        answers: [.json(200, "A session, or a newcomer.", SignInOutcome.self, [cookies])],
        codes: answered + [.secondStepNeeded],
        access: .unasked, limit: .address(.signInAnswers)),
      Operation(
        id: "joinBySignIn", route: .signInAccounts, method: "POST", tag: "accounts",
        summary: "Makes an account for a newcomer.",
        about: "What the guest that asks did so far becomes the account's.",
        bodies: [.json(NewcomerAccount.self)],
        answers: [.json(201, "A session of the new account.", Session.self, [cookies])],
        codes: [
          .signInOver, .identityTaken, .handleInvalid, .handleTaken, .nameInvalid, .textRefused,
          .emailInvalid,
        ], access: .unasked, limit: .address(.signUps)),
      Operation(
        id: "beginAccountSignIn", route: .accountSignIns, method: "POST", tag: "accounts",
        summary: "Begins to connect a provider, or to show by one that it is still the same person.",
        bodies: [.json(NewAccountSignIn.self)],
        answers: [.json(200, "Where to go.", SignInStart.self, [flowCookie])], codes: provider,
        access: .accounts, limit: .address(.signIns)),
      Operation(
        id: "endAccountSignIn", route: .accountSignInAnswers, method: "POST", tag: "accounts",
        summary: "Gives a ticket or a proof for what a provider answered.",
        bodies: [.json(SignInAnswer.self)],
        answers: [.json(200, "What the purpose asks for.", AccountSignInOutcome.self, [flowCookie])],
        codes: answered + [.identityTaken, .identityNotFound], access: .accounts,
        limit: .address(.signInAnswers)),
    ]
    + reading(
      "identities", .identities, "accounts", "How the account can be got into.", WaysIn.self,
      codes: [.accountNotFound], access: .accounts, links: Link.byID(at: "/items/0/id", "disconnectIdentity"))
    + [
      Operation(
        id: "connectIdentity", route: .identities, method: "POST", tag: "accounts",
        summary: "Connects a provider, by which one signs in from now on.", bodies: [.json(NewIdentity.self)],
        answers: [.json(201, "It is connected.", ConnectedIdentity.self)], codes: proven + [.identityTaken],
        access: .accounts, limit: .caller(.accountChanges)),
      Operation(
        id: "disconnectIdentity", route: .identity, method: "DELETE", tag: "accounts",
        summary: "Disconnects a provider; never the last way in.", bodies: [.json(IdentityRemoval.self)],
        answers: [.empty(204, "It is disconnected.")],
        codes: proven + [.identityNotFound, .lastWayIn], access: .accounts, limit: .caller(.accountChanges)),
    ]
}
