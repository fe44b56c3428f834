extension Client {
  public func passkeys() async throws -> Passkeys { try await get(Route.passkeys.path()) }

  public func beginPasskey(_ owner: OwnerProof) async throws -> PasskeySetup {
    try await write("POST", owner, to: Route.passkeySetups.path())
  }

  public func add(_ new: NewPasskey) async throws -> Passkey {
    try await write("POST", new, to: Route.passkeys.path())
  }

  public func renamePasskey(_ id: String, to name: String) async throws -> Passkey {
    try await write("PATCH", PasskeyChange(name: name), to: Route.passkey.path(id))
  }

  public func removePasskey(_ id: String, _ owner: OwnerProof) async throws {
    try await command("DELETE", owner, to: Route.passkey.path(id))
  }

  /// What a device is to sign, whoever asks.
  public func passkeyQuestion() async throws -> PasskeyQuestion {
    try await answer(to: WireRequest("POST", Route.passkeyQuestions.path()))
  }

  public func signIn(_ answer: PasskeyAnswer) async throws -> Session {
    try await write("POST", answer, to: Route.passkeySessions.path())
  }
}
