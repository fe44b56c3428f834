import Contract
import Foundation
import Platform
import SQLite
import Testing

@testable import Accounts
@testable import Composition
@testable import JWTAccess
@testable import PlatformTesting
@testable import ServerTesting

@Suite(.everyEngine) struct SessionTests {
  private let bench: TestInstance
  private let clock = TestTime()
  private let accounts: Accounts

  init() async throws {
    bench = try await TestInstance()
    accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
  }

  private func signUp(_ handle: String = "mara") async throws -> Session {
    try await accounts.signUp(NewAccount(handle), guest: nil, client: "phone")
  }

  private func refresh(_ session: Session, client: String = "phone") async throws -> Session {
    try await accounts.refresh(try #require(session.refreshToken), client: client)
  }

  private func refusal(_ work: () async throws -> some Any) async -> ErrorCode? {
    do {
      _ = try await work()
      return nil
    } catch { return (error as? AppError)?.code }
  }

  @Test func everyRefreshGivesAnotherTokenOfTheSameSession() async throws {
    var session = try await signUp()
    var seen: Set<String?> = [session.refreshToken]
    for _ in 0..<5 {
      clock.advance(ms: Limits.refreshGraceMs + 1)
      let next = try await refresh(session)
      #expect(next.id == session.id)
      #expect(seen.insert(next.refreshToken).inserted)
      session = next
    }
  }

  @Test func aTokenThatIsUsedAgainEndsTheFamily() async throws {
    let stolen = try await signUp()
    let next = try await refresh(stolen)
    clock.advance(ms: Limits.refreshGraceMs + 1)
    #expect(await refusal { try await refresh(stolen) } == .refreshTokenReused)
    // Whoever holds the newest one may be the thief.
    #expect(await refusal { try await refresh(next) } == .sessionEnded)
    #expect(
      await refusal { try await accounts.viewer(ofAccessToken: try #require(next.accessToken)) }
        == .sessionEnded)
  }

  @Test func oneFurtherBackIsReuseAtOnce() async throws {
    let first = try await signUp()
    let third = try await refresh(try await refresh(first))
    #expect(await refusal { try await refresh(first) } == .refreshTokenReused)
    #expect(await refusal { try await refresh(third) } == .sessionEnded)
  }

  @Test func anAnswerThatGotLostCanBeAskedForAgain() async throws {
    let first = try await signUp()
    let lost = try await refresh(first)
    clock.advance(ms: Limits.refreshGraceMs)
    let again = try await refresh(first)
    #expect(again.refreshToken == lost.refreshToken)
    clock.advance(ms: Limits.refreshGraceMs * 2)
    _ = try await refresh(again)
  }

  @Test func anotherClientHasNoGrace() async throws {
    let first = try await signUp()
    _ = try await refresh(first)
    #expect(await refusal { try await refresh(first, client: "thief") } == .refreshTokenReused)
  }

  @Test func twentyRefreshesAtOnceGiveOneToken() async throws {
    let first = try await signUp()
    let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<20 { group.addTask { try await refresh(first).refreshToken } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(tokens.count == 1)
    #expect(!tokens.contains(first.refreshToken))
  }

  @Test func whatWasNotHandedOutEndsNothing() async throws {
    let session = try await signUp()
    let token = try #require(session.refreshToken)
    var parts = token.split(separator: ".").map(String.init)
    parts[4] = String(parts[4].reversed())
    for forged in [
      parts.joined(separator: "."), token + "a", String(token.dropLast()), "", "r1.....",
      String(repeating: ".", count: 5000),
    ] {
      #expect(await refusal { try await accounts.refresh(forged, client: "phone") } == .refreshTokenInvalid)
    }
    _ = try await refresh(session)
  }

  @Test func aSessionThatNobodyComesBackToEnds() async throws {
    let session = try await signUp()
    clock.advance(ms: SessionStore.patienceMs + 1)
    #expect(await refusal { try await refresh(session) } == .sessionEnded)
    try await accounts.sweep()
    let rows = try await bench.instance.database.read { try $0.query("SELECT id FROM sessions").count }
    #expect(rows == 0)
  }

  @Test func sessionsAreListedAndEndedByTheirOwnerOnly() async throws {
    let first = try await signUp()
    clock.advance(ms: 1000)
    let second = try await accounts.signIn(
      NewSession(handle: "mara", password: "correct horse", transport: .token), guest: nil,
      client: "lap\u{202E}top\u{0}")
    let stranger = try await signUp("stranger")
    let viewer = try await accounts.viewer(ofAccessToken: try #require(first.accessToken))
    let list = try await accounts.sessions(of: viewer).items
    #expect(list.map(\.id) == [second.id, first.id])
    #expect(list.map(\.client) == ["laptop", "phone"])
    #expect(list.map(\.current) == [false, true])
    #expect(
      await refusal { try await accounts.endSession(second.id, of: stranger.account.id) } == .sessionNotFound)
    try await accounts.endSession(second.id, of: first.account.id)
    #expect(
      await refusal { try await accounts.endSession(second.id, of: first.account.id) } == .sessionNotFound)
    #expect(await refusal { try await refresh(second, client: "laptop") } == .sessionEnded)
    _ = try await refresh(first)
  }

  @Test func theFiftyFirstSessionEndsTheOneThatWasUsedLongestAgo() async throws {
    let first = try await signUp()
    for _ in 0..<Limits.sessions {
      clock.advance(ms: 1000)
      _ = try await accounts.signIn(
        NewSession(handle: "mara", password: "correct horse", transport: .token), guest: nil, client: "x")
    }
    #expect(await refusal { try await refresh(first) } == .sessionEnded)
    let viewer = Viewer(id: first.account.id, standing: .guest)
    #expect(try await accounts.sessions(of: viewer).items.count == Limits.sessions)
  }

  // MARK: Access tokens

  @Test func anAccessTokenEndsByItself() async throws {
    let token = try #require(try await signUp().accessToken)
    clock.advance(ms: Accounts.accessLifeMs - 1000)
    _ = try await accounts.viewer(ofAccessToken: token)
    clock.advance(ms: 1000)
    #expect(await refusal { try await accounts.viewer(ofAccessToken: token) } == .accessTokenExpired)
  }

  @Test func anAccessTokenThatWasTouchedIsNone() async throws {
    let token = try #require(try await signUp().accessToken)
    let parts = token.split(separator: ".").map(String.init)
    let none = Data(#"{"alg":"none","typ":"at+jwt"}"#.utf8).base64EncodedString().replacing("=", with: "")
    let other = Data(parts[1].utf8).base64EncodedString().replacing("=", with: "")
    for forged in [
      "\(none).\(parts[1]).", "\(none).\(parts[1]).\(parts[2])", "\(parts[0]).\(other).\(parts[2])",
      "\(parts[0]).\(parts[1]).", token + "A", "", "..", "a.b.c", String(repeating: "a", count: 100_000),
    ] {
      #expect(await refusal { try await accounts.viewer(ofAccessToken: forged) } == .accessTokenInvalid)
    }
  }

  @Test func aNewKeyLeavesTokensGoodAndTheOneAfterThatDoesNot() async throws {
    let ring = bench.instance.accessKeys(clock)
    let token = try #require(try await signUp().accessToken)
    try await ring.rotate()
    // Another process still has the keys of before in mind.
    let elsewhere = JWTAccessTokens(ring: ring)
    let claims = AccessClaims(
      account: "a", session: "s", role: .member, isSuspended: false, madeMs: 0, expiresMs: clock.nowMs + 9000)
    let fresh = try await elsewhere.make(claims)
    clock.advance(ms: 2000)
    #expect(try await accounts.viewer(ofAccessToken: fresh).id == "a")
    _ = try await accounts.viewer(ofAccessToken: token)
    try await ring.rotate()
    clock.advance(ms: 31_000)
    #expect(await refusal { try await accounts.viewer(ofAccessToken: token) } == .accessTokenInvalid)
  }
}
