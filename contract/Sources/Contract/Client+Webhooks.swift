/// Addresses that hear of what happens to an account.
extension Client {
  public func webhooks() async throws -> WebhookList { try await get(Route.webhooks.path()) }

  /// The only answer with the secret, beside that of `renewSecret`.
  public func add(_ new: NewWebhook) async throws -> WebhookWithSecret {
    try await post(new, to: Route.webhooks.path())
  }

  public func change(webhook id: String, _ change: WebhookChange) async throws -> Webhook {
    try await write("PATCH", change, to: Route.webhook.path(id))
  }

  public func removeWebhook(_ id: String) async throws {
    try await send(WireRequest("DELETE", Route.webhook.path(id)))
  }

  public func renewSecret(ofWebhook id: String) async throws -> WebhookWithSecret {
    try await answer(to: WireRequest("POST", Route.webhookSecret.path(id)))
  }

  public func testWebhook(_ id: String) async throws -> WebhookDelivery {
    try await answer(to: WireRequest("POST", Route.webhookTests.path(id)))
  }

  public func deliveries(ofWebhook id: String) async throws -> WebhookDeliveries {
    try await get(Route.webhookDeliveries.path(id))
  }
}
