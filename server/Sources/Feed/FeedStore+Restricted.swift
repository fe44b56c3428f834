public import Contract
internal import Features
public import Platform

/// Whether somebody sees clips that are for adults alone. The rule itself is `AgeRule`'s.
extension FeedStore {
  public func restrictedMode(of viewer: String?) async throws -> RestrictedMode {
    try await database.read { try ages.mode(of: viewer, in: $0) }
  }

  /// Throws `sign_in_needed` and `adult_unconfirmed`.
  public func change(_ change: RestrictedModeChange, of viewer: Viewer) async throws -> RestrictedMode {
    try await database.write { try ages.change(change, of: viewer, atMs: time.nowMs, in: $0) }
  }

  var restrictedEndpoints: [Endpoint] {
    [
      Endpoint(reading: "restrictedMode") { try await restrictedMode(of: $0.viewer?.id) },
      Endpoint("changeRestrictedMode") { call in
        let change = try await call.body(RestrictedModeChange.self)
        return try await self.change(change, of: call.writer())
      },
    ]
  }
}
