/// Whether whoever asks sees clips that are for adults alone.
extension Client {
  public func restrictedMode() async throws -> RestrictedMode {
    try await get(Route.restrictedMode.path())
  }

  /// Throws `adult_unconfirmed` where an account ends it that never said that it is an adult's, and
  /// `sign_in_needed` where a guest does.
  public func change(_ mode: RestrictedModeChange) async throws -> RestrictedMode {
    try await write("PUT", mode, to: Route.restrictedMode.path())
  }
}
