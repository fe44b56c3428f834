import Accounts
import Contract
import Foundation
import Platform

@testable import Composition
@testable import Notifications
@testable import PlatformTesting
@testable import ServerTesting
@testable import Webhooks

/// Endpoints that answer as a test wants, and keep what came.
final class ScriptedEndpoints: WebhookSending {
  private struct State {
    var outcomes: [WebhookOutcome]
    var sent: [(message: SignedMessage, address: String)] = []
  }

  private let state: Shared<State>

  /// The last one stays.
  init(_ outcomes: WebhookOutcome...) {
    state = Shared(State(outcomes: outcomes.isEmpty ? [.answered(status: 200)] : outcomes))
  }

  var sent: [(message: SignedMessage, address: String)] { state.with { $0.sent } }

  /// Of those that came, in order.
  func bodies() throws -> [WebhookMessage] {
    try sent.map { try WireCoding.decode(WebhookMessage.self, from: Data($0.message.body)) }
  }

  func mayReach(_ address: String) -> Bool { address.hasPrefix("https://") }

  func send(_ message: SignedMessage, to address: String) async -> WebhookOutcome {
    state.with { state in
      state.sent.append((message, address))
      return state.outcomes.count > 1 ? state.outcomes.removeFirst() : state.outcomes[0]
    }
  }
}

/// An instance with webhooks, by a clock of the test.
struct WebhookBench {
  let bench: TestInstance
  let clock = TestTime(ms: SystemTime().nowMs)
  let accounts: Accounts
  let store: WebhookStore
  let mara: String

  init(_ sender: any WebhookSending, forAccounts: Bool = true) async throws {
    bench = try await TestInstance()
    accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
    mara = try await accounts.join("mara").id
    bench.instance.webhookSetup.send(
      by: sender, forAccounts: forAccounts, origin: "https://clips.example.org")
    store = bench.instance.webhooks(
      time: clock, owners: bench.instance.news(live: bench.instance.live(bus: nil), time: clock))
    try await verify(mara)
  }

  /// As if the address had been confirmed.
  func verify(_ account: String) async throws {
    try await bench.instance.database.write {
      try $0.execute(
        "UPDATE accounts SET email = ?, email_key = ? WHERE id = ?",
        [.text("\(account)@example.org"), .text("\(account)@example.org"), .text(account)])
    }
  }

  func add(
    _ events: [WebhookEvent] = WebhookEvent.allCases, by account: String? = nil, path: String = "hook"
  ) async throws -> WebhookWithSecret {
    try await store.add(
      NewWebhook(address: "https://hooks.example.org/\(path)", events: events), by: account ?? mara)
  }

  func note(
    _ event: WebhookEvent = .clipPublished, _ subject: String = "clip-1", of account: String? = nil
  ) async throws {
    try await bench.instance.database.write { [store, mara] in
      try store.note(event, about: subject, clip: subject, of: account ?? mara, in: $0)
    }
  }

  /// Everything that is due.
  func send() async throws {
    for isSlow in [false, true] { try await WebhookDelivering(store: store, isSlow: isSlow).run() }
  }

  /// Kinds of what stands in mara's list.
  func told() async throws -> [String] {
    try await bench.instance.notifications(on: bench.instance.database, time: clock)
      .page(of: mara, cursor: nil, limit: 20).page.items.map(\.kind)
  }

  func last(_ webhook: Webhook) async throws -> WebhookDelivery? {
    try await store.deliveries(to: webhook.id, of: mara).items.first
  }

  func shown(_ webhook: Webhook) async throws -> Webhook? {
    try await store.list(of: mara).items.first { $0.id == webhook.id }
  }
}
