extension Client {
  /// After `second_step_needed`, with its challenge.
  public func signIn(_ step: SecondStep) async throws -> Session {
    try await write("POST", step, to: Route.secondStep.path())
  }

  public func secondFactors() async throws -> SecondFactors { try await get(Route.secondFactors.path()) }

  /// Nothing changes before a code of the app has come.
  public func beginCodeApp(_ owner: OwnerProof) async throws -> CodeAppSetup {
    try await write("POST", owner, to: Route.codeApp.path())
  }

  public func confirmCodeApp(code: String) async throws -> RecoveryCodes {
    try await write("PUT", CodeAppConfirmation(code: code), to: Route.codeApp.path())
  }

  public func removeCodeApp(_ owner: OwnerProof) async throws {
    try await command("DELETE", owner, to: Route.codeApp.path())
  }

  /// Those before do not count any more.
  public func newRecoveryCodes(_ owner: OwnerProof) async throws -> RecoveryCodes {
    try await write("POST", owner, to: Route.recoveryCodes.path())
  }
}
