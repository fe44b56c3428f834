extension Client {
  public func apiKeys() async throws -> APIKeys { try await get(Route.apiKeys.path()) }

  public func makeAPIKey(_ new: NewAPIKey) async throws -> MadeAPIKey {
    try await write("POST", new, to: Route.apiKeys.path())
  }

  public func revokeAPIKey(_ id: String) async throws {
    try await send(WireRequest("DELETE", Route.apiKey.path(id)))
  }
}
