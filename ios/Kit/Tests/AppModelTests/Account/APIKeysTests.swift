import Contract
import Foundation
import Testing

@testable import AppModel

@MainActor @Suite struct APIKeysTests {
  private let script = APIKey(id: "s", name: "Script", scopes: [.readVideos], createdAt: epoch)
  private let editor = APIKey(
    id: "e", name: "Editor", scopes: APIKeyScope.allCases, createdAt: epoch, usedAt: epoch)

  private func loaded(
    _ keys: [APIKey], hasPassword: Bool = true, hasApp: Bool = false
  ) async throws -> AccountBench {
    try await AccountBench.loaded(
      [
        (Route.apiKeys, APIKeys(items: keys)),
        (Route.secondFactors, SecondFactors(codeAppSince: hasApp ? epoch : nil)),
      ], hasPassword: hasPassword
    ) { await $0.apiKeys.load() }
  }

  @Test func oneIsMadeByThePasswordAndShownUntilItIsKept() async throws {
    let bench = try await loaded([editor])
    let model = bench.model.apiKeys
    #expect(model.keys == [editor] && model.canMake && model.showing == [.name, .password])
    model.form[.name] = " Script "
    model.form[.password] = "correct horse"
    model.choose(.writeVideos, isOn: false)
    model.lifetime = .quarter
    async let made: Void = model.make()
    let sent = await bench.transport.next()
    #expect(sent.request.method == "POST" && sent.request.target == Route.apiKeys.path())
    #expect(
      try sent.body(NewAPIKey.self)
        == NewAPIKey(
          name: "Script", scopes: [.readVideos], expiresInDays: 90,
          owner: OwnerProof(password: "correct horse")))
    let answer = MadeAPIKey(key: script, secret: "cf_secret")
    sent.answer(201, answer)
    await made
    #expect(model.made == answer && model.keys == [script, editor] && model.form[.password] == "")
    #expect(model.scopes == Set(APIKeyScope.allCases) && model.lifetime == .month)
    model.noteCopied()
    model.kept()
    #expect(model.made == nil && bench.news == ["The key is copied."])
  }

  @Test func aKeyThatMayDoNothingIsNotSent() async throws {
    let bench = try await loaded([])
    let model = bench.model.apiKeys
    for scope in APIKeyScope.allCases { model.choose(scope, isOn: false) }
    model.form[.name] = "Script"
    model.form[.password] = "correct horse"
    await model.make()
    #expect(model.form.failure?.key == "Choose at least one thing that the key may do.")
    model.choose(.readVideos, isOn: true)
    async let wrong: Void = model.make()
    await bench.transport.next().answer(403, Problem(.passwordWrong, field: "password", requestID: ""))
    await wrong
    #expect(model.form.faults[.password] != nil && model.made == nil && model.form[.name] == "Script")
  }

  @Test func whoHasNoPasswordShowsACodeOfTheApp() async throws {
    let bench = try await loaded([], hasPassword: false, hasApp: true)
    let model = bench.model.apiKeys
    #expect(model.canMake && model.showing == [.name, .code])
    model.form[.name] = "Script"
    model.form[.code] = " 123456 "
    model.lifetime = .open
    async let made: Void = model.make()
    let sent = await bench.transport.next()
    #expect(
      try sent.body(NewAPIKey.self)
        == NewAPIKey(name: "Script", scopes: APIKeyScope.allCases, owner: OwnerProof(code: "123456")))
    sent.answer(201, MadeAPIKey(key: script, secret: "cf_secret"))
    await made
    #expect(model.made != nil)
    #expect(try await !loaded([], hasPassword: false).model.apiKeys.canMake)
  }

  @Test func oneIsRevokedAndOneThatIsGoneIsNoFailure() async throws {
    let bench = try await loaded([script, editor])
    let model = bench.model.apiKeys
    async let lost: Void = model.revoke(script)
    await bench.transport.next().fail(.timedOut)
    await lost
    #expect(model.keys == [script, editor])
    async let revoked: Void = model.revoke(script)
    let sent = await bench.transport.next()
    #expect(sent.request.method == "DELETE" && sent.request.target == Route.apiKey.path("s"))
    sent.answer(204)
    await revoked
    #expect(model.keys == [editor] && bench.news.last == "%@ is revoked.")
    async let gone: Void = model.revoke(editor)
    await bench.transport.next().answer(404, Problem(.apiKeyNotFound, requestID: ""))
    await gone
    #expect(model.keys == [] && !model.isRevoking)
  }

  @Test func somebodyElseSeesNothingOfIt() async throws {
    let bench = try await loaded([script])
    let model = bench.model.apiKeys
    model.form[.name] = "Mine"
    model.clear()
    #expect(model.keys == nil && model.made == nil && !model.canMake && model.form[.name] == "")
  }
}
