import Contract
import Crypto
import Dialing
import Foundation
import Platform
import Testing

@testable import Devices
@testable import PlatformTesting
@testable import WebPush

@Suite struct MessageEncryptionTests {
  private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.bytes(text)) }

  /// RFC 8291, section 5 and appendix A.
  @Test func theExampleOfTheStandardIsMadeByteForByte() throws {
    let sender = try P256.KeyAgreement.PrivateKey(
      rawRepresentation: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
    let point = try #require(
      MessageEncryption.point(
        bytes(
          "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")))
    let made = try MessageEncryption.encrypt(
      Array("When I grow up, I want to be a watermelon".utf8), to: point,
      secret: bytes("BTBZMqHH6r4Tts7J_aSIgg"), salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"), sender: sender)
    #expect(
      Base64URL.text(made)
        == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
  }

  @Test func whatIsTooLongIsRefusedAndTheLongestIsReadAgain() throws {
    let (receiver, secret) = (P256.KeyAgreement.PrivateKey(), MessageEncryption.makeSalt())
    let longest = [UInt8](repeating: 0x61, count: Limits.webPayloadBytes)
    let made = try MessageEncryption.encrypt(longest, to: receiver.publicKey, secret: secret)
    #expect(made.count == 4096)
    #expect(try PushService.read(made, receiver, secret).utf8.count == longest.count)
    #expect(
      try PushService.read(
        MessageEncryption.encrypt([], to: receiver.publicKey, secret: secret), receiver, secret) == "")
    #expect(throws: MessageEncryption.Refused.self) {
      try MessageEncryption.encrypt(longest + [0x61], to: receiver.publicKey, secret: secret)
    }
    #expect(
      try MessageEncryption.encrypt([1], to: receiver.publicKey, secret: secret)
        != MessageEncryption.encrypt([1], to: receiver.publicKey, secret: secret))
  }

  @Test(arguments: [
    [], [4], [UInt8](repeating: 0, count: 65), [4] + [UInt8](repeating: 0, count: 64),
    [4] + [UInt8](repeating: 255, count: 64), [2] + [UInt8](repeating: 1, count: 32),
  ])
  func whatIsNoPointOfTheCurveIsNone(_ bytes: [UInt8]) {
    #expect(MessageEncryption.point(bytes) == nil)
  }
}

/// Notifications at a push service that looks at us as the standards say.
@Suite struct WebPushSenderTests {
  private let clock = TestTime(ms: 1_800_000_000_000)
  private let server: ServerKey
  private let here = NetworkAddress("127.0.0.1")

  init() {
    server = ServerKey(key: P256.Signing.PrivateKey(), contact: "mailto:ops@example.org", time: clock)
  }

  private func sender(patience: Duration = .seconds(20)) throws -> WebPushSender {
    WebPushSender(server, allowing: [try #require(here)], time: clock, patience: patience)
  }

  private func target(_ device: NewWebDevice) -> PushTarget {
    PushTarget(
      id: "device", token: device.endpoint,
      web: WebKeys(p256dh: device.keys.p256dh, auth: device.keys.auth))
  }

  private func like(_ names: [String] = ["Paul"]) -> PushNotification {
    PushNotification(
      kind: PushKey.like, body: .sentence(.like, names), badge: 0, thread: "like", clipID: "clip-1",
      name: "like", isUrgent: false, expiresMs: clock.nowMs + 86_400_000)
  }

  private func message(_ text: String) -> PushNotification {
    PushNotification(
      kind: PushKey.message, title: .words("Mara"), body: .words(text), badge: 3, thread: "message/mara",
      clipID: nil, authorID: "mara/../x", name: "message/1", isUrgent: true,
      expiresMs: clock.nowMs + 1000)
  }

  @Test func aBrowserReadsWhatWasSentAndItsServiceLetsItIn() async throws {
    let service = try PushService(time: clock)
    let device = service.subscribe(to: server.text)
    let sender = try sender()
    #expect(sender.mayReach(device))
    #expect(await sender.send(like(), to: target(device)) == .taken)
    #expect(await sender.send(message("hello"), to: target(device)) == .taken)
    #expect(service.refusals == [])
    let pushes = service.pushes
    try #require(pushes.count == 2)
    #expect(
      pushes[0].object == [
        "title": "Clipfeed", "body": "Paul likes your clip", "tag": "like", "url": "/c/clip-1",
        "sentence": "%@ likes your clip",
      ])
    #expect(pushes[0].arguments == ["Paul"] && pushes[1].arguments == nil)
    #expect(
      pushes[1].object == [
        "title": "Mara", "body": "hello", "tag": "message/1", "url": "/#messages/mara%2F..%2Fx",
      ])
    #expect(pushes[0].headers["urgency"] == "normal" && pushes[1].headers["urgency"] == "high")
    #expect(pushes[0].headers["ttl"] == "86400" && pushes[1].headers["ttl"] == "1")
    #expect(pushes[0].headers["topic"] != pushes[1].headers["topic"])
  }

  @Test func aTapOnWhatWasMadeFromWordsLeadsToItsPage() throws {
    for kind in [PushKey.generated, PushKey.generationFailed] {
      let places: [(String?, String)] = [
        ("g/../x", "/#account/generation/g%2F..%2Fx"), (nil, "/#notifications"),
      ]
      for (id, place) in places {
        let made = PushNotification(
          kind: kind, body: .sentence(.generated, []), badge: 0, thread: kind, clipID: "clip-1",
          generationID: id, name: "\(kind)/g", isUrgent: false, expiresMs: clock.nowMs)
        let payload = try JSONSerialization.jsonObject(with: Data(try WebPayload.bytes(of: made)))
        #expect((payload as? [String: Any])?["url"] as? String == place)
      }
    }
  }

  @Test func oneTokenIsUsedForHoursAndNoneForADay() async throws {
    let service = try PushService(time: clock)
    let device = service.subscribe(to: server.text)
    let sender = try sender()
    for advanceMs in [0, 1000, ServerKey.lifeMs / 2, ServerKey.lifeMs - 1] {
      clock.advance(ms: advanceMs)
      #expect(await sender.send(like(), to: target(device)) == .taken)
    }
    #expect(service.refusals == [])
    let tokens = service.pushes.map { $0.headers["authorization"] }
    #expect(tokens[0] == tokens[1] && tokens[1] != tokens[2])
  }

  @Test func whatAServiceAnswersIsUnderstood() async throws {
    let answers: [(PushService.Answer, PushOutcome)] = [
      (.init(status: 200), .taken), (.init(status: 202), .taken),
      (.init(status: 404), .gone(sinceMs: nil)), (.init(status: 410), .gone(sinceMs: nil)),
      (.init(status: 413), .refused("status 413")), (.init(status: 403), .refused("status 403")),
      (.init(status: 429, headers: ["retry-after": "7"]), .later(afterMs: 7000)),
      (.init(status: 429, headers: ["retry-after": "99999999999"]), .later(afterMs: nil)),
      (.init(status: 503, headers: ["retry-after": "soon"]), .later(afterMs: nil)),
      // Wherever it leads, nobody goes there.
      (.init(status: 307, headers: ["location": "http://127.0.0.1:1/"]), .refused("status 307")),
    ]
    let service = try PushService(time: clock) { _, number in answers[number].0 }
    let device = service.subscribe(to: server.text)
    let sender = try sender()
    for (_, outcome) in answers { #expect(await sender.send(like(), to: target(device)) == outcome) }
    service.unsubscribe(device)
    #expect(await sender.send(like(), to: target(device)) == .gone(sinceMs: nil))
  }

  @Test func aServiceThatSaysNothingIsTriedLater() async throws {
    let service = try PushService(time: clock) { _, _ in .init(isSilent: true) }
    let sender = try sender(patience: .milliseconds(200))
    #expect(await sender.send(like(), to: target(service.subscribe(to: server.text))) == .later(afterMs: nil))
  }

  @Test func nobodyOfThisMachineOrItsNetworkIsWrittenTo() async throws {
    let service = try PushService(time: clock)
    let device = service.subscribe(to: server.text)
    let strict = WebPushSender(server, time: clock)
    #expect(!strict.mayReach(device))
    #expect(await strict.send(like(), to: target(device)) == .gone(sinceMs: nil))
    #expect(service.pushes.isEmpty && service.refusals.isEmpty)
    for endpoint in [
      "https://127.0.0.1/x", "https://[::1]/x", "https://0x7f000001/x", "https://10.0.0.1/x",
      "https://localhost/x",
      "https://169.254.169.254/latest", "http://push.example.org/x", "ftp://push.example.org/x", "push", "",
      "https://user@push.example.org/x", "https://push.example.org/x#y", "https://push.example.org",
      "HTTPS://push.example.org/x",
    ] {
      #expect(!strict.mayReach(NewWebDevice(endpoint: endpoint, keys: device.keys)), "\(endpoint)")
    }
    #expect(strict.mayReach(NewWebDevice(endpoint: "https://push.example.org/x?y=z", keys: device.keys)))
    // A name of the open network that leads here is found out when it is written to.
    let leading = PushTarget(
      id: "d", token: "https://localhost/x", web: WebKeys(p256dh: device.keys.p256dh, auth: device.keys.auth))
    #expect(await strict.send(like(), to: leading) == .gone(sinceMs: nil))
  }

  @Test func keysThatAreNoneAreRefused() throws {
    let sender = try sender()
    let good = try PushService().subscribe(to: server.text)
    for (point, secret) in [
      (String(repeating: "A", count: 87), good.keys.auth), (good.keys.p256dh, "AAAA"), ("", ""),
      (good.keys.p256dh, String(repeating: "?", count: 22)),
    ] {
      let keys = NewWebDevice.Keys(p256dh: point, auth: secret)
      #expect(!sender.mayReach(NewWebDevice(endpoint: "https://push.example.org/x", keys: keys)))
    }
  }

  @Test func aLongTextIsCutUntilItFits() async throws {
    let service = try PushService(time: clock)
    let device = service.subscribe(to: server.text)
    let sender = try sender()
    for text in [
      String(repeating: "\u{1}", count: 4000), String(repeating: "🎬", count: 4000), "\"\\</script>",
    ] {
      #expect(await sender.send(message(text), to: target(device)) == .taken)
      #expect(await sender.send(like([text]), to: target(device)) == .taken)
    }
    #expect(service.refusals == [])
    #expect(service.pushes.allSatisfy { text in text.object["body"]?.isEmpty == false })
    #expect(service.pushes[4].object["body"] == "\"\\</script>")
  }
}
