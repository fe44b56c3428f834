import Accounts
import Contract
import Platform

extension Accounts {
  /// Somebody new, signed in.
  func join(_ handle: String) async throws -> Viewer {
    let session = try await signUp(NewAccount(handle), guest: nil, client: "")
    return Viewer(id: session.account.id, standing: .account(session: session.id, role: .member))
  }
}
