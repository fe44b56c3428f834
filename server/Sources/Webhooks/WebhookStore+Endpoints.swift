internal import Contract
internal import Features
internal import Platform

extension WebhookStore {
  var endpoints: [Endpoint] {
    [
      Endpoint(reading: "webhooks") { try await list(of: try $0.account().id) },
      Endpoint("addWebhook") { call in
        let new = try await call.body(NewWebhook.self)
        return try await add(new, by: try call.account().id)
      },
      Endpoint("changeWebhook") { call in
        let change = try await call.body(WebhookChange.self)
        return try await self.change(call.id, change, by: try call.account().id)
      },
      Endpoint(doing: "removeWebhook") { call in try await remove(call.id, by: try call.account().id) },
      Endpoint("renewWebhookSecret") { call in
        try await renewSecret(of: call.id, by: try call.account().id)
      },
      Endpoint("testWebhook") { call in try await test(call.id, by: try call.account().id) },
      Endpoint(reading: "webhookDeliveries") { call in
        try await deliveries(to: call.id, of: try call.account().id)
      },
      Endpoint(doing: "hearOfVideo") { call in
        let body = try await call.bytes(atMost: Limits.bodyBytes, else: .bodyTooLarge)
        let claim = WebhookKey.Claim(
          id: call.header(WebhookHeader.id) ?? "", timestamp: call.header(WebhookHeader.timestamp) ?? "",
          signatures: call.header(WebhookHeader.signature) ?? "")
        try await hear(of: call.id, claim, body: body)
      },
    ]
  }
}
