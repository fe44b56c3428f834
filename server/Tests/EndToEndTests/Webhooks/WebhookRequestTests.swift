import Accounts
import Contract
import Foundation
import Generation
import Platform
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting
@testable import Webhooks

/// Webhooks on the wire.
@Suite struct WebhookRequestTests {
  private static let secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  private func serving(
    _ body: @escaping @Sendable (_ mara: Bearer, _ paul: Bearer, SocketTransport) async throws -> Void
  ) async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    try await bench.serving(accounts: accounts) { [bench] socket async throws in
      func bearer(_ handle: String) async throws -> Bearer {
        let session = try await Client(transport: socket).signUp(NewAccount(handle))
        return Bearer(inner: socket, token: try #require(session.accessToken))
      }
      let (mara, paul) = (try await bearer("mara"), try await bearer("paul"))
      try await bench.instance.database.write {
        try $0.execute("UPDATE accounts SET email = handle, email_key = handle WHERE handle = 'mara'")
      }
      try await body(mara, paul, socket)
    }
  }

  @Test func oneIsMadeChangedTestedAndRemoved() async throws {
    let sender = ScriptedEndpoints()
    bench.instance.webhookSetup.send(by: sender, forAccounts: true, origin: nil)
    try await serving { [bench] mara, paul, socket async throws in
      let client = Client(transport: mara)
      #expect(try await client.webhooks() == WebhookList(items: [], most: Limits.webhooks))
      let new = NewWebhook(address: "https://hooks.example.org/x", events: [.clipPublished])
      let made = try await client.add(new)
      #expect(made.webhook.enabled && made.secret.hasPrefix("whsec_"))
      let list = try await mara.answer("GET", Route.webhooks.path())
      #expect(!String(decoding: list.response.body, as: UTF8.self).contains("whsec_"))
      let id = made.webhook.id
      let changed = try await client.change(
        webhook: id, WebhookChange(events: [.generationFailed, .generationReady], enabled: false))
      #expect(changed.events == [.generationReady, .generationFailed] && !changed.enabled)
      #expect(try await client.renewSecret(ofWebhook: id).secret != made.secret)
      let test = try await client.testWebhook(id)
      #expect(test.state == .waiting && test.event == WebhookEvent.test)
      try await WebhookDelivering(store: bench.instance.webhooks(), isSlow: false).run()
      let taken = try #require(try await client.deliveries(ofWebhook: id).items.first)
      #expect(taken.id == test.id && taken.state == .delivered && taken.status == 200)
      #expect(try sender.bodies().map(\.type) == [WebhookEvent.test])
      // Nobody else's.
      for (method, target, body) in [
        ("PATCH", Route.webhook.path(id), #"{"enabled":true}"#), ("DELETE", Route.webhook.path(id), nil),
        ("POST", Route.webhookSecret.path(id), nil), ("POST", Route.webhookTests.path(id), nil),
        ("GET", Route.webhookDeliveries.path(id), nil),
      ] as [(String, String, String?)] {
        #expect(try await paul.answer(method, target, body).code == "webhook_not_found", "\(method)")
        #expect(try await socket.answer(method, target, body).code == "sign_in_needed", "\(method)")
      }
      let theirs = #"{"address":"https://hooks.example.org/x","events":["clip.published"]}"#
      let refused = try await paul.answer("POST", Route.webhooks.path(), theirs)
      #expect(refused.status == 403 && refused.code == "verification_needed")
      for body in [
        #"{"address":"https://hooks.example.org/x","events":[]}"#,
        #"{"address":"https://hooks.example.org/x","events":["clip.gone"]}"#,
        #"{"address":"","events":["clip.published"]}"#, #"{"events":["clip.published"]}"#,
      ] { #expect(try await mara.answer("POST", Route.webhooks.path(), body).status == 400, "\(body)") }
      let inner = try await mara.answer(
        "POST", Route.webhooks.path(), #"{"address":"http://10.0.0.1/x","events":["clip.published"]}"#)
      #expect(inner.status == 422 && inner.code == "webhook_address_refused")
      try await client.removeWebhook(id)
      #expect(try await client.webhooks().items.isEmpty)
    }
  }

  private struct Heard: Sendable {
    var id = "msg-1"
    var timestamp: Int64
    var body: String
    var secret = WebhookRequestTests.secret

    func send(_ socket: SocketTransport, to provider: String = "scripted") async throws -> (
      status: Int, code: String?
    ) {
      let key = try #require(WebhookKey(secret))
      let answer = try await socket.answer(
        "POST", Route.generationWebhook.path(provider), body,
        [
          WebhookHeader.id: id, WebhookHeader.timestamp: "\(timestamp)",
          WebhookHeader.signature: key.signature(id: id, timestamp: timestamp, body: Data(body.utf8)),
        ])
      return (answer.status, answer.code)
    }
  }

  /// When the video is asked after the next time.
  private func due() async throws -> [Int64] {
    try await bench.instance.database.read {
      try $0.query("SELECT due_at_ms FROM generations ORDER BY id").map { try $0.integer("due_at_ms") }
    }
  }

  @Test func whatAProviderSaysMakesTheNextPollEarlierAndNothingElse() async throws {
    bench.instance.makers.take([ScriptedVideos { _, _ in .never }])
    bench.instance.webhookSetup.hear(["scripted": try #require(WebhookKey(Self.secret))])
    let later = SystemTime().nowMs + 3_600_000
    try await serving { [self] mara, _, socket async throws in
      let asked = try await Client(transport: mara).generate(
        NewGeneration(prompt: "a fox", seconds: 5), idempotencyKey: "the-first-one")
      try await bench.instance.database.write {
        try $0.execute(
          """
          UPDATE generations SET state = 'in_progress', work = 'ask', provider = 'scripted', remote = 'video_1',
              begun_at_ms = 1, due_at_ms = ?
          """, [.integer(later)])
      }
      let now = SystemTime().nowMs / 1000
      let body = #"{"id":"evt_1","type":"video.completed","data":{"id":"video_1"}}"#
      // By another's key, of another time, of another provider, of another video.
      var wrong = Heard(timestamp: now, body: body)
      wrong.secret = "another secret"
      #expect(try await wrong.send(socket).code == "webhook_signature_refused")
      #expect(try await Heard(timestamp: now - 301, body: body).send(socket).status == 403)
      #expect(try await Heard(timestamp: now, body: body).send(socket, to: "other").status == 404)
      let unknown = Heard(id: "msg-2", timestamp: now, body: #"{"data":{"id":"video_2"}}"#)
      #expect(try await unknown.send(socket).status == 204)
      #expect(try await Heard(id: "msg-3", timestamp: now, body: "[]").send(socket).status == 204)
      let large = Heard(timestamp: now, body: String(repeating: " ", count: Limits.bodyBytes + 1))
      #expect(try await large.send(socket).status == 413)
      #expect(try await due() == [later])
      #expect(try await Heard(timestamp: now, body: body).send(socket).status == 204)
      #expect(try await due()[0] < later)
      // The same once more is the same message.
      try await bench.instance.database.write {
        try $0.execute("UPDATE generations SET due_at_ms = ?", [.integer(later)])
      }
      #expect(try await Heard(timestamp: now, body: body).send(socket).status == 204)
      #expect(try await due() == [later])
      let shown = try await Client(transport: mara).generation(asked.id)
      #expect(shown.state == .inProgress)
    }
  }

  @Test func whatIsNoMessageIsRefused() async throws {
    bench.instance.webhookSetup.hear(["scripted": try #require(WebhookKey(Self.secret))])
    try await serving { _, _, socket async throws in
      let target = Route.generationWebhook.path("scripted")
      let bare = try await socket.answer("POST", target, "{}")
      #expect(bare.status == 400 && bare.code == "invalid_parameter")
      let headers = [
        WebhookHeader.id: "msg-1", WebhookHeader.timestamp: "1", WebhookHeader.signature: "v1,AA==",
      ]
      #expect(try await socket.answer("POST", target, "{}", headers).code == "webhook_signature_refused")
      let form = try await socket.answer(
        "POST", target, "a=b",
        headers.merging(["content-type": "application/x-www-form-urlencoded"]) { first, _ in first })
      #expect(form.status == 415)
      #expect(try await socket.answer("GET", target).status == 405)
    }
  }
}
