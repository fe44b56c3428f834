import Contract
import Foundation
import Platform
import Testing

@testable import APNs
@testable import Devices
@testable import PlatformTesting

/// Notifications at a server that looks at us as Apple does.
@Suite struct APNsTests {
  private let clock = TestTime(ms: 1_800_000_000_000)

  private func sender(
    _ apple: AppleServer, key: String? = nil, patience: Duration = .seconds(60)
  ) throws -> APNsSender {
    try APNsSender(
      APNsSettings(
        team: AppleServer.team, keyID: AppleServer.keyID, key: key ?? apple.keyText,
        server: apple.address, certificates: apple.certificates), time: clock, patience: patience)
  }

  private func target(_ number: Int = 0) -> PushTarget {
    let digits = String(number, radix: 16)
    return PushTarget(
      id: "device-\(number)", token: String(repeating: "0", count: 64 - digits.count) + digits,
      environment: .sandbox, topic: AppleServer.topic)
  }

  private func message(_ text: String, from name: String = "Mara", called: String = "message/1")
    -> PushNotification
  {
    PushNotification(
      kind: PushKey.message, title: .words(name), body: .words(text), badge: 3, thread: "message/mara",
      clipID: nil, authorID: "mara", name: called, isUrgent: true, expiresMs: clock.nowMs + 86_400_000)
  }

  private func like(_ names: [String], _ sentence: PushSentence = .like) -> PushNotification {
    PushNotification(
      kind: PushKey.like, body: .sentence(sentence, names), badge: 0, thread: "like", clipID: "clip-1",
      name: "like", isUrgent: false, expiresMs: clock.nowMs + 86_400_000)
  }

  @Test func aNotificationIsAsAppleWantsIt() async throws {
    let apple = try await AppleServer(time: clock)
    let sender = try sender(apple)
    #expect(await sender.send(message("hello"), to: target(7)) == .taken)
    #expect(await sender.send(like(["Paul"]), to: target(7)) == .taken)
    #expect(apple.refusals == [])
    let pushes = apple.pushes
    try #require(pushes.count == 2)
    #expect(pushes[0].token == target(7).token && pushes[0].id == "message/1")
    #expect(pushes[0].headers["apns-priority"] == "10" && pushes[1].headers["apns-priority"] == "5")
    #expect(pushes[0].headers["apns-expiration"] == "1800086400")
    #expect(pushes[0].headers["content-type"] == "application/json")
    #expect(
      String(decoding: pushes[0].payload, as: UTF8.self)
        == #"{"aps":{"alert":{"body":"hello","title":"Mara"},"badge":3,"sound":"default","thread-id":"message/mara"},"author":"mara","kind":"message"}"#
    )
    #expect(
      String(decoding: pushes[1].payload, as: UTF8.self)
        == #"{"aps":{"alert":{"loc-args":["Paul"],"loc-key":"%@ likes your clip"},"badge":0,"thread-id":"like"},"clip":"clip-1","kind":"like"}"#
    )
    await sender.end()
    try await apple.end()
  }

  @Test func whatWasMadeFromWordsIsNamed() throws {
    let made = PushNotification(
      kind: PushKey.generated, body: .sentence(.generated, []), badge: 0, thread: PushKey.generated,
      clipID: "clip-1", generationID: "generation-1", name: "generated/generation-1", isUrgent: false,
      expiresMs: clock.nowMs)
    #expect(
      String(decoding: try APNsPayload.bytes(of: made), as: UTF8.self)
        == #"{"aps":{"alert":{"loc-key":"Your clip is made: have a look"},"badge":0,"thread-id":"generated"},"clip":"clip-1","generation":"generation-1","kind":"generated"}"#
    )
  }

  @Test func manyAtOnceTakeOneConnectionAndOneToken() async throws {
    let apple = try await AppleServer(time: clock)
    let sender = try sender(apple)
    #expect(await sender.send(message("first"), to: target()) == .taken)
    await withTaskGroup { group in
      for number in 1...60 {
        group.addTask { [self] in
          #expect(await sender.send(message("\(number)"), to: target(number)) == .taken)
        }
      }
    }
    #expect(apple.connections == 1 && apple.tokens == 1 && apple.pushes.count == 61)
    await sender.end()
    try await apple.end()
  }

  @Test func manyWhoComeFirstTakeOneToken() async throws {
    let apple = try await AppleServer(time: clock)
    let sender = try sender(apple)
    await withTaskGroup { group in
      for number in 0..<60 {
        group.addTask { [self] in
          #expect(await sender.send(message("\(number)"), to: target(number)) == .taken)
        }
      }
    }
    #expect(Set(apple.pushes.map { $0.headers["authorization"] }).count == 1)
    await sender.end()
    try await apple.end()
  }

  @Test func aTokenIsUsedForFortyMinutes() async throws {
    let apple = try await AppleServer(time: clock)
    let sender = try sender(apple)
    for (advanceMs, tokens) in [(0, 1), (ProviderToken.lifeMs - 1, 1), (1, 2), (3_000_000, 3)] {
      clock.advance(ms: advanceMs)
      var fresh = message("hello")
      fresh.expiresMs = clock.nowMs + 1000
      #expect(await sender.send(fresh, to: target()) == .taken)
      #expect(apple.tokens == tokens)
    }
    #expect(apple.refusals == [])
    await sender.end()
    try await apple.end()
  }

  @Test func aTokenThatIsRefusedAsExpiredIsMadeAnewOnceInTwentyMinutes() async throws {
    let tokens = Shared<[String]>([])
    let apple = try await AppleServer(time: clock) { push, number in
      tokens.with { $0.append(push.headers["authorization"] ?? "") }
      return number == 0 || number == 2 || number == 4
        ? .status(403, reason: "ExpiredProviderToken") : .taken
    }
    let sender = try sender(apple)
    // NB: a token of another second than the first, or Apple's rule about new ones would not be met.
    #expect(await sender.send(message("one"), to: target()) == .taken)
    #expect(
      await sender.send(message("two"), to: target())
        == .unavailable(afterMs: 300_000, "ExpiredProviderToken"))
    #expect(await sender.send(message("two"), to: target()) == .taken)
    clock.advance(ms: ProviderToken.patienceMs)
    #expect(await sender.send(message("three"), to: target()) == .taken)
    #expect(tokens.with { $0.count } == 6)
    #expect(tokens.with { Set($0).count } >= 2)
    await sender.end()
    try await apple.end()
  }

  @Test func whatAppleAnswersIsUnderstood() async throws {
    let answers: [(AppleServer.Answer, PushOutcome)] = [
      (.status(410, reason: "Unregistered", timestamp: 1_799_999_999_000), .gone(sinceMs: 1_799_999_999_000)),
      (.status(410, reason: "Unregistered"), .gone(sinceMs: nil)),
      (.status(400, reason: "BadDeviceToken"), .gone(sinceMs: nil)),
      (.status(400, reason: "DeviceTokenNotForTopic"), .gone(sinceMs: nil)),
      (.status(400, reason: "PayloadEmpty"), .refused("PayloadEmpty")),
      (.status(413, reason: "PayloadTooLarge"), .refused("PayloadTooLarge")),
      (.status(400, reason: "<b> \\u0000 of a stranger"), .refused("status 400")),
      (.status(400, reason: "TopicDisallowed"), .unavailable(afterMs: 300_000, "TopicDisallowed")),
      (.status(403, reason: "InvalidProviderToken"), .unavailable(afterMs: 300_000, "InvalidProviderToken")),
      (.status(429, reason: "TooManyRequests", headers: ["retry-after": "7"]), .later(afterMs: 7000)),
      (.status(429, reason: "TooManyRequests"), .later(afterMs: nil)),
      (
        .status(429, reason: "TooManyProviderTokenUpdates"),
        .unavailable(afterMs: 300_000, "TooManyProviderTokenUpdates")
      ),
      (
        .status(503, reason: "ServiceUnavailable", headers: ["retry-after": "3"]),
        .unavailable(afterMs: 3000, "ServiceUnavailable")
      ),
      (
        .status(503, reason: "Shutdown", headers: ["retry-after": "99999999999999999999"]),
        .unavailable(afterMs: nil, "Shutdown")
      ),
      (.status(500, reason: "InternalServerError"), .unavailable(afterMs: nil, "InternalServerError")),
    ]
    let apple = try await AppleServer(time: clock) { _, number in answers[number].0 }
    let sender = try sender(apple)
    for (number, (_, outcome)) in answers.enumerated() {
      #expect(await sender.send(message("\(number)"), to: target()) == outcome)
    }
    #expect(apple.connections == 1)
    await sender.end()
    try await apple.end()
  }

  @Test func aConnectionThatGoesAwayIsOpenedAnewAndNothingIsLost() async throws {
    let apple = try await AppleServer(time: clock) { _, number in
      switch number {
      case 1: .goingAway
      case 4: .takenAndGoingAway
      default: .taken
      }
    }
    let sender = try sender(apple)
    for number in 0..<8 { #expect(await sender.send(message("\(number)"), to: target()) == .taken) }
    #expect(apple.connections >= 3)
    // The second one came twice: once to the connection that went away.
    let texts = apple.pushes.compactMap { $0.alert["body"] as? String }
    #expect(Set(texts) == Set((0..<8).map(String.init)) && texts.filter { $0 == "1" }.count == 2)
    await sender.end()
    try await apple.end()
  }

  @Test func whoIsSilentIsGivenUp() async throws {
    let apple = try await AppleServer(time: clock) { _, _ in .silence }
    let sender = try sender(apple, patience: .milliseconds(200))
    #expect(await sender.send(message("hello"), to: target()) == .later(afterMs: nil))
    await sender.end()
    try await apple.end()
  }

  @Test func whoIsNotThereOrIsSomebodyElseIsNotToldAnything() async throws {
    let apple = try await AppleServer(time: clock)
    let (address, key) = (apple.address, apple.keyText)
    // Nobody here vouches for its certificate.
    let distrusting = try APNsSender(
      APNsSettings(team: AppleServer.team, keyID: AppleServer.keyID, key: key, server: address), time: clock)
    guard case .unavailable = await distrusting.send(message("hello"), to: target()) else {
      Issue.record("it was told to somebody")
      return
    }
    #expect(apple.pushes.isEmpty && apple.refusals.isEmpty)
    let sender = try sender(apple)
    try await apple.end()
    guard case .unavailable = await sender.send(message("hello"), to: target()) else {
      Issue.record("it was told to nobody")
      return
    }
    await distrusting.end()
    await sender.end()
  }

  @Test func aKeyThatIsNoneIsRefused() async throws {
    let apple = try await AppleServer(time: clock)
    #expect(throws: AppError.self) { try self.sender(apple, key: "-----BEGIN PRIVATE KEY-----") }
    #expect(throws: AppError.self) {
      try APNsSender(
        APNsSettings(
          team: AppleServer.team, keyID: AppleServer.keyID, key: apple.keyText,
          certificates: "nothing"), time: clock)
    }
    try await apple.end()
  }

  // By their place: a report of the tests would take long to write these down.
  private static let texts = [
    String(repeating: "a", count: 100_000), String(repeating: "\u{1}", count: 4000),
    String(repeating: "👩‍👩‍👧‍👦", count: 500), String(repeating: "\"\\", count: 3000),
    "a" + String(repeating: "\u{301}", count: 2000), String(repeating: "\u{2028}", count: 3000),
  ]

  @Test(arguments: 0..<6) func whateverPeopleWriteFits(_ number: Int) throws {
    let text = Self.texts[number]
    for notification in [message(text, from: text), like([text, text], .reaction)] {
      var notification = notification
      notification.thread = "message/\(text)"
      let bytes = try APNsPayload.bytes(of: notification)
      #expect(bytes.count <= Limits.pushPayloadBytes)
      let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
      let alert = (object?["aps"] as? [String: Any])?["alert"] as? [String: Any]
      let shown = alert?["body"] as? String ?? (alert?["loc-args"] as? [String])?.first
      // A beginning of it, in whole scalars.
      #expect(try text.utf8.starts(with: #require(shown).utf8) && shown != "")
    }
  }

  @Test func aNameThatIsNoHeaderIsAHash() {
    #expect(APNsPayload.collapseID(of: "message/1") == "message/1")
    for name in [String(repeating: "x", count: 65), "a\r\nb", "ä"] {
      #expect(APNsPayload.collapseID(of: name).wholeMatch(of: /[0-9a-f]{64}/) != nil)
    }
  }
}
