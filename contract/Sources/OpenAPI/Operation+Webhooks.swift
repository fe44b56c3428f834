internal import Contract

extension Operation {
  private static let ofOne: [String] = [
    "changeWebhook", "removeWebhook", "renewWebhookSecret", "testWebhook", "getWebhookDeliveries",
    "headWebhookDeliveries",
  ]

  private static func links(at pointer: String) -> [Link] {
    ofOne.flatMap { Link.byID(at: pointer, $0) }
  }

  static let webhooks: [Operation] =
    reading(
      "webhooks", .webhooks, "webhooks", "Addresses that hear of what happens to the account.",
      WebhookList.self, access: .accounts, links: links(at: "/items/0/id"))
    + [
      Operation(
        id: "addWebhook", route: .webhooks, method: "POST", tag: "webhooks",
        summary: "Has an address hear of what happens.",
        about: """
          Messages are signed as Standard Webhooks (standardwebhooks.com) has it, and tried for 72 hours until the address \
          answers with 2xx. Only an account whose sign-in was verified may: by an e-mail address that is confirmed, a \
          provider or a passkey.
          """,
        bodies: [.json(NewWebhook.self)],
        answers: [
          .json(
            201, "It is there; nobody says its secret again.", WebhookWithSecret.self,
            links: links(at: "/webhook/id"))
        ],
        codes: [
          .webhooksOff, .webhooksTooMany, .webhookAddressRefused, .verificationNeeded, .invalidParameter,
        ],
        access: .members, limit: .caller(.accountChanges)),
      Operation(
        id: "changeWebhook", route: .webhook, method: "PATCH", tag: "webhooks",
        summary: "Changes what an address hears of, or switches it on or off.",
        about: "What waits for an address that is switched off is not sent any more.",
        bodies: [.json(WebhookChange.self)],
        answers: [.json(200, "As it is now.", Webhook.self, links: links(at: "/id"))],
        codes: [.webhookNotFound, .webhooksOff, .verificationNeeded, .invalidParameter], access: .members,
        limit: .caller(.accountChanges)),
      Operation(
        id: "removeWebhook", route: .webhook, method: "DELETE", tag: "webhooks",
        summary: "Removes an address with all that waits for it.", answers: [.empty(204, "It is gone.")],
        codes: [.webhookNotFound], access: .accounts, limit: .caller(.accountChanges)),
      Operation(
        id: "renewWebhookSecret", route: .webhookSecret, method: "POST", tag: "webhooks",
        summary: "Gives an address another secret.",
        about: "For a day messages are signed by the one before as well.",
        answers: [
          .json(
            200, "The new one; nobody says it again.", WebhookWithSecret.self,
            links: links(at: "/webhook/id"))
        ],
        codes: [.webhookNotFound], access: .members, limit: .caller(.accountChanges)),
      Operation(
        id: "testWebhook", route: .webhookTests, method: "POST", tag: "webhooks",
        summary: "Sends an address a message of type `webhook.test`, once.",
        about: "The answer comes before it is sent; what became of it is in the list of deliveries.",
        answers: [.json(202, "It is about to be sent.", WebhookDelivery.self)],
        codes: [.webhookNotFound, .webhooksOff, .verificationNeeded], access: .members,
        limit: .caller(.webhookTests)),
    ]
    + reading(
      "webhookDeliveries", .webhookDeliveries, "webhooks", "The last messages to an address, newest first.",
      WebhookDeliveries.self, codes: [.webhookNotFound], access: .accounts)
    + [
      Operation(
        id: "hearOfVideo", route: .generationWebhook, method: "POST", tag: "webhooks",
        summary: "For providers of videos: says that something became of one.",
        about: """
          By Standard Webhooks, for a provider whose settings hold a secret. What the body says is not believed: the video \
          is asked after at its provider sooner, and that is all. The same id again is the same message.
          """,
        parameters: [
          .header(
            WebhookHeader.id, .string,
            Note("The same for each try.", spelling: Spelling("!-~", 1...256)), isRequired: true),
          .header(
            WebhookHeader.timestamp, .string,
            Note("Seconds since 1970; at most 300 from now.", spelling: Spelling("!-~", 1...20)),
            isRequired: true),
          .header(
            WebhookHeader.signature, .string,
            Note("`v1,` and base64; of several, with a space between, one counts."), isRequired: true),
        ],
        bodies: Body.bytes("application/json"), answers: [.empty(204, "It was heard.")],
        codes: [
          .webhookNotFound, .webhookSignatureRefused, .bodyTooLarge, .contentTypeUnsupported,
        ], access: .unasked, limit: .address(.webhooks))
    ]
}
