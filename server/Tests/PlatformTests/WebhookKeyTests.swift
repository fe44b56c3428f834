import Foundation
import Testing

@testable import Platform

/// Signatures of webhooks by the published scheme.
@Suite struct WebhookKeyTests {
  private static let id = "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W"
  private static let timestamp: Int64 = 1_758_941_485
  private static let body = Data(
    #"{"id":"evt_abc123","object":"event","created_at":1758941485,"type":"video.completed","data":{"id":"video_abc123"}}"#
      .utf8)
  private static let signature = "v1,g5E9Z9mspvB/4HQR8et+P4WM2/dJ2Lo7QaxUSjVyiP8="

  private let key: WebhookKey

  init() throws { key = try #require(WebhookKey("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")) }

  private func refusal(
    id: String = id, timestamp: String = "\(timestamp)", signatures: String = signature, body: Data = body,
    nowMs: Int64 = timestamp * 1000
  ) -> WebhookKey.Refused? {
    do {
      try key.verify(
        WebhookKey.Claim(id: id, timestamp: timestamp, signatures: signatures), body: body, nowMs: nowMs)
      return nil
    } catch { return error as? WebhookKey.Refused }
  }

  @Test func thePublishedExampleIsMadeAndTaken() {
    #expect(key.signature(id: Self.id, timestamp: Self.timestamp, body: Self.body) == Self.signature)
    #expect(refusal() == nil)
  }

  @Test func aSecretWithoutItsStartIsTakenAsItIs() throws {
    let plain = try #require(WebhookKey("0123456789abcdef0123456789abcdef"))
    #expect(plain.signature(id: Self.id, timestamp: Self.timestamp, body: Self.body) == Self.signature)
  }

  @Test(arguments: ["", "whsec_", "whsec_no base64", "whsec_AAA"])
  func whatIsNoSecretIsNone(_ text: String) { #expect(WebhookKey(text) == nil) }

  @Test func aNewSecretIsOneAndNeverTheSame() {
    let made = WebhookKey.makeSecret()
    #expect(WebhookKey(made) != nil)
    #expect(made != WebhookKey.makeSecret())
  }

  @Test func oneOfSeveralSignaturesIsEnough() {
    #expect(refusal(signatures: "v1,AAAA \(Self.signature)") == nil)
    #expect(refusal(signatures: "v2,AAAA v1a,BBBB \(Self.signature) v1,") == nil)
    let many = String(repeating: "v1,AAAA ", count: 100_000)
    #expect(refusal(signatures: many + Self.signature) == .wrong)
  }

  @Test(arguments: [
    "", " ", "v1", "v1,", "v1,AAAA", "v1,====", "v2,g5E9Z9mspvB/4HQR8et+P4WM2/dJ2Lo7QaxUSjVyiP8=",
    "g5E9Z9mspvB/4HQR8et+P4WM2/dJ2Lo7QaxUSjVyiP8=", "v1,g5E9Z9mspvB/4HQR8et+P4WM2/dJ2Lo7QaxUSjVyiA==",
  ])
  func aWrongSignatureIsRefused(_ signatures: String) { #expect(refusal(signatures: signatures) == .wrong) }

  @Test func nothingOfItCanBeChanged() throws {
    #expect(refusal(id: "msg_other") == .wrong)
    #expect(refusal(timestamp: "\(Self.timestamp + 1)") == .wrong)
    #expect(refusal(body: Self.body + Data(" ".utf8)) == .wrong)
    #expect(refusal(body: Data()) == .wrong)
    let other = try #require(WebhookKey("another"))
    #expect(throws: WebhookKey.Refused.wrong) {
      try other.verify(
        .init(id: Self.id, timestamp: "\(Self.timestamp)", signatures: Self.signature), body: Self.body,
        nowMs: Self.timestamp * 1000)
    }
  }

  @Test func theClockMayDifferByFiveMinutesEitherWay() {
    let sent = Self.timestamp * 1000
    #expect(refusal(nowMs: sent + 300_000) == nil)
    #expect(refusal(nowMs: sent - 300_000) == nil)
    #expect(refusal(nowMs: sent + 301_000) == .untimely)
    #expect(refusal(nowMs: sent - 301_000) == .untimely)
  }

  @Test(arguments: ["", "-1", "+1758941485", "1758941485.0", "soon", "99999999999999999999999", "１７５８９４１４８５"])
  func aTimeThatIsNoneIsRefused(_ text: String) { #expect(refusal(timestamp: text) == .malformed) }

  /// The end of the id has to be certain: what follows it is signed as well.
  @Test(arguments: ["", "a.b", "a b", "ä", String(repeating: "a", count: 257)])
  func anIdThatIsNoneIsRefused(_ id: String) { #expect(refusal(id: id) == .malformed) }

  @Test func theSecretIsInNoText() {
    var shown = "\(key) \(String(reflecting: key))"
    dump(key, to: &shown)
    #expect(!shown.contains("0123456789abcdef"))
    #expect(!shown.contains("MDEyMzQ1"))
  }
}
