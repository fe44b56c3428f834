internal import Contract
internal import Features
internal import Platform

extension Accounts {
  var apiKeyEndpoints: [Endpoint] {
    [
      Endpoint(reading: "apiKeys") { try await apiKeys(of: try $0.account().id) },
      Endpoint("makeAPIKey") { call in
        let id = try call.account().id
        let new = try await call.body(NewAPIKey.self)
        return try await call.showing(new.owner) { try await makeAPIKey(of: id, new, client: call.client) }
      },
      Endpoint(doing: "revokeAPIKey") { call in
        try await revokeAPIKey(call.id, of: try call.account().id, client: call.client)
      },
    ]
  }
}
