import AppModel
import Contract
import Foundation
import Testing

@testable import AppModel

@MainActor @Suite struct PushModelTests {
  private static let topic = "org.example.clipfeed"
  private let server = PushServer()
  private let port = KeptPort()
  private let router = Router()
  private let announcements = Announcements()
  private let model: PushModel

  init() {
    model = PushModel(
      client: Client(transport: server), port: port, router: router, environment: .sandbox,
      topic: Self.topic, locale: "de_DE@calendar=gregorian", account: "ada",
      announcements: announcements)
  }

  private let token = [UInt8](repeating: 0xAB, count: 32)

  // MARK: Registering

  @Test func whoGavePermissionIsRegisteredWithEachStart() async {
    port.state = .given
    await model.becameActive()
    #expect(port.requests == 1)
    await model.received(token)
    #expect(
      server.registered == [
        NewPushDevice(
          token: String(repeating: "ab", count: 32), environment: .sandbox, topic: Self.topic, locale: "de-DE"
        )
      ])
    await model.becameActive()
    await model.received(token)
    #expect(server.registered.count == 1 && port.requests == 1)
    await model.received([UInt8](repeating: 0x01, count: 32))
    #expect(server.registered.count == 2)
  }

  @Test func whoGaveNoneIsNot() async {
    for state in [PushPermission.undecided, .refused] {
      port.state = state
      await model.becameActive()
    }
    #expect(port.requests == 0 && server.registered.isEmpty)
  }

  @Test func whoSignsInOrOutIsRegisteredAnew() async {
    port.state = .given
    model.isNow("bob")
    #expect(server.registered.isEmpty, "there is no token yet")
    await model.received(token)
    for account in [nil, "bob", "bob"] {
      model.isNow(account)
      await model.settled()
    }
    #expect(server.registered.count == 4, "each session has a device of its own")
  }

  @Test func whatDidNotGetThroughIsTriedWhenTheAppComesToTheFront() async {
    port.state = .given
    server.isAway = true
    await model.received(token)
    #expect(server.registered.isEmpty)
    server.isAway = false
    await model.becameActive()
    #expect(server.registered.count == 1)
  }

  @Test func whoSignsInWhileItRegistersIsRegisteredToo() async {
    port.state = .given
    let model = model
    server.meanwhile = { model.isNow("bob") }
    await model.received(token)
    #expect(server.registered.count == 2)
  }

  @Test func aTokenThatIsNoneIsNotSent() async {
    for wrong in [[], [UInt8](repeating: 1, count: 2), [UInt8](repeating: 1, count: 5000)] {
      await model.received(wrong)
    }
    #expect(server.registered.isEmpty)
  }

  // MARK: Asking

  @Test func thePersonIsAskedAfterTheFirstMessageAndOnce() async {
    await model.becameActive()
    #expect(port.asked == 0)
    await model.messageSent()
    await model.messageSent()
    #expect(port.asked == 1 && port.requests == 1)
  }

  @Test func whoHasJustAllowedThemIsToldThatTheyCouldNotBeSetUp() async {
    // Nobody waits for what the app does by itself.
    port.state = .given
    await model.becameActive()
    model.receivedNone()
    #expect(announcements.waiting.isEmpty)
    port.state = .undecided
    await model.messageSent()
    model.receivedNone()
    model.receivedNone()
    #expect(announcements.waiting.count == 1)
    await model.received(token)
    model.receivedNone()
    #expect(announcements.waiting.count == 1)
  }

  @Test func nobodyIsAskedWhereNothingIsSentOrWithoutANetwork() async {
    server.isAway = true
    await model.messageSent()
    #expect(port.asked == 0)
    server.isAway = false
    server.topic = nil
    await model.messageSent()
    #expect(port.asked == 0)
  }

  @Test func whoHasAClipMadeIsAskedOnceToo() async {
    await model.generationBegun()
    #expect(port.asked == 1)
    await model.messageSent()
    #expect(port.asked == 1)
  }

  @Test func whoHasAnsweredIsNotAskedAgain() async {
    port.state = .refused
    await model.messageSent()
    #expect(port.asked == 0)
  }

  @Test func whoRefusesIsNotRegistered() async {
    port.answer = false
    await model.messageSent()
    #expect(port.asked == 1 && port.requests == 0)
  }

  // MARK: Places

  @Test func aTapLeadsToItsPlace() {
    var clips: [String] = []
    var comments: [String] = []
    var webhooks = 0
    model.isReady(
      PushModel.Ways(
        clip: { clips.append($0) }, comment: { comments.append("\($1)/\($0)") },
        webhooks: { webhooks += 1 }))
    model.tapped(["kind": "message", "author": "bob-1", "aps": ["alert": ["body": "x"]]])
    #expect(router.top == .conversation(with: "bob-1"))
    model.tapped(["kind": "like", "clip": "clip_1"])
    #expect(router.top == nil && clips == ["clip_1"])
    model.tapped(["kind": "failed", "clip": "clip_1"])
    #expect(router.top == .upload)
    model.tapped(["kind": "follow", "author": "bob-1"])
    #expect(router.top == .notifications && model.waiting == nil)
    for kind in ["comment", "reply", "mention", "comment_like"] {
      model.tapped(["kind": kind, "clip": "clip_1", "comment": "c1"])
    }
    #expect(router.top == nil && comments == Array(repeating: "clip_1/c1", count: 4))
    model.tapped(["kind": "generated", "clip": "clip_2", "generation": "g-1"])
    #expect(router.top == .generation("g-1"))
    model.tapped(["kind": "generation_failed", "generation": "no id"])
    #expect(router.top == .generations)
    model.tapped(["kind": "webhook_off"])
    #expect(webhooks == 1 && model.waiting == nil)
  }

  @Test func aTapThatStartsTheAppWaitsUntilThereIsAFeed() {
    model.tapped(["kind": "published", "clip": "clip_1"])
    #expect(model.waiting == .clip("clip_1"))
    var clips: [String] = []
    model.isReady(
      PushModel.Ways(clip: { clips.append($0) }, comment: { _, _ in }, webhooks: {}))
    #expect(clips == ["clip_1"] && model.waiting == nil)
  }

  @Test(arguments: [
    "{}", #"{"kind":1}"#, #"{"kind":"message"}"#, #"{"kind":"message","author":["a"]}"#,
    #"{"kind":"message","author":""}"#, #"{"kind":"message","author":"../../x"}"#,
    #"{"kind":"reply","clip":"a"}"#, #"{"kind":"mention","comment":"c"}"#,
    #"{"kind":"comment","clip":"a","comment":"c/.."}"#,
    #"{"kind":"like","clip":"a b"}"#, #"{"kind":"like","clip":null}"#, #"{"kind":"like","clip":"é"}"#,
    #"{"kind":"tomorrow","clip":"a"}"#, #"{"clip":"a","author":"b"}"#,
    "{\"kind\":\"like\",\"clip\":\"\(String(repeating: "a", count: 65))\"}",
  ])
  func whatIsNoPlaceLeadsNowhere(_ text: String) throws {
    let payload = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    model.isReady(
      PushModel.Ways(
        clip: { _ in Issue.record("it was opened") }, comment: { _, _ in Issue.record("it was opened") },
        webhooks: { Issue.record("it was opened") }))
    model.tapped(payload)
    #expect(router.path.isEmpty && model.waiting == nil)
    #expect(model.isShown(payload))
  }

  @Test func theConversationOnTheScreenIsNotTold() {
    let payload: [AnyHashable: Any] = ["kind": "message", "author": "bob"]
    #expect(model.isShown(payload))
    router.open(.conversation(with: "bob"))
    #expect(!model.isShown(payload))
    router.open(.settings)
    #expect(model.isShown(payload))
    let comment: [AnyHashable: Any] = ["kind": "reply", "clip": "a", "comment": "c"]
    #expect(model.isShown(comment))
    router.open(.comments(clip: "a"))
    #expect(!model.isShown(comment))
    let made: [AnyHashable: Any] = ["kind": "generated", "generation": "g-1"]
    #expect(model.isShown(made))
    router.open(.generation("g-2"))
    #expect(model.isShown(made))
    router.open(.generation("g-1"))
    #expect(!model.isShown(made))
  }

  @Test func theBadgeIsWhatWasNotRead() {
    model.unread(3)
    model.unread(-1)
    #expect(port.badges == [3, 0])
  }

  @Test func theSentencesAreThoseThatTheServerSends() {
    #expect(PushTexts.all.count == PushSentence.allCases.count)
    for sentence in PushSentence.allCases { #expect(PushTexts.all[sentence] == sentence.rawValue) }
  }
}

@MainActor private final class KeptPort: PushPort {
  var state = PushPermission.undecided
  var answer = true
  var asked = 0
  var requests = 0
  var badges: [Int] = []

  func permission() async -> PushPermission { state }

  func ask() async -> Bool {
    asked += 1
    state = answer ? .given : .refused
    return answer
  }

  func requestToken() { requests += 1 }
  func showBadge(_ count: Int) { badges.append(count) }
}

@MainActor private final class PushServer: Transport {
  var registered: [NewPushDevice] = []
  var isAway = false
  var topic: String? = "org.example.clipfeed"
  var meanwhile: (() -> Void)?

  func send(_ request: WireRequest) async throws -> WireResponse {
    guard !isAway else { throw CancellationError() }
    guard request.method == "POST" else {
      return WireResponse(
        status: 200, headers: [:], body: try WireCoding.encode(PushDevices(items: [], topic: topic)))
    }
    let new = try WireCoding.decode(NewPushDevice.self, from: request.body ?? Data())
    registered.append(new)
    meanwhile?()
    meanwhile = nil
    let now = Date(timeIntervalSince1970: 0)
    return WireResponse(
      status: 200, headers: [:],
      body: try WireCoding.encode(
        PushDevice(
          id: "1", environment: new.environment, topic: new.topic, locale: new.locale, createdAt: now,
          registeredAt: now, isCurrent: true)))
  }
}
