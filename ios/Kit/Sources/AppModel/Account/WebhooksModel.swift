public import Contract
public import Observation

/// Addresses that hear of what happens to an account: which there are, another one, what each hears of,
/// whether a test arrives, one less. A secret stays shown until somebody says that it is kept.
///
/// It refuses to know how messages are signed and sent.
@MainActor @Observable public final class WebhooksModel {
  public enum Field: String, CaseIterable, Sendable { case address }

  /// `nil`: they are not there yet.
  public private(set) var webhooks: [Webhook]?
  public private(set) var failure: Sentence?
  /// One whose secret nobody has kept yet.
  public private(set) var made: WebhookWithSecret?
  /// The last messages of those that somebody looked at, by their ids.
  public private(set) var deliveries: [String: [WebhookDelivery]] = [:]
  /// The one that something is done with, by its id.
  public private(set) var busy: String?
  /// What another one is to hear of.
  public private(set) var events = Set(WebhookEvent.allCases)
  public let form = FormState<Field>()

  private var most = 0
  private var isVerified = false
  @ObservationIgnored private let client: Client
  @ObservationIgnored private let clock: any PauseClock
  @ObservationIgnored var say: (Sentence) -> Void = { _ in }
  /// Answers for somebody else are none.
  @ObservationIgnored private var beginning = 0

  /// After a test, from one look at what became of it to the next.
  private static let looks: [Duration] = [
    .milliseconds(700), .milliseconds(1500), .seconds(3), .seconds(6), .seconds(12),
  ]

  init(client: Client, clock: any PauseClock = SystemPauseClock()) {
    self.client = client
    self.clock = clock
  }

  /// Whether this server sends any for accounts.
  public var isOffered: Bool { most > 0 }
  /// Whether the account may have another one: its sign-in was verified.
  public var canAdd: Bool { isOffered && isVerified }

  public func load() async {
    let begun = beginning
    failure = nil
    do {
      let list = try await client.webhooks()
      guard begun == beginning else { return }
      (webhooks, most, isVerified) = (list.items, list.most, list.verified)
    } catch {
      if begun == beginning, !Sentence.isSilent(error) { failure = Sentence(for: error) }
    }
  }

  // MARK: Another one

  /// What another one is to hear of.
  public func choose(_ event: WebhookEvent, isOn: Bool) {
    if isOn {
      events.insert(event)
    } else {
      events.remove(event)
    }
  }

  public func add() async {
    guard !events.isEmpty else {
      form.fail("Choose what it hears of.")
      return
    }
    let begun = beginning
    var answer: WebhookWithSecret?
    let isAdded = await form.submit {
      answer = try await client.add(
        NewWebhook(
          address: form.trimmed(.address) ?? "", events: WebhookEvent.allCases.filter(events.contains)))
    }
    guard isAdded, let answer, begun == beginning else { return }
    webhooks = (webhooks ?? []).filter { $0.id != answer.webhook.id } + [answer.webhook]
    made = answer
    events = Set(WebhookEvent.allCases)
  }

  /// The secret is nowhere else from now on.
  public func kept() { made = nil }

  public func noteCopied() { say("The secret is copied.") }

  // MARK: One of them

  public func choose(_ event: WebhookEvent, isOn: Bool, of webhook: Webhook) async {
    let events = WebhookEvent.allCases.filter { $0 == event ? isOn : webhook.events.contains($0) }
    guard !events.isEmpty else {
      say("It has to hear of something. Switch it off instead.")
      return
    }
    await change(webhook, WebhookChange(events: events))
  }

  public func switchOn(_ isOn: Bool, _ webhook: Webhook) async {
    await change(webhook, WebhookChange(enabled: isOn))
  }

  private func change(_ webhook: Webhook, _ change: WebhookChange) async {
    let changed = await once(webhook) { try await client.change(webhook: webhook.id, change) }
    if let changed { replace(changed) }
  }

  /// For a day messages are signed by the secret before as well.
  public func renewSecret(of webhook: Webhook) async {
    guard let answer = await once(webhook, { try await client.renewSecret(ofWebhook: webhook.id) }) else {
      return
    }
    replace(answer.webhook)
    made = answer
  }

  public func look(at webhook: Webhook) async {
    let list = await once(webhook) { try await client.deliveries(ofWebhook: webhook.id) }
    if let list { deliveries[webhook.id] = list.items }
  }

  /// Sends a message of no meaning, and looks what becomes of it.
  public func test(_ webhook: Webhook) async {
    guard await once(webhook, { try await client.testWebhook(webhook.id) }) != nil else { return }
    say("A test is on its way.")
    let begun = beginning
    for pause in Self.looks {
      do { try await clock.pause(pause) } catch { return }
      guard begun == beginning, webhooks?.contains(where: { $0.id == webhook.id }) == true else { return }
      // The next look may find it.
      guard let list = try? await client.deliveries(ofWebhook: webhook.id), begun == beginning else {
        continue
      }
      deliveries[webhook.id] = list.items
      if list.items.first?.state != .waiting { return }
    }
  }

  public func remove(_ webhook: Webhook) async {
    guard await once(webhook, { try await client.removeWebhook(webhook.id) }) != nil else { return }
    drop(webhook)
    say("The webhook is removed.")
  }

  /// One thing at a time. `nil`: it was not done, which was said, or somebody else is here.
  private func once<Answer: Sendable>(
    _ webhook: Webhook, _ work: () async throws -> Answer
  ) async -> Answer? {
    guard busy == nil else { return nil }
    let begun = beginning
    busy = webhook.id
    defer { if begun == beginning { busy = nil } }
    do {
      let answer = try await work()
      return begun == beginning ? answer : nil
    } catch {
      guard begun == beginning else { return nil }
      // It is gone already.
      if (error as? Problem)?.code == ErrorCode.webhookNotFound.rawValue { drop(webhook) }
      if !Sentence.isSilent(error) { say(Sentence(for: error)) }
      return nil
    }
  }

  private func replace(_ webhook: Webhook) {
    guard let index = webhooks?.firstIndex(where: { $0.id == webhook.id }) else { return }
    webhooks?[index] = webhook
  }

  private func drop(_ webhook: Webhook) {
    webhooks?.removeAll { $0.id == webhook.id }
    deliveries[webhook.id] = nil
  }

  /// Somebody else is here.
  func clear() {
    beginning += 1
    (webhooks, failure, made, busy) = (nil, nil, nil, nil)
    (most, isVerified, deliveries) = (0, false, [:])
    events = Set(WebhookEvent.allCases)
    form.clear()
  }
}
