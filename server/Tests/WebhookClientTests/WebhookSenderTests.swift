import Contract
import Foundation
import Platform
import Testing
import Webhooks

@testable import PlatformTesting
@testable import WebhookClient

/// Messages at an endpoint that looks at them as Standard Webhooks says.
@Suite struct WebhookSenderTests {
  private let secret = WebhookKey.makeSecret()
  private let here = NetworkAddress("127.0.0.1")

  private func sender(patience: Duration = WebhookSender.patience) throws -> WebhookSender {
    WebhookSender(allowing: [try #require(here)], patience: patience)
  }

  private func message(_ body: String = #"{"type":"webhook.test"}"#) throws -> SignedMessage {
    let key = try #require(WebhookKey(secret))
    let bytes = Array(body.utf8)
    return SignedMessage(
      id: "msg-1", timestamp: 1_800_000_000,
      signatures: key.signature(id: "msg-1", timestamp: 1_800_000_000, body: bytes), body: bytes)
  }

  @Test func anEndpointKnowsWhoWrote() async throws {
    let receiver = try WebhookReceiver()
    let sender = try sender()
    #expect(sender.mayReach(receiver.address))
    #expect(try await sender.send(message(), to: receiver.address) == .answered(status: 204))
    let taken = try #require(receiver.messages.first)
    #expect(taken.isSigned(by: secret) && taken.id == "msg-1" && taken.type == "webhook.test")
    #expect(!taken.isSigned(by: WebhookKey.makeSecret()))
  }

  @Test func whatAnEndpointAnswersIsUnderstood() async throws {
    let answers: [(WebhookReceiver.Answer, WebhookOutcome)] = [
      (.init(status: 200), .answered(status: 200)), (.init(status: 500), .answered(status: 500)),
      (.init(status: 410), .answered(status: 410)),
      (.init(status: 429, headers: ["retry-after": "7"]), .answered(status: 429, retryAfterMs: 7000)),
      (.init(status: 503, headers: ["retry-after": "soon"]), .answered(status: 503)),
      (.init(status: 503, headers: ["retry-after": "99999999999"]), .answered(status: 503)),
      // More than anybody reads of it.
      (.init(status: 200, body: String(repeating: "x", count: 1 << 20)), .answered(status: 200)),
    ]
    let receiver = try WebhookReceiver { answers[$0].0 }
    let sender = try sender()
    for (_, outcome) in answers {
      #expect(try await sender.send(message(), to: receiver.address) == outcome)
    }
  }

  @Test func nobodyFollowsARedirect() async throws {
    let other = try WebhookReceiver()
    let receiver = try WebhookReceiver { _ in .init(status: 307, headers: ["location": other.address]) }
    #expect(try await sender().send(message(), to: receiver.address) == .answered(status: 307))
    #expect(receiver.messages.count == 1 && other.messages.isEmpty)
  }

  @Test func whoSaysNothingIsNotWaitedForLong() async throws {
    let receiver = try WebhookReceiver { _ in .init(isSilent: true) }
    let sender = try sender(patience: .milliseconds(300))
    #expect(try await sender.send(message(), to: receiver.address) == .unanswered(.timeout))
  }

  @Test func nobodyOfThisMachineOrItsNetworkIsWrittenTo() async throws {
    let receiver = try WebhookReceiver()
    let strict = WebhookSender()
    #expect(!strict.mayReach(receiver.address))
    #expect(try await strict.send(message(), to: receiver.address) == .unanswered(.addressRefused))
    for address in [
      "https://127.0.0.1/x", "https://[::1]/x", "https://0x7f000001/x", "https://10.0.0.1/x",
      "https://172.16.0.1/x", "https://192.168.1.1/x", "https://100.64.0.1/x", "https://169.254.169.254/x",
      "https://[fe80::1]/x", "https://[fd00::1]/x", "https://[::ffff:10.0.0.1]/x", "https://localhost/x",
      "http://hooks.example.org/x", "ftp://hooks.example.org/x", "hook", "",
      "https://user@hooks.example.org/x", "https://hooks.example.org/x#y", "https://hooks.example.org",
      "HTTPS://hooks.example.org/x",
    ] { #expect(!strict.mayReach(address), "\(address)") }
    #expect(strict.mayReach("https://hooks.example.org/x?y=z"))
    // A name of the open network that leads here is found out when it is written to.
    #expect(try await strict.send(message(), to: "https://localhost/x") == .unanswered(.addressRefused))
    #expect(receiver.messages.isEmpty)
  }
}
