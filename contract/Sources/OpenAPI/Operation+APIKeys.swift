internal import Contract

extension Operation {
  static let apiKeys: [Operation] =
    reading(
      "apiKeys", .apiKeys, "accounts", "The keys that programs have of the account, newest first.",
      APIKeys.self, access: .accounts, links: Link.byID(at: "/items/0/id", "revokeAPIKey"))
    + [
      Operation(
        id: "makeAPIKey", route: .apiKeys, method: "POST", tag: "accounts",
        summary: "Makes a key by which a program acts for the account.",
        about: """
          It opens `/v1/videos` (the dialect of OpenAI's videos) and nothing else, for what its scopes name. The answer is the \
          only one that has its secret.
          """,
        bodies: [.json(NewAPIKey.self)],
        answers: [
          .json(201, "The key.", MadeAPIKey.self, links: Link.byID(at: "/key/id", "revokeAPIKey"))
        ],
        codes: [
          .accountNotFound, .passwordWrong, .proofNeeded, .signInOver, .codeWrong, .codeAppMissing,
          .nameInvalid, .apiKeysTooMany, .invalidParameter,
        ], access: .members, limit: .caller(.accountChanges)),
      Operation(
        id: "revokeAPIKey", route: .apiKey, method: "DELETE", tag: "accounts",
        summary: "Revokes a key: it opens nothing any more.",
        answers: [.empty(204, "It is revoked.")], codes: [.accountNotFound, .apiKeyNotFound],
        access: .accounts, limit: .caller(.accountChanges)),
    ]
}
