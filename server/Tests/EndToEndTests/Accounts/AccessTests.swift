import Accounts
import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import Gateway
@testable import PlatformTesting
@testable import ServerTesting

/// Every route and method for everybody who may ask.
@Suite struct AccessTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  @Test func theMatrixHoldsOnTheWire() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    try await bench.serving(accounts: accounts) { [bench] socket async throws in
      var askers: [AccessMatrix.Asker: any Transport] = [.nobody: socket]
      let guests = GuestTokens(keys: try await bench.instance.keys(.guests).tokenKeys())
      askers[.guest] = Bearer(inner: socket, token: guests.make(at: SystemTime()).token)
      for asker in AccessMatrix.accounts {
        let client = Client(transport: socket)
        let handle = "the_\(asker.rawValue)"
        let first = try await client.signUp(NewAccount(handle))
        if asker == .suspended { try await accounts.setSuspended(true, handle: handle) }
        if asker == .moderator { try await accounts.setRole(.moderator, handle: handle) }
        if asker == .admin { try await accounts.setRole(.admin, handle: handle) }
        // What was made in the millisecond of the change does not count.
        var session = first
        repeat {
          session = try await client.refresh(session.refreshToken)
        } while (try? await accounts.account(of: session)) == nil
        askers[asker] = Bearer(inner: socket, token: try #require(session.accessToken))
      }
      // A session is ended below; a stream of events that is let in does not end (LiveTests).
      let elsewhere = ["DELETE /api/v1/sessions/{id}", "DELETE /api/v1/sessions", "GET /api/v1/live"]
      for (name, allowed) in AccessMatrix.rows where !elsewhere.contains(name) {
        let words = name.split(separator: " ").map(String.init)
        for (asker, transport) in askers {
          // A body that nobody takes: who may not is refused before it is looked at.
          let target = words[1].replacing(/\{[a-z]+\}/, with: "none")
          let answer = try await transport.answer(words[0], target, words[0] == "GET" ? nil : "[]")
          // The dialect's answers have no code of ours.
          let isRefused =
            answer.status == 401 || ["account_suspended", "not_allowed"].contains(answer.code)
          #expect(
            isRefused != allowed.contains(asker), "\(asker) \(name): \(answer.status) \(answer.code ?? "")")
          #expect(answer.status < 500 || answer.status == 503, "\(asker) \(name)")
        }
      }
    }
  }

  @Test func anotherAccountsSessionIsNotThere() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    try await bench.serving(accounts: accounts) { socket async throws in
      let client = Client(transport: socket)
      let owner = try await client.signUp(NewAccount("owner1"))
      let other = try await client.signUp(NewAccount("other"))
      let strangers: [any Transport] = [
        socket, Bearer(inner: socket, token: try #require(other.accessToken)),
      ]
      for (stranger, code) in zip(strangers, ["sign_in_needed", "session_not_found"]) {
        #expect(try await stranger.answer("DELETE", Route.session.path(owner.id)).code == code)
      }
      let own = Client(transport: Bearer(inner: socket, token: try #require(owner.accessToken)))
      #expect(try await own.sessions().items.map(\.id) == [owner.id])
      // Who is not known yet signs nobody out.
      #expect(try await socket.answer("DELETE", "/api/v1/sessions/current").status == 204)
      _ = try await own.account()
    }
  }
}

extension Accounts {
  fileprivate func account(of session: Session) async throws -> Viewer {
    try await Identities(guests: GuestTokens(secret: ""), accounts: self, time: SystemTime()).account(
      ofAccessToken: session.accessToken ?? "")
  }
}
