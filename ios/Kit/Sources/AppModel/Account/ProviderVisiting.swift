public import Contract
internal import Observation

/// Brings somebody to a provider of identities and back.
@MainActor public protocol ProviderVisiting: AnyObject {
  /// Whether this device can bring people there, and back.
  func canVisit(_ provider: SignInProvider) -> Bool
  /// What they come back with, for the flow of `start`. Throws `CancellationError` if they gave up.
  func answer(of provider: SignInProvider, _ start: SignInStart) async throws -> SignInAnswer
}

/// What was brought back from a provider and waits for the next step, while the app runs.
@MainActor @Observable final class Tickets {
  struct Waiting: Equatable {
    let ticket: String
    let provider: String
  }

  /// Connects a provider with the account that it is used for.
  var waiting: Waiting?
  /// Stands for the password of this account; good once.
  var proof: (secret: String, account: String)?

  /// Does what a proof is for. It is good once, unless what it was for was refused.
  func spend(_ work: () async throws -> Void) async throws {
    do {
      try await work()
    } catch let problem as Problem {
      if problem.code == ErrorCode.signInOver.rawValue { proof = nil }
      throw problem
    }
    proof = nil
  }
}
