import AppModel
import Contract
import Foundation
import Testing

@MainActor @Suite struct WaysInModelTests {
  private let connected = ConnectedIdentity(
    id: "i", provider: "apple", name: "Apple", email: nil, connectedAt: epoch)

  /// The two requests of a load come in any order.
  private func load(_ bench: AccountBench, _ ways: WaysIn, _ work: Task<Void, Never>? = nil) async {
    let work = work ?? Task { await bench.model.waysIn.load("ada") }
    for _ in 0..<2 {
      let parked = await bench.transport.next()
      if Route.identities.matches(parked.request.target) {
        parked.answer(200, ways)
      } else {
        parked.answer(200, SignInProviders(items: [apple, company]))
      }
    }
    await work.value
  }

  @Test func aProviderIsConnectedByThePassword() async throws {
    let bench = try await AccountBench.member()
    let ways = bench.model.waysIn
    await load(bench, WaysIn(password: true, items: []))
    #expect(ways.free == [apple])
    async let visited: Void = ways.connect(apple)
    await bench.transport.next().answer(200, SignInStart(authorizationUrl: "https://a", flow: "f"))
    await bench.transport.next().answer(200, AccountSignInOutcome(ticket: "t"))
    await visited
    #expect(ways.waiting == "Apple")
    #expect(ways.free.isEmpty)
    ways.connectForm[.password] = "wrong"
    async let first: Void = ways.connectWaiting()
    await bench.transport.next().answer(403, Problem(.passwordWrong, field: "password", requestID: ""))
    await first
    #expect(ways.connectForm.faults[.password] != nil)
    ways.connectForm[.password] = "correct horse"
    let second = Task { await ways.connectWaiting() }
    let parked = await bench.transport.next()
    let sent: NewIdentity = try WireCoding.decode(from: parked.request.body ?? Data())
    #expect(sent == NewIdentity(ticket: "t", password: "correct horse"))
    parked.answer(201, connected)
    await load(bench, WaysIn(password: true, items: [connected]), second)
    #expect(ways.waiting == nil)
  }

  @Test func aTicketThatIsOverIsThrownAway() async throws {
    let bench = try await AccountBench.member()
    let ways = bench.model.waysIn
    await load(bench, WaysIn(password: true, items: []))
    async let visited: Void = ways.connect(apple)
    await bench.transport.next().answer(200, SignInStart(authorizationUrl: "https://a", flow: "f"))
    await bench.transport.next().answer(200, AccountSignInOutcome(ticket: "t"))
    await visited
    ways.connectForm[.password] = "correct horse"
    async let tried: Void = ways.connectWaiting()
    await bench.transport.next().refuse(.identityTaken)
    await tried
    #expect(ways.waiting == nil)
    #expect(bench.news == [ErrorCode.identityTaken.message])
  }

  @Test func aProofStandsForThePasswordOnce() async throws {
    let bench = try await AccountBench.member()
    let ways = bench.model.waysIn
    await load(bench, WaysIn(password: false, items: [connected]))
    #expect(ways.confirming == [apple])
    async let visited: Void = ways.confirm(apple)
    await bench.transport.next().answer(200, SignInStart(authorizationUrl: "https://a", flow: "f"))
    await bench.transport.next().answer(200, AccountSignInOutcome(proof: "p"))
    await visited
    #expect(ways.hasProof)
    ways.setForm[.new] = "short"
    async let first: Void = ways.setPassword()
    await bench.transport.next().answer(
      422, Problem(.passwordTooShort, field: "new_password", requestID: ""))
    await first
    #expect(ways.hasProof)
    ways.setForm[.new] = "correct horse"
    let second = Task { await ways.setPassword() }
    await bench.transport.next().answer(204)
    await load(bench, WaysIn(password: true, items: [connected]), second)
    #expect(!ways.hasProof)
  }

  @Test func aPasswordIsAskedForBeforeAProviderGoes() async throws {
    let bench = try await AccountBench.member()
    let ways = bench.model.waysIn
    await load(bench, WaysIn(password: true, items: [connected]))
    await ways.disconnect(connected)
    #expect(ways.leaving == connected)
    ways.disconnectForm[.password] = "correct horse"
    let done = Task { await ways.disconnectByPassword() }
    let parked = await bench.transport.next()
    #expect(parked.request.method == "DELETE")
    parked.answer(204)
    await load(bench, WaysIn(password: true, items: []), done)
    #expect(ways.leaving == nil)
    #expect(bench.news == ["%@ is disconnected."])
  }
}
