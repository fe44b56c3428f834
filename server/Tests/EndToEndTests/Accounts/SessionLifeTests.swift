import Accounts
import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// A session ends in the end, however often somebody comes back to it, and all of them when their owner says
/// so.
@Suite(.everyEngine) struct SessionLifeTests {
  private static let dayMs: Int64 = 86_400_000
  private let bench: TestInstance
  private let clock = TestTime(ms: 1_800_000_000_000)

  init() async throws { bench = try await TestInstance() }

  private func accounts(days: Int) async throws -> Accounts {
    try await bench.instance.accounts(hashing: CountingPasswords(), sessionDays: days, time: clock)
  }

  private func refusal(_ work: () async throws -> some Any) async -> ErrorCode? {
    do {
      _ = try await work()
      return nil
    } catch { return (error as? AppError)?.code }
  }

  @Test func aSessionThatIsUsedAllTheTimeEndsWithItsLife() async throws {
    let accounts = try await accounts(days: 90)
    let endMs = clock.nowMs + 90 * Self.dayMs
    var session = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "phone")
    for _ in 0..<89 {
      clock.advance(ms: Self.dayMs)
      session = try await accounts.refresh(try #require(session.refreshToken), client: "phone")
      #expect(session.refreshExpiresAt <= Date(timeIntervalSince1970: Double(endMs) / 1000))
    }
    // An access token lives no longer than what it was made from.
    clock.advance(ms: Self.dayMs - 60_000)
    session = try await accounts.refresh(try #require(session.refreshToken), client: "phone")
    #expect(session.expiresAt == Date(timeIntervalSince1970: Double(endMs) / 1000))
    clock.advance(ms: 60_001)
    let last = session
    #expect(
      await refusal { try await accounts.refresh(try #require(last.refreshToken), client: "phone") }
        == .sessionEnded)
    let identities = try await bench.instance.identities(accounts, time: clock)
    #expect(try await identities.reader(ofOverToken: try #require(last.accessToken)) == nil)
    let viewer = Viewer(id: last.account.id, standing: .guest)
    #expect(try await accounts.sessions(of: viewer).items.isEmpty)
  }

  @Test func aShorterLifeCountsForSessionsThatBeganBefore() async throws {
    let session = try await accounts(days: 0).signUp(NewAccount("mara"), guest: nil, client: "phone")
    clock.advance(ms: 11 * Self.dayMs)
    let (shorter, viewer) = (try await accounts(days: 10), Viewer(id: session.account.id, standing: .guest))
    #expect(try await shorter.sessions(of: viewer).items.isEmpty)
    #expect(
      await refusal { try await shorter.refresh(try #require(session.refreshToken), client: "phone") }
        == .sessionEnded)
    let identities = try await bench.instance.identities(shorter, time: clock)
    #expect(try await identities.reader(ofOverToken: try #require(session.accessToken)) == nil)
  }

  @Test func withoutALifeASessionGoesOnForWhoComesBack() async throws {
    let accounts = try await accounts(days: 0)
    var session = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "phone")
    for _ in 0..<20 {
      clock.advance(ms: 59 * Self.dayMs)
      session = try await accounts.refresh(try #require(session.refreshToken), client: "phone")
    }
  }

  @Test func aServerKeepsToWhatTheOperatorSays() async throws {
    let server = try bench.program(["serve", "--port", "0", "--workers", "0", "--session-days", "1"])
    let client = Client(transport: SocketTransport(port: try server.port()))
    let session = try await client.signUp(NewAccount("mara"))
    // NB: from the session's beginning, which on a busy machine is later than the account's.
    #expect(session.refreshExpiresAt <= Date().addingTimeInterval(86_400))
    kill(server.process.processIdentifier, SIGTERM)
    #expect(server.end().status == 0)
  }

  @Test func signingOutEverywhereEndsEverySessionOfTheAccountAndNoOther() async throws {
    try await bench.servingAccounts(clock) { socket async throws in
      let jar = CookieJar(socket)
      let browser = Client(transport: jar)
      _ = try await browser.signUp(NewAccount("mara", .cookie))
      let client = Client(transport: socket)
      let phone = try await client.signIn(
        NewSession(handle: "mara", password: "correct horse", transport: .token))
      let other = try await client.signUp(NewAccount("other"))
      try await browser.endSessions()
      #expect(jar.names == ["clipfeed_device"])
      let bearer = Bearer(inner: socket, token: try #require(phone.accessToken))
      #expect(try await bearer.answer("GET", "/api/v1/account").code == "session_ended")
      let body = #"{"refresh_token":"\#(try #require(phone.refreshToken))"}"#
      #expect(try await socket.answer("POST", "/api/v1/sessions/refresh", body).code == "session_ended")
      let stranger = Client(transport: Bearer(inner: socket, token: try #require(other.accessToken)))
      #expect(try await stranger.sessions().items.count == 1)
      #expect(try await socket.answer("DELETE", "/api/v1/sessions").code == "sign_in_needed")
    }
  }
}
