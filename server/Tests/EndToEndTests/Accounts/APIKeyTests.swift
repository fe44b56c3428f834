import Contract
import Foundation
import Platform
import Testing

@testable import Accounts
@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// Keys by which programs act for accounts, and whose they are.
@Suite(.everyEngine) struct APIKeyTests {
  private static let owner = OwnerProof(password: NewAccount("mara").password)

  private let bench: TestInstance
  private let clock = TestTime(ms: 1_800_000_000_000)
  private let accounts: Accounts

  init() async throws {
    bench = try await TestInstance()
    accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
  }

  private func make(
    _ name: String = "Editor", of account: String, _ scopes: [APIKeyScope] = APIKeyScope.allCases,
    days: Int? = nil, by owner: OwnerProof = Self.owner
  ) async throws -> MadeAPIKey {
    try await accounts.makeAPIKey(
      of: account, NewAPIKey(name: name, scopes: scopes, expiresInDays: days, owner: owner),
      client: "Firefox/1 (Windows)")
  }

  private func kinds(of account: String) async throws -> [String] {
    try await accounts.notices(of: account, cursor: nil, limit: 100).items.map(\.kind)
  }

  @Test func aKeyIsMadeAndRevokedByItsOwnerAndShownOnce() async throws {
    let (mara, paul) = (try await accounts.join("mara").id, try await accounts.join("paul").id)
    #expect(await refusal { try await make(of: mara, by: OwnerProof()) } == .passwordWrong)
    #expect(
      await refusal { try await make(of: mara, by: OwnerProof(password: "wrong horse")) } == .passwordWrong)
    #expect(await refusal { try await make(" ", of: mara) } == .nameInvalid)
    #expect(await refusal { try await make(of: mara, days: 366) } == .invalidParameter)
    let made = try await make(of: mara, [.readVideos, .readVideos])
    #expect(made.secret.hasPrefix("cf_") && made.secret.utf8.count == 46)
    #expect(made.key.scopes == [.readVideos] && made.key.usedAt == nil && made.key.expiresAt == nil)
    #expect(try await accounts.apiKeys(of: mara) == APIKeys(items: [made.key]))
    #expect(try await accounts.apiKeys(of: paul).items.isEmpty)
    let kept = try await bench.instance.database.read {
      try $0.query("SELECT secret_hash FROM api_keys", []).map { try $0.text("secret_hash") }
    }
    #expect(kept == [SecretToken.hash(of: made.secret)])
    let viewer = Viewer(id: mara, standing: .key(scopes: [.readVideos]))
    #expect(try await accounts.viewer(ofKey: made.secret) == viewer)

    #expect(await refusal { try await accounts.revokeAPIKey(made.key.id, of: paul) } == .apiKeyNotFound)
    try await accounts.revokeAPIKey(made.key.id, of: mara)
    #expect(await refusal { try await accounts.revokeAPIKey(made.key.id, of: mara) } == .apiKeyNotFound)
    #expect(await refusal { try await accounts.viewer(ofKey: made.secret) } == .apiKeyInvalid)
    #expect(try await accounts.apiKeys(of: mara).items.isEmpty)
    #expect(try await Set(kinds(of: mara)) == ["api_key_revoked", "api_key_made"])
  }

  @Test func anAccountHasSoManyAndNoMore() async throws {
    let mara = try await accounts.join("mara").id
    for number in 0..<Limits.apiKeys { _ = try await make("Program \(number)", of: mara) }
    #expect(await refusal { try await make(of: mara) } == .apiKeysTooMany)
    try await accounts.revokeAPIKey(try await accounts.apiKeys(of: mara).items[0].id, of: mara)
    _ = try await make(of: mara)
  }

  @Test func itExpiresAndIsRememberedWhenItWasUsedToTheMinute() async throws {
    let mara = try await accounts.join("mara").id
    let secret = try await make(of: mara, days: 1).secret
    func usedAt() async throws -> Date? { try await accounts.apiKeys(of: mara).items[0].usedAt }
    func date(_ ms: Int64) -> Date { Date(timeIntervalSince1970: Double(ms) / 1000) }
    let begun = clock.nowMs
    _ = try await accounts.viewer(ofKey: secret)
    #expect(try await usedAt() == date(begun))
    clock.advance(ms: 59_999)
    _ = try await accounts.viewer(ofKey: secret)
    #expect(try await usedAt() == date(begun))
    clock.advance(ms: 1)
    _ = try await accounts.viewer(ofKey: secret)
    #expect(try await usedAt() == date(begun + 60_000))
    clock.advance(ms: 86_400_000 - 60_001)
    _ = try await accounts.viewer(ofKey: secret)
    clock.advance(ms: 1)
    #expect(await refusal { try await accounts.viewer(ofKey: secret) } == .apiKeyInvalid)
    // Its owner sees why.
    #expect(try await accounts.apiKeys(of: mara).items.map(\.expiresAt) == [date(clock.nowMs)])
  }

  @Test func whatIsNoKeyOfHereOpensNothing() async throws {
    let mara = try await accounts.join("mara").id
    let secret = try await make(of: mara).secret
    let bare = String(secret.dropFirst(3))
    for text in ["", "cf_", bare, secret + "A", "CF_" + bare, "cf_" + SecretToken.make(), "cf_\u{0}"] {
      #expect(await refusal { try await accounts.viewer(ofKey: text) } == .apiKeyInvalid, "\(text)")
    }
  }

  @Test func aNewPasswordLeavesKeysASuspendedAccountSaysSoAndADeletionTakesThem() async throws {
    let mara = try await accounts.join("mara").id
    let secret = try await make(of: mara).secret
    try await accounts.reset(try await accounts.resetToken(handle: "mara"), to: "battery staple")
    #expect(try await accounts.viewer(ofKey: secret).isSuspended == false)
    try await accounts.setSuspended(true, handle: "mara")
    #expect(try await accounts.viewer(ofKey: secret).isSuspended)
    try await accounts.setSuspended(false, handle: "mara")
    try await accounts.delete(mara, AccountDeletion(password: "battery staple"))
    #expect(await refusal { try await accounts.viewer(ofKey: secret) } == .apiKeyInvalid)
    #expect(try await bench.count("api_keys") == 0)
  }

  @Test func whatWasRevokedLongAgoIsForgotten() async throws {
    let mara = try await accounts.join("mara").id
    _ = try await make("kept", of: mara)
    try await accounts.revokeAPIKey(try await make(of: mara).key.id, of: mara)
    clock.advance(ms: Limits.revokedKeyMs)
    try await accounts.sweep()
    #expect(try await bench.count("api_keys") == 2)
    clock.advance(ms: 1)
    try await accounts.sweep()
    #expect(try await accounts.apiKeys(of: mara).items.map(\.name) == ["kept"])
    #expect(try await bench.count("api_keys") == 1)
  }
}

/// The same on the wire.
@Suite struct APIKeyRequestTests {
  @Test func aSessionMakesListsAndRevokesAndAKeyOpensNothingOfTheAPI() async throws {
    let bench = try await TestInstance()
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    try await bench.serving(accounts: accounts) { socket async throws in
      let session = try await Client(transport: socket).signUp(NewAccount("mara"))
      let mara = Bearer(inner: socket, token: try #require(session.accessToken))
      let client = Client(transport: mara)
      let owner = OwnerProof(password: NewAccount("mara").password)
      let made = try await client.makeAPIKey(
        NewAPIKey(name: "Editor", scopes: [.writeVideos, .readVideos], expiresInDays: 30, owner: owner))
      #expect(made.key.scopes == [.readVideos, .writeVideos] && made.key.expiresAt != nil)
      #expect(try await client.apiKeys().items.map(\.name) == ["Editor"])
      let list = try await mara.answer("GET", Route.apiKeys.path()).response
      #expect(!String(decoding: list.body, as: UTF8.self).contains("cf_"))
      for (body, field) in [
        (#"{"name":"x","scopes":[],"owner":{}}"#, "scopes"),
        (#"{"name":"x","scopes":["everything"],"owner":{}}"#, "scopes[0]"),
        (#"{"name":"x","scopes":["videos:read"],"expires_in_days":0,"owner":{}}"#, "expires_in_days"),
        (#"{"name":"x","scopes":["videos:read"]}"#, "owner"),
      ] {
        let refused = try await mara.answer("POST", Route.apiKeys.path(), body)
        let problem = try WireCoding.decode(Problem.self, from: refused.response.body)
        #expect(refused.status == 400 && problem.field == field, "\(body)")
      }
      let program = Bearer(inner: socket, token: made.secret)
      #expect(try await program.answer("GET", Route.videos.path()).status == 200)
      for (method, target) in [
        ("GET", Route.account.path()), ("GET", Route.apiKeys.path()), ("GET", Route.generations.path()),
        ("DELETE", Route.sessions.path()), ("GET", Route.feed.path()),
      ] {
        let answer = try await program.answer(method, target)
        #expect(answer.status == 401 && answer.code == "access_token_invalid", "\(target)")
      }
      try await client.revokeAPIKey(made.key.id)
      #expect(try await program.answer("GET", Route.videos.path()).status == 401)
    }
  }
}
