import Accounts
import Contract
import Foundation
import Platform
import Testing
import WebhookClient

@testable import Composition
@testable import Measuring
@testable import PlatformTesting
@testable import ServerTesting
@testable import Webhooks

/// Who hears of what, how often, and what becomes of it, on each database.
@Suite(.everyEngine) struct WebhookTests {
  @Test func anEndpointHearsOfWhatItChoseAndTheOperatorOfEverybody() async throws {
    let sender = ScriptedEndpoints()
    let bench = try await WebhookBench(sender)
    _ = try await bench.add([.clipPublished], path: "clips")
    _ = try await bench.add([.generationReady, .generationFailed], path: "made")
    _ = try await bench.store.add(
      NewWebhook(address: "https://ops.example.org/all", events: WebhookEvent.allCases), by: nil)
    try await bench.note(.clipPublished, "clip-1")
    try await bench.note(.generationReady, "generation-1")
    try await bench.note(.generationFailed, "generation-2", of: "somebody-else")
    try await bench.send()
    let bodies = try sender.bodies()
    #expect(
      Set(zip(sender.sent, bodies).map { "\($0.address) \($1.type)" }) == [
        "https://hooks.example.org/clips clip.published", "https://ops.example.org/all clip.published",
        "https://hooks.example.org/made generation.ready", "https://ops.example.org/all generation.ready",
        "https://ops.example.org/all generation.failed",
      ])
    let ready = try #require(bodies.first { $0.type == "generation.ready" })
    #expect(
      ready.data
        == .init(
          generationId: "generation-1", clipId: "generation-1", authorId: bench.mara,
          url: "https://clips.example.org/api/v1/generations/generation-1"))
    // Of the same it hears once, and of nothing again.
    try await bench.note(.clipPublished, "clip-1")
    try await bench.send()
    #expect(sender.sent.count == 5)
  }

  @Test func whatAClipAndAPersonDoIsHeardOfInTheirOwnTransaction() async throws {
    let sender = ScriptedEndpoints()
    let bench = try await WebhookBench(sender)
    _ = try await bench.add()
    let news = bench.bench.instance.news(live: bench.bench.instance.live(bus: nil), time: bench.clock)
    struct Undone: Error {}
    await #expect(throws: Undone.self) {
      try await bench.bench.instance.database.write { [mara = bench.mara] transaction in
        try news.tell(mara, generation: "generation-1", clip: "clip-1", in: transaction)
        throw Undone()
      }
    }
    try await bench.send()
    #expect(sender.sent.isEmpty)
    try await bench.bench.instance.database.write { [mara = bench.mara] in
      try news.tell(mara, generation: "generation-1", clip: "clip-1", in: $0)
      try news.tell(mara, generation: "generation-2", clip: nil, in: $0)
    }
    try await bench.send()
    #expect(try sender.bodies().map(\.type) == ["generation.ready", "generation.failed"])
  }

  @Test func aClipIsHeardOfOnceWhenEverybodySeesIt() async throws {
    let sender = ScriptedEndpoints()
    let bench = try await WebhookBench(sender)
    _ = try await bench.add()
    let instance = bench.bench.instance
    let hidden = try await instance.publishBare("hidden", visibility: .private, by: bench.mara)
    let (webhooks, clips) = (bench.store, instance.clips)
    try await instance.database.write { try webhooks.published(hidden, in: clips, $0) }
    try await bench.send()
    #expect(sender.sent.isEmpty)
    let uploaded = ClipsOfUploads(
      clips: clips, queue: instance.queue, feed: instance.feed(on: instance.database), webhooks: webhooks,
      announcements: instance.announcements(time: instance.time))
    for visibility in [Visibility.unlisted, .public, .private, .public] {
      try await instance.database.write {
        _ = try uploaded.describe(hidden, ClipDetails(visibility: visibility), in: $0)
      }
    }
    try await bench.send()
    let body = try #require(try sender.bodies().first)
    #expect(sender.sent.count == 1 && body.type == "clip.published" && body.data.clipId == hidden)
    #expect(body.data.url == "https://clips.example.org/c/\(hidden)" && body.data.authorId == bench.mara)
  }

  @Test func whatIsNotTakenIsTriedAgainUnderTheSameIdWithTheSameBytes() async throws {
    let sender = ScriptedEndpoints(.answered(status: 500), .unanswered(.timeout), .answered(status: 200))
    let bench = try await WebhookBench(sender)
    let made = try await bench.add()
    try await bench.note()
    try await bench.send()
    let waiting = try #require(try await bench.last(made.webhook))
    #expect(waiting.state == .waiting && waiting.status == 500 && waiting.tries == 1)
    #expect(waiting.nextAt != nil && waiting.problem == nil)
    try await bench.send()
    #expect(sender.sent.count == 1)
    bench.clock.advance(ms: 5000)
    try await bench.send()
    #expect(try await bench.last(made.webhook)?.problem == .timeout)
    bench.clock.advance(ms: 30_000)
    try await bench.send()
    let taken = try #require(try await bench.last(made.webhook))
    #expect(taken.state == .delivered && taken.status == 200 && taken.tries == 3 && taken.nextAt == nil)
    #expect(try await bench.shown(made.webhook)?.deliveredAt != nil)
    let sent = sender.sent.map(\.message)
    #expect(sent.count == 3 && Set(sent.map(\.id)) == [taken.id] && Set(sent.map(\.body)).count == 1)
    let key = try #require(WebhookKey(made.secret))
    for message in sent {
      try key.verify(
        .init(id: message.id, timestamp: "\(message.timestamp)", signatures: message.signatures),
        body: message.body, nowMs: message.timestamp * 1000)
    }
    #expect(sent[0].timestamp < sent[2].timestamp)
  }

  @Test func afterThreeDaysItIsGivenUpAndTheEndpointIsSwitchedOff() async throws {
    let sender = ScriptedEndpoints(.answered(status: 500))
    let bench = try await WebhookBench(sender)
    let made = try await bench.add()
    try await bench.note()
    for _ in 0..<60 {
      try await bench.send()
      bench.clock.advance(ms: 6 * 3_600_000)
    }
    let given = try #require(try await bench.last(made.webhook))
    #expect(given.state == .failed && (10...20).contains(given.tries))
    let off = try #require(try await bench.shown(made.webhook))
    #expect(!off.enabled && off.problem == .failing)
    #expect(try await bench.told() == [NotificationKind.webhookOff])
    let count = sender.sent.count
    try await bench.note(.clipPublished, "clip-2")
    try await bench.send()
    #expect(sender.sent.count == count)
    // Its owner switches it on again.
    let on = try await bench.store.change(off.id, WebhookChange(enabled: true), by: bench.mara)
    #expect(on.enabled && on.problem == nil)
    #expect(try await bench.told() == [])
    try await bench.note(.clipPublished, "clip-3")
    try await bench.send()
    #expect(sender.sent.count == count + 1)
  }

  @Test func anEndpointThatTakesOthersStaysOnThoughOneIsGivenUp() async throws {
    let bench = try await WebhookBench(ScriptedEndpoints())
    let made = try await bench.add()
    try await bench.note(.clipPublished, "clip-1")
    let stuck = try #require(try await bench.store.claim(isSlow: false))
    bench.clock.advance(ms: 1000)
    try await bench.note(.clipPublished, "clip-2")
    try await bench.send()
    bench.clock.advance(ms: WebhookCourse.lifeMs)
    try await bench.store.finish(stuck, .answered(status: 500), tookMs: 1)
    #expect(try await bench.shown(made.webhook)?.enabled == true)
    let states = try await bench.store.deliveries(to: made.webhook.id, of: bench.mara).items.map(\.state)
    #expect(states == [.delivered, .failed])
  }

  @Test func whoIsGoneIsSwitchedOffAtOnceWithWhatWaits() async throws {
    let sender = ScriptedEndpoints(.answered(status: 500), .answered(status: 410))
    let bench = try await WebhookBench(sender)
    let made = try await bench.add()
    for number in 0..<3 { try await bench.note(.clipPublished, "clip-\(number)") }
    try await bench.send()
    let off = try #require(try await bench.shown(made.webhook))
    #expect(!off.enabled && off.problem == .gone)
    let items = try await bench.store.deliveries(to: off.id, of: bench.mara).items
    #expect(items.count == 3 && items.allSatisfy { $0.state == .failed })
    #expect(sender.sent.count == 2)
  }

  @Test func whatWasSwitchedOffIsToldToItsOwnerOnceAndOfTheOperatorsInAMetric() async throws {
    let sender = ScriptedEndpoints(.answered(status: 410))
    let bench = try await WebhookBench(sender)
    let all = try await bench.store.add(
      NewWebhook(address: "https://ops.example.org/all", events: WebhookEvent.allCases), by: nil)
    let source = MetricSource.webhooks(of: bench.store)
    func counted() async throws -> [Double] { try await source.look().map(\.value) }
    #expect(try await counted() == [1, 0])
    try await bench.note()
    try await bench.send()
    #expect(try await bench.told() == [], "it is not hers")
    #expect(try await counted() == [0, 1])
    #expect(try await bench.store.list(of: nil).items.first?.id == all.webhook.id)
    let made = try await bench.add()
    try await bench.note(.clipPublished, "clip-2")
    try await bench.send()
    #expect(try await bench.told() == [NotificationKind.webhookOff])
    // Again, after it was switched on: the same row, which is new again.
    _ = try await bench.store.change(made.webhook.id, WebhookChange(enabled: true), by: bench.mara)
    bench.clock.advance(ms: 10_000)
    try await bench.note(.clipPublished, "clip-3")
    try await bench.send()
    #expect(try await bench.told() == [NotificationKind.webhookOff])
    try await bench.store.remove(made.webhook.id, by: bench.mara)
    #expect(try await bench.told() == [])
  }

  @Test func whoeverWasKilledInBetweenHasLostNothingAndWhoComesLateChangesNothing() async throws {
    let bench = try await WebhookBench(ScriptedEndpoints())
    let made = try await bench.add()
    try await bench.note()
    let first = try #require(try await bench.store.claim(isSlow: false))
    #expect(try await bench.store.claim(isSlow: false) == nil)
    bench.clock.advance(ms: WebhookCourse.leaseMs)
    let second = try #require(try await bench.store.claim(isSlow: false))
    #expect(second.id == first.id && second.tries == 2)
    try await bench.store.finish(first, .answered(status: 410), tookMs: 1)
    #expect(try await bench.shown(made.webhook)?.enabled == true)
    try await bench.store.finish(second, .answered(status: 200), tookMs: 1)
    #expect(try await bench.last(made.webhook)?.state == .delivered)
    // One that goes while it is written to.
    try await bench.note(.clipPublished, "clip-2")
    let third = try #require(try await bench.store.claim(isSlow: false))
    try await bench.store.remove(made.webhook.id, by: bench.mara)
    try await bench.store.finish(third, .answered(status: 500), tookMs: 1)
    #expect(try await bench.bench.count("webhook_deliveries") == 0)
  }

  @Test func whoAnswersSlowlyIsServedByOthers() async throws {
    let bench = try await WebhookBench(ScriptedEndpoints())
    _ = try await bench.add()
    try await bench.note(.clipPublished, "clip-1")
    let due = try #require(try await bench.store.claim(isSlow: false))
    try await bench.store.finish(due, .answered(status: 200), tookMs: WebhookCourse.quickMs + 1)
    try await bench.note(.clipPublished, "clip-2")
    #expect(try await bench.store.claim(isSlow: false) == nil)
    let slow = try #require(try await bench.store.claim(isSlow: true))
    try await bench.store.finish(slow, .answered(status: 200), tookMs: 1)
    try await bench.note(.clipPublished, "clip-3")
    #expect(try await bench.store.claim(isSlow: true) == nil)
    #expect(try await bench.store.claim(isSlow: false) != nil)
  }

  @Test func aNewSecretCountsAtOnceAndTheOldOneForADay() async throws {
    let sender = ScriptedEndpoints()
    let bench = try await WebhookBench(sender)
    let made = try await bench.add()
    let renewed = try await bench.store.renewSecret(of: made.webhook.id, by: bench.mara)
    #expect(renewed.secret != made.secret)
    func isSigned(_ message: SignedMessage, _ secret: String) -> Bool {
      (try? WebhookKey(secret)?.verify(
        .init(id: message.id, timestamp: "\(message.timestamp)", signatures: message.signatures),
        body: message.body, nowMs: message.timestamp * 1000)) != nil
    }
    try await bench.note(.clipPublished, "clip-1")
    try await bench.send()
    bench.clock.advance(ms: WebhookStore.oldSecretMs + 1)
    try await bench.note(.clipPublished, "clip-2")
    try await bench.send()
    let sent = sender.sent.map(\.message)
    try #require(sent.count == 2)
    #expect(isSigned(sent[0], made.secret) && isSigned(sent[0], renewed.secret))
    #expect(!isSigned(sent[1], made.secret) && isSigned(sent[1], renewed.secret))
  }

  @Test func whoMayHaveOneAndHowMany() async throws {
    let bench = try await WebhookBench(ScriptedEndpoints())
    for number in 0..<Limits.webhooks { _ = try await bench.add(path: "\(number)") }
    #expect(await refusal { try await bench.add() } == .webhooksTooMany)
    #expect(try await bench.store.list(of: bench.mara).most == Limits.webhooks)
    let paul = try await bench.accounts.join("paul").id
    #expect(await refusal { try await bench.add(by: paul) } == .verificationNeeded)
    #expect(try await !bench.store.list(of: paul).verified)
    try await bench.verify(paul)
    #expect(try await bench.store.list(of: paul).verified)
    #expect(try await bench.store.list(of: nil).verified)
    let theirs = try await bench.add(by: paul).webhook.id
    #expect(
      await refusal {
        try await bench.store.add(
          NewWebhook(address: "http://hooks.example.org", events: [.clipPublished]), by: paul)
      } == .webhookAddressRefused)
    // Nobody else's, and not the operator's.
    for account in [bench.mara, nil] as [String?] {
      #expect(await refusal { try await bench.store.remove(theirs, by: account) } == .webhookNotFound)
      #expect(
        await refusal { try await bench.store.renewSecret(of: theirs, by: account) } == .webhookNotFound)
      #expect(await refusal { try await bench.store.test(theirs, by: account) } == .webhookNotFound)
      #expect(await refusal { try await bench.store.deliveries(to: theirs, of: account) } == .webhookNotFound)
    }
    bench.bench.instance.webhookSetup.send(by: ScriptedEndpoints(), forAccounts: false, origin: nil)
    #expect(await refusal { try await bench.add(by: paul) } == .webhooksOff)
    #expect(try await bench.store.list(of: paul).most == 0)
    _ = try await bench.store.add(
      NewWebhook(address: "https://ops.example.org/all", events: [.clipPublished]), by: nil)
  }

  @Test func anAccountLeavesNothingAndTakesNoSecretAlong() async throws {
    let sender = ScriptedEndpoints()
    let bench = try await WebhookBench(sender)
    let made = try await bench.add()
    let all = try await bench.store.add(
      NewWebhook(address: "https://ops.example.org/all", events: WebhookEvent.allCases), by: nil)
    try await bench.note()
    let list = try #require(bench.store.exported.first)
    let lines = try await bench.bench.instance.database.read { [mara = bench.mara] in
      try list.page(of: mara, behind: "", in: $0).lines.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(lines.count == 1 && lines[0].contains(made.webhook.address) && !lines[0].contains("whsec_"))
    try await bench.accounts.delete(bench.mara, AccountDeletion(password: NewAccount("mara").password))
    #expect(try await bench.bench.count("webhook_endpoints") == 1)
    #expect(try await bench.bench.count("webhook_deliveries") == 0)
    try await bench.send()
    #expect(sender.sent.isEmpty)
    try await bench.store.remove(all.webhook.id, by: nil)
  }

  @Test func whatIsOldIsForgotten() async throws {
    let bench = try await WebhookBench(ScriptedEndpoints())
    let made = try await bench.add()
    try await bench.note()
    try await bench.send()
    bench.clock.advance(ms: 29 * 86_400_000)
    try await bench.store.sweep()
    #expect(try await bench.bench.count("webhook_deliveries") == 1)
    bench.clock.advance(ms: 2 * 86_400_000)
    try await bench.store.sweep()
    #expect(try await bench.last(made.webhook) == nil)
  }

  /// The whole way: a real receiver, which checks with code of its own.
  @Test func aReceiverChecksWhatComesAndHearsItAgainUntilItTakesIt() async throws {
    let receiver = try WebhookReceiver { number in number == 0 ? .init(status: 503) : .init() }
    let bench = try await WebhookBench(
      WebhookSender(allowing: [try #require(NetworkAddress("127.0.0.1"))], patience: .seconds(120)))
    let made = try await bench.store.add(
      NewWebhook(address: receiver.address, events: [.clipPublished]), by: bench.mara)
    try await bench.note()
    try await bench.send()
    bench.clock.advance(ms: 5000)
    try await bench.send()
    let messages = receiver.messages
    try #require(messages.count == 2)
    #expect(messages.allSatisfy { $0.isSigned(by: made.secret) && $0.type == "clip.published" })
    #expect(Set(messages.map(\.id)).count == 1 && messages[0].body == messages[1].body)
    #expect(messages[1].data["clip_id"] == "clip-1" && messages[1].data["author_id"] == bench.mara)
    #expect(try await bench.last(made.webhook)?.status == 204)
  }
}
