import Accounts
import Comments
import Contract
import Foundation
import Maintenance
import Messages
import Notifications
import Platform
import Social
import Testing

@testable import Composition
@testable import Devices
@testable import PlatformTesting
@testable import ServerTesting

/// Devices and what is told to them, on each database.
@Suite(.everyEngine) struct DeviceTests {
  private static let topic = "org.example.clipfeed"

  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)
  private let accounts: Accounts
  private let store: DeviceStore
  private let everywhere: NewsEverywhere
  private let social: SocialStore
  private let messages: MessageStore
  private let comments: CommentStore
  private let phone = KeptPushes()
  private let delivery: PushDelivery
  private let ada: Viewer
  private let bob: Viewer
  private let guest = Viewer(id: "guest-of-a-test", standing: .guest)

  init() async throws {
    bench = try await TestInstance()
    let instance = bench.instance
    accounts = try await instance.accounts(hashing: CountingPasswords(), time: clock)
    store = instance.devices(topic: Self.topic, time: clock)
    everywhere = NewsEverywhere(
      live: instance.live(bus: nil),
      notifications: instance.notifications(on: instance.database, time: clock),
      devices: store, webhooks: instance.webhooks(time: clock))
    let news = SocialNews(live: everywhere)
    social = instance.social(on: instance.database, notices: news)
    messages = instance.messages(on: instance.database, notices: news, time: clock)
    comments = instance.comments(on: instance.database, notices: news)
    delivery = PushDelivery(store, by: phone)
    ada = try await accounts.join("ada")
    bob = try await accounts.join("bob")
  }

  private func token(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 64 - digits.count) + digits
  }

  @discardableResult
  private func register(_ number: Int, by viewer: Viewer) async throws -> PushDevice {
    clock.advance(ms: 1)
    return try await store.register(
      NewPushDevice(token: token(number), environment: .sandbox, topic: Self.topic, locale: "de"), by: viewer)
  }

  @discardableResult
  private func write(_ text: String, from sender: Viewer, to receiver: Viewer) async throws -> Message {
    try await messages.send(
      NewMessage(text: text), to: receiver.id, by: sender, idempotencyKey: "key-of-\(text)")
  }

  /// What is told once everything that waits for a while has waited.
  private func told(afterMs ms: Int64 = DeviceStore.messageDelayMs) async throws -> [String] {
    clock.advance(ms: ms)
    try await delivery.sendDue()
    return phone.take().map(\.shown)
  }

  private func ids(of viewer: Viewer) async throws -> [String] {
    try await store.devices(of: viewer).items.map(\.id)
  }

  // MARK: Whose a device is

  @Test func theSameTokenIsTheSameDevice() async throws {
    let first = try await register(1, by: ada)
    let again = try await register(1, by: ada)
    #expect(again.id == first.id && again.createdAt == first.createdAt)
    #expect(again.registeredAt > first.registeredAt && again.isCurrent && again.locale == "de")
    let other = try await register(2, by: ada)
    #expect(try await ids(of: ada) == [other.id, first.id])
    #expect(try await ids(of: bob) == [])
    try await store.remove(first.id, of: ada.id)
    #expect(await refusal { try await store.remove(first.id, of: ada.id) } == .deviceNotFound)
    #expect(await refusal { try await store.remove(other.id, of: bob.id) } == .deviceNotFound)
    #expect(try await ids(of: ada) == [other.id])
  }

  @Test func whoRegistersADeviceHasItAndNothingOfTheOneBefore() async throws {
    let adas = try await register(1, by: ada)
    try await write("for ada", from: bob, to: ada)
    let bobs = try await register(1, by: bob)
    #expect(bobs.id != adas.id)
    #expect(try await ids(of: ada) == [])
    #expect(try await told() == [])
    try await write("for bob", from: ada, to: bob)
    #expect(try await told() == ["ada: for bob (1)"])
  }

  @Test func atTheSameTimeItIsOneDevice() async throws {
    try await withThrowingTaskGroup { group in
      for number in 0..<16 {
        group.addTask { [self] in
          _ = try await store.register(
            NewPushDevice(token: token(9), environment: .production, topic: Self.topic),
            by: number % 2 == 0 ? ada : bob)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await bench.count("push_devices") == 1)
  }

  @Test func anAppThatIsNotOursAndAServerThatTellsNobodyTakeNone() async throws {
    let new = NewPushDevice(token: token(1), environment: .production, topic: "org.example.other")
    #expect(await refusal { try await store.register(new, by: ada) } == .topicUnknown)
    let off = bench.instance.devices(time: clock)
    #expect(await refusal { try await off.register(new, by: ada) } == .pushOff)
    #expect(try await off.devices(of: ada).topic == nil)
    #expect(try await store.devices(of: nil) == PushDevices(items: [], topic: Self.topic))
  }

  @Test func whoRegistersWithoutEndKeepsTheLastTwenty() async throws {
    for number in 0..<Limits.devices + 5 { try await register(number, by: ada) }
    #expect(try await bench.count("push_devices") == Int64(Limits.devices))
    let oldest = try await ids(of: ada).last
    #expect(try await register(5, by: ada).id == oldest)
  }

  @Test func aDeviceGoesWithItsSession() async throws {
    try await register(1, by: ada)
    let other = try await accounts.signIn(
      NewSession(handle: "ada", password: NewAccount("ada").password, transport: .token), guest: nil,
      client: "")
    let second = Viewer(id: ada.id, standing: .account(session: other.id, role: .member))
    try await register(2, by: second)
    try await accounts.endSession(try #require(ada.session), of: ada.id)
    #expect(try await store.devices(of: second).items.map(\.isCurrent) == [true])
    try await write("hello", from: bob, to: ada)
    #expect(try await told().count == 1)
    try await accounts.endSessions(of: ada.id)
    #expect(try await bench.count("push_devices") == 0)
  }

  @Test func itGoesWithItsAccountAndWhatItsOwnerDidIsToldToNobody() async throws {
    try await register(1, by: ada)
    try await register(2, by: bob)
    try await write("from ada", from: ada, to: bob)
    try await write("to ada", from: bob, to: ada)
    try await accounts.delete(ada.id, AccountDeletion(password: NewAccount("ada").password))
    #expect(try await bench.count("push_devices") == 1)
    #expect(try await bench.count("push_notices") == 0)
    #expect(try await told() == [])
  }

  @Test func aGuestsDeviceIsTheAccountsAndSilentUntilItsAppRegistersIt() async throws {
    let guests = try await register(1, by: guest)
    try await write("first", from: guest, to: bob)
    try await write("to a guest", from: bob, to: guest)
    #expect(try await told() == ["bob: to a guest (1)"])
    let session = try await accounts.signIn(
      NewSession(handle: "ada", password: NewAccount("ada").password, transport: .token), guest: guest.id,
      client: "")
    let signedIn = Viewer(id: ada.id, standing: .account(session: session.id, role: .member))
    #expect(try await ids(of: guest) == [])
    #expect(try await ids(of: ada) == [guests.id])
    try await write("too early", from: bob, to: ada)
    #expect(try await told() == [])
    #expect(try await register(1, by: signedIn).id == guests.id)
    try await write("in time", from: bob, to: ada)
    #expect(try await told() == ["bob: in time (3)"])
    try await accounts.endSession(session.id, of: ada.id)
    #expect(try await ids(of: ada) == [])
  }

  @Test func whatIsOldIsSwept() async throws {
    try await register(1, by: ada)
    try await write("hello", from: bob, to: ada)
    clock.advance(ms: DeviceStore.noticeLifeMs + 1)
    try await store.sweep()
    #expect(try await bench.count("push_notices") == 0)
    #expect(try await bench.count("push_devices") == 1)
    clock.advance(ms: Limits.deviceLifeMs)
    try await store.sweep()
    #expect(try await bench.count("push_devices") == 0)
  }

  // MARK: What is told

  @Test func aMessageIsToldUnlessItWasReadAtOnce() async throws {
    try await register(1, by: ada)
    try await register(2, by: ada)
    try await write("one", from: bob, to: ada)
    #expect(try await told(afterMs: DeviceStore.messageDelayMs - 1) == [], "somebody may be looking")
    #expect(try await told(afterMs: 1) == ["bob: one (1)", "bob: one (1)"])
    #expect(try await bench.count("push_notices") == 0)
    let second = try await write("two", from: bob, to: ada)
    _ = try await messages.markRead(with: bob.id, upTo: second.id, by: ada.id)
    try await write("three", from: bob, to: ada)
    #expect(try await told() == ["bob: three (1)", "bob: three (1)"])
    // Sent again it is the same.
    try await write("three", from: bob, to: ada)
    #expect(try await told() == [])
  }

  @Test func aGuestHasNoName() async throws {
    try await register(1, by: ada)
    try await write("hello", from: guest, to: ada)
    #expect(try await told() == ["[Guest]: hello (1)"])
  }

  @Test func nobodyIsToldOfSomebodyBlocked() async throws {
    try await register(1, by: ada)
    let clip = try await bench.publishBare("clip", by: ada.id)
    try await write("hello", from: bob, to: ada)
    _ = try await social.like(clip, by: bob.id)
    _ = try await social.block(bob.id, by: ada.id)
    #expect(try await told() == [])
    #expect(try await bench.count("push_notices") == 0)
    _ = try await social.unblock(bob.id, by: ada.id)
    try await write("again", from: bob, to: ada)
    _ = try await social.block(ada.id, by: bob.id)
    #expect(try await told() == [], "it holds both ways")
  }

  @Test func whatComesOftenIsToldInGroups() async throws {
    try await register(1, by: ada)
    let clip = try await bench.publishBare("clip", by: ada.id)
    let people = try await (0..<5).asyncMap { try await accounts.join("fan\($0)") }
    _ = try await social.like(clip, by: people[0].id)
    _ = try await social.follow(ada.id, by: people[0].id)
    _ = try await social.like(clip, by: "a-guest")
    #expect(Set(try await told()) == ["[%@ likes your clip|fan0] (0)", "[%@ follows you|fan0] (0)"])
    // Taken back and given anew is no news.
    _ = try await social.unlike(clip, by: people[0].id)
    _ = try await social.like(clip, by: people[0].id)
    for person in people[1...3] { _ = try await social.like(clip, by: person.id) }
    _ = try await social.follow(ada.id, by: people[1].id)
    _ = try await social.follow(ada.id, by: people[2].id)
    #expect(try await told(afterMs: DeviceStore.quietMs - 5000) == [])
    #expect(
      Set(try await told(afterMs: 6000)) == [
        "[%1$@ and %2$@ others like your clips|fan3,2] (0)",
        "[%@ and somebody else follow you|fan2] (0)",
      ])
    #expect(try await bench.count("push_notices") == 0)
  }

  @Test func aCommentIsToldWithItsWordsUnlessItIsGoneByThen() async throws {
    try await register(1, by: ada)
    try await register(2, by: bob)
    let clip = try await bench.publishBare("clip", by: ada.id)
    @discardableResult
    func say(
      _ text: String, to comment: ClipComment? = nil, by viewer: Viewer? = nil
    ) async throws -> ClipComment {
      try await comments.add(
        text, to: clip, replyTo: comment?.id, by: viewer?.id, guest: viewer == nil ? guest.id : nil,
        idempotencyKey: "comment-of-\(text)")
    }
    let first = try await say("nice", by: bob)
    #expect(try await told() == ["[%1$@ commented: %2$@|bob,nice] (0)"])
    let answer = try await say("thanks", to: first, by: ada)
    clock.advance(ms: DeviceStore.messageDelayMs)
    try await delivery.sendDue()
    let push = try #require(phone.take().first)
    #expect(push.shown == "[%1$@ replied: %2$@|ada,thanks] (0)")
    #expect(push.notification.commentID == answer.id && push.notification.clipID == clip)
    // Guests answer and name people, without a name of their own.
    try await say("me too", to: first)
    try await say("look @bob")
    #expect(Set(try await told()) == ["[Guest]: me too (0)", "[Guest]: look @bob (0)"])
    let mention = try await say("hey @bob", by: ada)
    try await comments.delete(mention.id, by: ada.id)
    #expect(try await told() == [])
    // Comments on one's clips gather, and the newest is told.
    try await say("one", by: bob)
    try await say("two", by: bob)
    #expect(try await told() == [])
    #expect(try await told(afterMs: DeviceStore.quietMs) == ["[%1$@ commented: %2$@|bob,two] (0)"])
    #expect(try await bench.count("push_notices") == 0)
  }

  @Test func whatJoinsWhileItIsSentIsToldLater() async throws {
    try await register(1, by: ada)
    let clip = try await bench.publishBare("clip", by: ada.id)
    _ = try await social.like(clip, by: bob.id)
    let other = try await accounts.join("other")
    phone.meanwhile { [social] in _ = try await social.like(clip, by: other.id) }
    #expect(try await told() == ["[%@ likes your clip|bob] (0)"])
    #expect(try await told() == [])
    #expect(try await told(afterMs: DeviceStore.quietMs) == ["[%@ likes your clip|other] (0)"])
  }

  @Test func whoseClipItIsHearsWhatBecameOfIt() async throws {
    try await register(1, by: ada)
    let clips = ClipsWithNews(
      clips: bench.instance.clips, news: everywhere, announcements: bench.instance.announcements(time: clock))
    let good = try await bench.publishBare("good", by: ada.id)
    let bad = try await bench.publishBare("bad", by: ada.id)
    try await bench.instance.database.write { transaction in
      for clip in [good, bad] {
        try transaction.execute("UPDATE clips SET state = 'processing' WHERE id = ?", [.text(clip)])
      }
      try clips.refuse(bad, in: transaction)
    }
    #expect(try await told() == ["[Your clip could not be published] (0)"])
    let rendition = Rendition(
      name: "360", url: "/media/x.mp4", width: 360, height: 640, frameRate: 30, codecs: "avc1.64001e",
      peakBps: 1, averageBps: 1, initialization: ByteRange(offset: 0, size: 1), segments: [])
    try await bench.instance.database.write {
      try clips.publish(
        good, poster: Poster(url: "/media/x.jpg", width: 1, height: 1, placeholder: ""),
        playback: Playback(durationMs: 1000, hlsUrl: "/media/x.m3u8", renditions: [rendition]),
        playlists: [], in: $0)
    }
    clock.advance(ms: 1)
    try await delivery.sendDue()
    let push = try #require(phone.take().first)
    #expect(push.shown == "[Your clip is published] (0)" && push.notification.clipID == good)
  }

  /// What failed for good may be its better renditions.
  @Test func aClipThatCanBeSeenIsNotToldAsFailed() async throws {
    try await register(1, by: ada)
    let clips = ClipsWithNews(
      clips: bench.instance.clips, news: everywhere, announcements: bench.instance.announcements(time: clock))
    let seen = try await bench.publishBare("seen", by: ada.id)
    let isRefused = try await bench.instance.database.write { try clips.refuse(seen, in: $0) }
    #expect(!isRefused)
    #expect(try await told() == [])
    #expect(try await bench.count("notifications") == 0)
  }

  @Test func whatWasMadeFromWordsIsToldByItsName() async throws {
    try await register(1, by: ada)
    try await bench.instance.database.write { [everywhere, ada] in
      try everywhere.tell(ada.id, generation: "one", clip: "clip-1", in: $0)
      try everywhere.tell(ada.id, generation: "two", clip: nil, in: $0)
    }
    clock.advance(ms: 1)
    try await delivery.sendDue()
    let pushes = phone.take()
    #expect(
      Set(pushes.map(\.shown)) == [
        "[Your clip is made: have a look] (0)", "[Your clip could not be made] (0)",
      ])
    let places = pushes.map { "\($0.notification.generationID ?? "")/\($0.notification.clipID ?? "")" }
    #expect(Set(places) == ["one/clip-1", "two/"])
  }

  @Test func aWebhookThatIsOffIsToldUnlessThatIsSwitchedOff() async throws {
    try await register(1, by: ada)
    func tell() async throws {
      try await bench.instance.database.write { [everywhere, ada] in
        try everywhere.switchedOff("one", of: ada.id, because: .gone, in: $0)
      }
    }
    try await tell()
    #expect(try await told() == ["[A webhook of yours was switched off] (0)"])
    let choices = bench.instance.notifications(on: bench.instance.database, time: clock)
    let off = NotificationSettingsChange(items: [.init(kind: NotificationKind.webhookOff, push: false)])
    _ = try await choices.change(off, of: ada.id)
    try await tell()
    #expect(try await told() == [])
  }

  @Test func aClipOfSomebodyWhomOneFollowsIsToldWhereThatIsSwitchedOnAndWhileItIsPublic() async throws {
    try await register(1, by: ada)
    let clip = try await bench.publishBare("clip", by: bob.id)
    let devices = bench.instance.devices(time: clock)
    func tell() async throws {
      try await bench.instance.database.write { [ada, bob] in
        try devices.tell(ada.id, newClip: clip, by: bob.id, in: $0)
      }
    }
    try await tell()
    #expect(try await told() == [])
    let choices = bench.instance.notifications(on: bench.instance.database, time: clock)
    let isOn = NotificationSettingsChange(items: [.init(kind: NotificationKind.newClip, push: true)])
    _ = try await choices.change(isOn, of: ada.id)
    try await tell()
    #expect(try await told() == ["[%@ published a clip|bob] (0)"])
    try await tell()
    try await bench.instance.database.write {
      _ = try $0.execute("UPDATE clips SET visibility = 'private' WHERE id = ?", [.text(clip)])
    }
    #expect(try await told() == [])
  }

  // MARK: What the service answers

  @Test func aDeviceThatIsGoneIsForgottenUnlessItCameBack() async throws {
    try await register(1, by: ada)
    let beforeMs = clock.nowMs
    try await register(1, by: ada)
    try await write("one", from: bob, to: ada)
    phone.answer { _ in .gone(sinceMs: beforeMs) }
    #expect(try await told().count == 1)
    #expect(try await ids(of: ada).count == 1)
    phone.answer { _ in .taken }
    #expect(try await told(afterMs: 60_000) == ["bob: one (1)"], "it is told after all")
    try await write("two", from: bob, to: ada)
    phone.answer { [clock] _ in .gone(sinceMs: clock.nowMs) }
    _ = try await told()
    #expect(try await ids(of: ada) == [])
    try await register(2, by: ada)
    try await write("three", from: bob, to: ada)
    phone.answer { _ in .gone(sinceMs: nil) }
    _ = try await told()
    #expect(try await bench.count("push_devices") == 0)
  }

  @Test func aDeviceThatTakesNoMoreIsTriedLaterAndAtLastNotAtAll() async throws {
    try await register(1, by: ada)
    try await write("one", from: bob, to: ada)
    phone.answer { _ in .later(afterMs: 3_600_000) }
    #expect(try await told().count == 1)
    #expect(try await told(afterMs: 3_599_000) == [])
    phone.answer { _ in .later(afterMs: nil) }
    var tries = 1
    for _ in 0..<40 { tries += try await told(afterMs: 3_600_000).count }
    #expect(tries > 10 && tries <= DeviceStore.tries)
    #expect(try await bench.count("push_notices") == 0)
  }

  /// Each that is tried may take its service 20 s to answer, and there are 32 places for everybody.
  @Test func whatWaitsForADeviceThatTakesNoMoreWaitsTogetherAndOneIsTriedForAll() async throws {
    try await register(1, by: ada)
    try await register(2, by: bob)
    for number in 0..<40 { try await write("message \(number)", from: bob, to: ada) }
    let adas = token(1)
    phone.answer { $0.target.token == adas ? .later(afterMs: nil) : .taken }
    #expect((1...PushDelivery.atOnce).contains(try await told().count), "not all that were taken are tried")
    try await write("new", from: bob, to: ada)
    try await write("to another", from: guest, to: bob)
    #expect(try await told() == ["[Guest]: to another (1)"], "what is new waits as well, and nobody else")
    #expect(try await told(afterMs: 12_999) == [])
    #expect(try await told(afterMs: 1).count == 1)
    #expect(try await told(afterMs: 29_999) == [])
    #expect(try await told(afterMs: 1).count == 1, "the wait grows")
    phone.answer { _ in .later(afterMs: 3_600_000) }
    #expect(try await told(afterMs: 60_000).count == 1)
    phone.answer { _ in .taken }
    #expect(try await told(afterMs: 3_599_999) == [], "what the service asked for holds for all")
    #expect(try await told(afterMs: 1).count == 1)
    #expect(try await told(afterMs: DeviceStore.headwayMs).count == 40)
    #expect(try await bench.count("push_notices") == 0)
  }

  /// It would end the requests beside it in the middle, and those would go out twice.
  @Test func oneThatCannotBeReadDoesNotDisturbThoseBesideIt() async throws {
    try await register(1, by: ada)
    let broken = try await write("broken", from: bob, to: ada)
    clock.advance(ms: 1)
    for number in 0..<PushDelivery.atOnce { try await write("message \(number)", from: bob, to: ada) }
    clock.advance(ms: DeviceStore.messageDelayMs)
    let unreadable = DeviceStore(
      database: store.database, time: clock, messages: BrokenMessage(inner: store.messages, id: broken.id),
      comments: store.comments, blocking: store.blocking, choices: store.choices, signal: store.signal,
      topic: Self.topic, web: nil)
    // The last one begins when the broken one has ended, while all others are under way.
    let together = PushesTogether(PushDelivery.atOnce)
    await #expect(throws: BrokenMessage.Broken.self) {
      try await PushDelivery(unreadable, by: together).sendDue()
    }
    #expect(try await bench.count("push_notices") == 1)
    #expect(try await told(afterMs: DeviceStore.leaseMs) == ["bob: broken (33)"])
  }

  @Test func aServiceThatIsAwayHoldsUpAllAndLosesNothing() async throws {
    try await register(1, by: ada)
    try await register(2, by: bob)
    try await write("to ada", from: bob, to: ada)
    try await write("to bob", from: ada, to: bob)
    phone.answer { _ in .unavailable(afterMs: 60_000, "Shutdown") }
    #expect((1...2).contains(try await told().count))
    #expect(try await told(afterMs: 59_000) == [])
    phone.answer { _ in .taken }
    #expect(Set(try await told(afterMs: 2000)) == ["bob: to ada (1)", "ada: to bob (1)"])
  }

  @Test func whatIsRefusedIsNotSentAgain() async throws {
    try await register(1, by: ada)
    try await write("one", from: bob, to: ada)
    phone.answer { _ in .refused("PayloadEmpty") }
    #expect(try await told().count == 1)
    #expect(try await told(afterMs: 3_600_000) == [])
    #expect(try await ids(of: ada).count == 1)
  }

  @Test func twoWhoSendShareTheWorkAndWhoDiesLosesNothing() async throws {
    for number in 0..<20 { try await register(number, by: ada) }
    try await write("one", from: bob, to: ada)
    clock.advance(ms: DeviceStore.messageDelayMs)
    let another = PushDelivery(bench.instance.devices(topic: Self.topic, time: clock), by: phone)
    async let one: Void = delivery.sendDue()
    async let two: Void = another.sendDue()
    _ = try await (one, two)
    #expect(Set(phone.take().map(\.target.token)).count == 20)
    try await write("two", from: bob, to: ada)
    clock.advance(ms: DeviceStore.messageDelayMs)
    // Whoever took these is no more.
    #expect(try await store.take(12).count == 12)
    #expect(try await told(afterMs: 0).count == 8)
    #expect(try await told(afterMs: DeviceStore.leaseMs - 1) == [])
    #expect(try await told(afterMs: 1).count == 12)
    #expect(try await bench.count("push_notices") == 0)
  }
}

private struct BrokenMessage: PushedMessages {
  struct Broken: Error {}

  let inner: any PushedMessages
  let id: String

  func unreadText(
    ofMessage id: String, to receiver: String, by sender: String, in transaction: any Transaction
  ) throws -> String? {
    guard id != self.id else { throw Broken() }
    return try inner.unreadText(ofMessage: id, to: receiver, by: sender, in: transaction)
  }

  func unreadCount(of viewer: String, in transaction: any Transaction) throws -> Int {
    try inner.unreadCount(of: viewer, in: transaction)
  }
}

/// Takes what it is sent once it was sent so many, or as soon as one of them is cancelled.
private final class PushesTogether: PushSending {
  private let count: Int
  private let begun = Shared(0)
  private let gate = Task<Void, Never> {
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(600)) }
  }

  init(_ count: Int) { self.count = count }

  func send(_ notification: PushNotification, to target: PushTarget) async -> PushOutcome {
    let isLast = begun.with { begun in
      begun += 1
      return begun == count
    }
    if isLast { gate.cancel() }
    await withTaskCancellationHandler {
      await gate.value
    } onCancel: {
      gate.cancel()
    }
    return .taken
  }
}

/// A phone that shows everything.
private final class KeptPushes: PushSending {
  struct Push: Sendable {
    let notification: PushNotification
    let target: PushTarget

    var shown: String {
      let title = notification.title.map { "\(Self.text($0)): " } ?? ""
      return "\(title)\(Self.text(notification.body)) (\(notification.badge))"
    }

    private static func text(_ text: PushNotification.Text) -> String {
      switch text {
      case .words(let words): words
      case .sentence(let sentence, let arguments):
        "[\(([sentence.rawValue] + (arguments.isEmpty ? [] : [arguments.joined(separator: ",")])).joined(separator: "|"))]"
      }
    }
  }

  private struct State {
    var pushes: [Push] = []
    var answer: @Sendable (Push) -> PushOutcome = { _ in .taken }
    var meanwhile: (@Sendable () async throws -> Void)?
  }

  private let state = Shared(State())

  func answer(_ answer: @escaping @Sendable (Push) -> PushOutcome) { state.with { $0.answer = answer } }
  /// What happens while the next one is sent.
  func meanwhile(_ work: @escaping @Sendable () async throws -> Void) {
    state.with { $0.meanwhile = work }
  }

  func take() -> [Push] {
    state.with { state in
      defer { state.pushes = [] }
      return state.pushes
    }
  }

  func send(_ notification: PushNotification, to target: PushTarget) async -> PushOutcome {
    let push = Push(notification: notification, target: target)
    let (answer, meanwhile) = state.with { state in
      state.pushes.append(push)
      defer { state.meanwhile = nil }
      return (state.answer, state.meanwhile)
    }
    do { try await meanwhile?() } catch { Issue.record(error) }
    return answer(push)
  }
}
