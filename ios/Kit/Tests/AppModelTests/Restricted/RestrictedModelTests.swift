import Contract
import Foundation
import Testing

@testable import AppModel

@MainActor @Suite struct RestrictedModelTests {
  private let transport = ParkedTransport()
  private let said = Said()
  private let model: RestrictedModel

  @MainActor private final class Said { var keys: [String] = [] }

  init() {
    model = RestrictedModel(client: Client(transport: transport))
    model.say = { [said] in said.keys.append($0.key) }
  }

  private func load(_ mode: RestrictedMode = RestrictedMode(restricted: true)) async {
    async let came: Void = model.load()
    await transport.next().answer(200, mode)
    await came
  }

  private func change(_ parked: ParkedTransport.Parked) throws -> RestrictedModeChange {
    try WireCoding.decode(RestrictedModeChange.self, from: parked.request.body ?? Data())
  }

  @Test func whoNeverSaidToBeAnAdultIsAskedOnce() async throws {
    await load()
    #expect(model.isThere && model.isOn && !model.asks)
    async let turned: Void = model.set(false)
    let first = await transport.next()
    #expect(!model.isOn && model.isSaving)
    #expect(try change(first) == RestrictedModeChange(restricted: false))
    first.refuse(.adultUnconfirmed)
    await turned
    #expect(model.isOn && model.asks && said.keys.isEmpty)
    async let confirmed: Void = model.confirm()
    let second = await transport.next()
    #expect(try change(second) == RestrictedModeChange(restricted: false, isAdult: true))
    second.answer(200, RestrictedMode(restricted: false, confirmedAt: epoch))
    await confirmed
    #expect(!model.isOn && !model.asks && model.mode?.confirmedAt == epoch)
  }

  @Test func whatFailsIsTakenBackAndSaid() async {
    await load()
    async let turned: Void = model.set(false)
    await transport.next().refuse(.signInNeeded)
    await turned
    #expect(model.isOn && !model.asks && said.keys == ["Sign in to go on."])
  }

  @Test func anAnswerForSomebodyElseIsNone() async {
    await load()
    async let turned: Void = model.set(true)
    let asked = await transport.next()
    model.clear()
    asked.answer(200, RestrictedMode(restricted: false))
    await turned
    #expect(!model.isThere && model.isOn && !model.isSaving)
  }
}
