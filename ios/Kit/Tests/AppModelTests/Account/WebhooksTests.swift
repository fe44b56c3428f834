import Contract
import Foundation
import Testing

@testable import AppModel

@MainActor @Suite struct WebhooksTests {
  private let first = Webhook(
    id: "f", address: "https://hooks.example.org/first", events: [.clipPublished], enabled: true,
    createdAt: epoch)
  private let second = Webhook(
    id: "s", address: "https://hooks.example.org/second", events: WebhookEvent.allCases, enabled: false,
    problem: .failing, createdAt: epoch, deliveredAt: epoch)

  private func loaded(
    _ webhooks: [Webhook], most: Int = Limits.webhooks, verified: Bool = true
  ) async throws -> AccountBench {
    let bench = try await AccountBench.member()
    async let came: Void = bench.model.webhooks.load()
    let parked = await bench.transport.next()
    #expect(parked.request.target == Route.webhooks.path())
    parked.answer(200, WebhookList(items: webhooks, most: most, verified: verified))
    await came
    return bench
  }

  private func delivery(_ state: WebhookDeliveryState, _ status: Int? = nil) -> WebhookDelivery {
    var delivery = WebhookDelivery(
      id: "d", event: WebhookEvent.test, state: state, tries: status == nil ? 0 : 1, createdAt: epoch)
    delivery.status = status
    return delivery
  }

  @Test func oneIsAddedAndItsSecretShownUntilItIsKept() async throws {
    let bench = try await loaded([second])
    let model = bench.model.webhooks
    #expect(model.webhooks == [second] && model.canAdd)
    model.form[.address] = " https://hooks.example.org/first "
    model.choose(.generationReady, isOn: false)
    model.choose(.generationFailed, isOn: false)
    async let added: Void = model.add()
    let sent = await bench.transport.next()
    #expect(sent.request.method == "POST" && sent.request.target == Route.webhooks.path())
    #expect(
      try sent.body(NewWebhook.self)
        == NewWebhook(address: "https://hooks.example.org/first", events: [.clipPublished]))
    let answer = WebhookWithSecret(webhook: first, secret: "whsec_a")
    sent.answer(201, answer)
    await added
    #expect(model.webhooks == [second, first] && model.made == answer && model.form[.address] == "")
    #expect(model.events == Set(WebhookEvent.allCases))
    model.noteCopied()
    model.kept()
    #expect(model.made == nil && bench.news == ["The secret is copied."])
  }

  @Test func oneThatHearsOfNothingIsNotSentAndARefusalIsSaidAtTheField() async throws {
    let bench = try await loaded([])
    let model = bench.model.webhooks
    for event in WebhookEvent.allCases { model.choose(event, isOn: false) }
    model.form[.address] = "http://10.0.0.1"
    await model.add()
    #expect(model.form.failure?.key == "Choose what it hears of.")
    model.choose(.clipPublished, isOn: true)
    async let refused: Void = model.add()
    await bench.transport.next().answer(
      422, Problem(.webhookAddressRefused, field: "address", requestID: ""))
    await refused
    #expect(model.form.faults[.address] != nil && model.form[.address] == "http://10.0.0.1")
  }

  @Test func whoWasNotVerifiedCanAddNoneAndNobodyWhereNoneAreSent() async throws {
    let unverified = try await loaded([first], verified: false).model.webhooks
    #expect(unverified.isOffered && !unverified.canAdd && unverified.webhooks == [first])
    let off = try await loaded([], most: 0).model.webhooks
    #expect(!off.isOffered && !off.canAdd)
  }

  @Test func whatItHearsOfAndWhetherItIsOnIsChanged() async throws {
    let bench = try await loaded([first, second])
    let model = bench.model.webhooks
    await model.choose(.clipPublished, isOn: false, of: first)
    #expect(bench.news == ["It has to hear of something. Switch it off instead."])
    async let chosen: Void = model.choose(.generationReady, isOn: true, of: first)
    let sent = await bench.transport.next()
    #expect(sent.request.method == "PATCH" && sent.request.target == Route.webhook.path("f"))
    #expect(try sent.body(WebhookChange.self) == WebhookChange(events: [.generationReady, .clipPublished]))
    #expect(model.busy == "f")
    // One thing at a time.
    await model.switchOn(true, second)
    var changed = first
    changed.events = [.generationReady, .clipPublished]
    sent.answer(200, changed)
    await chosen
    #expect(model.webhooks == [changed, second] && model.busy == nil)
    async let on: Void = model.switchOn(true, second)
    let switched = await bench.transport.next()
    #expect(try switched.body(WebhookChange.self) == WebhookChange(enabled: true))
    switched.answer(403, Problem(.verificationNeeded, requestID: ""))
    await on
    #expect(model.webhooks?.last?.enabled == false && bench.news.count == 2)
  }

  @Test func anotherSecretIsShownOnceToo() async throws {
    let bench = try await loaded([first])
    let model = bench.model.webhooks
    async let renewed: Void = model.renewSecret(of: first)
    let sent = await bench.transport.next()
    #expect(sent.request.method == "POST" && sent.request.target == Route.webhookSecret.path("f"))
    sent.answer(200, WebhookWithSecret(webhook: first, secret: "whsec_b"))
    await renewed
    #expect(model.made?.secret == "whsec_b" && model.webhooks == [first])
  }

  @Test func aTestIsFollowedUntilItArrived() async throws {
    let bench = try await loaded([])
    let pause = ManualPause()
    let model = WebhooksModel(client: Client(transport: bench.transport), clock: pause)
    var news: [String] = []
    model.say = { news.append($0.key) }
    async let came: Void = model.load()
    await bench.transport.next().answer(200, WebhookList(items: [first], most: 5))
    await came
    async let tested: Void = model.test(first)
    let sent = await bench.transport.next()
    #expect(sent.request.method == "POST" && sent.request.target == Route.webhookTests.path("f"))
    sent.answer(201, delivery(.waiting))
    for (count, item) in [(1, delivery(.waiting)), (2, delivery(.delivered, 204))] {
      _ = await pause.end(after: count)
      let look = await bench.transport.next()
      #expect(look.request.target == Route.webhookDeliveries.path("f"))
      look.answer(200, WebhookDeliveries(items: [item]))
    }
    await tested
    #expect(news == ["A test is on its way."] && pause.asked.count == 2)
    #expect(model.deliveries["f"] == [delivery(.delivered, 204)])
    async let looked: Void = model.look(at: first)
    await bench.transport.next().answer(200, WebhookDeliveries(items: []))
    await looked
    #expect(model.deliveries["f"] == [])
  }

  @Test func oneIsRemovedAndOneThatIsGoneIsTakenAway() async throws {
    let bench = try await loaded([first, second])
    let model = bench.model.webhooks
    async let lost: Void = model.remove(first)
    await bench.transport.next().fail(.timedOut)
    await lost
    #expect(model.webhooks == [first, second] && model.busy == nil)
    async let removed: Void = model.remove(first)
    let sent = await bench.transport.next()
    #expect(sent.request.method == "DELETE" && sent.request.target == Route.webhook.path("f"))
    sent.answer(204)
    await removed
    #expect(model.webhooks == [second] && bench.news.last == "The webhook is removed.")
    async let gone: Void = model.look(at: second)
    await bench.transport.next().answer(404, Problem(.webhookNotFound, requestID: ""))
    await gone
    #expect(model.webhooks == [])
  }

  @Test func somebodyElseSeesNothingOfIt() async throws {
    let bench = try await loaded([first])
    let model = bench.model.webhooks
    async let late: Void = model.renewSecret(of: first)
    let sent = await bench.transport.next()
    model.form[.address] = "https://mine.example"
    model.clear()
    sent.answer(200, WebhookWithSecret(webhook: first, secret: "whsec_b"))
    await late
    #expect(model.webhooks == nil && model.made == nil && model.busy == nil && !model.canAdd)
    #expect(model.form[.address] == "")
  }

  @Test func howOneIsAndWhatBecameOfAMessageIsSaid() {
    #expect(first.state == "On" && second.state == "Off: it took nothing for three days.")
    var webhook = first
    webhook.enabled = false
    #expect(webhook.state == "Off")
    webhook.problem = .gone
    #expect(webhook.state == "Off: it answered that it is gone.")
    func words(_ delivery: WebhookDelivery) -> String { delivery.outcome.text { $0 } }
    #expect(words(delivery(.delivered, 204)) == "Delivered. It answered 204.")
    #expect(words(delivery(.failed)) == "Not delivered.")
    #expect(words(delivery(.failed, 500)) == "Not delivered. It answered 500.")
    #expect(words(delivery(.waiting)) == "About to be sent.")
    #expect(words(delivery(.waiting, 500)) == "It answered 500. It is tried again.")
    var unanswered = delivery(.waiting)
    unanswered.tries = 1
    #expect(words(unanswered) == "Being tried.")
    for problem in WebhookDeliveryProblem.allCases {
      unanswered.problem = problem
      #expect(words(unanswered).hasSuffix(". It is tried again."))
    }
  }
}
