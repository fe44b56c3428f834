import Composer
import Contract
import CoreTypes
import Foundation
import Persistence
import PlaybackTesting
import Synchronization
import Testing

@testable import AppModel

/// The core's machine with clips under it, as the feed's session has it.
@MainActor private final class MachineFeed: ComposerFeed {
  private var composer = Composer()
  private var events: [Composer.Event] = []
  private var isDelivering = false
  var clips: [Int32: Clip]
  var commands: [Composer.Command] = []
  var now = Instant(0)
  var isChanging = false
  weak var host: ComposerHost?

  init(_ clips: [Clip]) {
    self.clips = Dictionary(uniqueKeysWithValues: zip(Int32(0)..., clips))
  }

  func clip(of item: ItemID) -> Clip? { clips[item.rawValue] }
  func item(of id: String) -> ItemID? { clips.first { $0.value.id == id }.map { ItemID($0.key) } }

  func report(_ event: Composer.Event) {
    events.append(event)
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    while !events.isEmpty {
      var emitted: [Composer.Command] = []
      composer.handle(events.removeFirst(), at: now) { emitted.append($0) }
      commands += emitted
      for command in emitted { host?.carryOut(command) }
    }
  }
}

/// Hosts know their feed weakly.
@MainActor private final class Feeds { var all: [MachineFeed] = [] }

@MainActor private final class DisplayLog: MessageBarDisplay {
  weak var host: ComposerHost?
  var floated: [Reaction] = []
  var confirmed = 0
  func barChanged() {}
  func textChanged() {}
  func leaveField() { host?.fieldBlurred() }
  func float(_ reaction: Reaction) { floated.append(reaction) }
  func confirmSent() { confirmed += 1 }
}

@MainActor @Suite struct ComposerHostTests {
  private let folder = TemporaryFolder()
  private let display = DisplayLog()
  private let announcements = Announcements()
  private let viewer = SomeViewer("me")
  private let keys = countingKeys()
  private let feeds = Feeds()

  private func start(_ transport: AnsweringTransport, _ clips: [Clip]) -> (ComposerHost, MachineFeed) {
    let drafts = DraftBook(
      StoredFile(folder.url.appending(path: "drafts")), viewer: viewer, makeKey: keys)
    let host = ComposerHost(
      client: Client(transport: transport), drafts: drafts, viewer: viewer, announcements: announcements,
      makeKey: keys)
    let feed = MachineFeed(clips)
    feeds.all.append(feed)
    feed.host = host
    host.display = display
    display.host = host
    host.attach(to: feed)
    feed.report(.currentChanged(ItemID(0)))
    return (host, feed)
  }

  private func write(_ text: String, in host: ComposerHost) {
    host.fieldFocused()
    host.textTyped(text)
  }

  private static let arriving = AnsweringTransport { _ in
    try .json(Message.sample("m", "hello", isOwn: true), status: 201)
  }

  @Test func sendingEmptiesTheFieldInTheSameTurnAndTheMessageArrives() async throws {
    let transport = Self.arriving
    let (host, _) = start(transport, [.sample("clip")])
    write("hello", in: host)
    #expect(host.bar.buttons == .send)
    host.sendTapped()
    #expect(host.text == "" && !host.bar.isFocused && host.state == "Sending…")
    var sent = 0
    host.onMessageSent = { sent += 1 }
    await host.settled()
    #expect(host.state == nil && display.confirmed == 1 && sent == 1)
    let request = try #require(transport.requests.last)
    #expect(request.target == "/api/v1/conversations/author/messages")
    let body = try WireCoding.decode(NewMessage.self, from: request.body ?? Data())
    #expect(body == NewMessage(text: "hello", clipId: "clip"))
  }

  @Test func whatFailsComesBackAndIsSentAgainUnderTheSameKey() async {
    let isDown = Mutex(true)
    let transport = AnsweringTransport { _ in
      if isDown.withLock({ $0 }) { throw Unreachable() }
      return try .json(Message.sample("m", "hello", isOwn: true), status: 201)
    }
    let (host, _) = start(transport, [.sample("clip")])
    write("hello", in: host)
    host.sendTapped()
    await host.settled()
    #expect(host.text == "hello" && host.state == "Not sent. Try again.")
    #expect(host.bar.showsText)
    isDown.withLock { $0 = false }
    host.fieldFocused()
    host.sendTapped()
    await host.settled()
    #expect(host.text == "" && host.state == nil)
    #expect(transport.keys.count == 2 && Set(transport.keys).count == 1)
  }

  @Test func whatIsWrittenWaitsAtItsClipWhileAnotherListIsThere() {
    let (host, feed) = start(Self.arriving, [.sample("first"), .sample("second")])
    write("hello", in: host)
    feed.isChanging = true
    feed.report(.currentChanged(ItemID(1)))
    feed.report(.itemRemoved(ItemID(0)))
    feed.isChanging = false
    #expect(host.text == "")
    feed.report(.currentChanged(ItemID(0)))
    #expect(host.text == "hello")
    host.fieldFocused()
    #expect(host.bar.buttons == .send)
    // A clip that is gone for good takes its text along.
    feed.report(.currentChanged(ItemID(1)))
    feed.report(.itemRemoved(ItemID(0)))
    feed.report(.currentChanged(ItemID(0)))
    #expect(host.text == "")
  }

  @Test func aMessageThatFailsOnceItsListIsGoneWaitsAtItsClip() async {
    let transport = AnsweringTransport { _ in throw Unreachable() }
    let (host, feed) = start(transport, [.sample("first"), .sample("second")])
    write("hello", in: host)
    host.sendTapped()
    feed.isChanging = true
    feed.report(.currentChanged(ItemID(1)))
    feed.report(.itemRemoved(ItemID(0)))
    feed.isChanging = false
    await host.settled()
    #expect(announcements.waiting.last?.text.key.hasSuffix("It is waiting at their clip.") == true)
    feed.report(.currentChanged(ItemID(0)))
    #expect(host.text == "hello")
  }

  @Test func aRefusalSaysWhy() async {
    let transport = AnsweringTransport { _ in try .problem(.messageTooLong) }
    let (host, _) = start(transport, [.sample("clip")])
    write("hello", in: host)
    host.sendTapped()
    await host.settled()
    #expect(host.text == "hello")
    #expect(host.state == "The text is too long.")
  }

  @Test func whoTakesNoMessagesHasNoFieldFromThenOn() async {
    let transport = AnsweringTransport { _ in try .problem(.messagesOff) }
    let (host, _) = start(transport, [.sample("clip")])
    write("hello", in: host)
    host.sendTapped()
    await host.settled()
    #expect(host.bar.access == .off && host.closedReason == "This person takes no messages.")
    #expect(announcements.waiting.map(\.text) == ["This person takes no messages."])
  }

  @Test func aKillWhileAMessageIsOnItsWayBringsItsTextBack() async throws {
    let gate = Gate()
    let arrived = AnsweringTransport { _ in
      await gate.pass()
      throw Unreachable()
    }
    let (host, _) = start(arrived, [.sample("clip")])
    write("hello", in: host)
    host.sendTapped()
    // Asked means that it was on disk before.
    while arrived.requests.isEmpty { await Task.yield() }
    let second = Self.arriving
    let (next, _) = start(second, [.sample("clip")])
    #expect(next.text == "hello")
    next.fieldFocused()
    next.sendTapped()
    await next.settled()
    #expect(second.keys.last == arrived.keys.last)
    gate.open()
    await host.settled()
  }

  @Test func draftsOfAnEarlierRunAreKnownToTheCore() async {
    let (host, feed) = start(Self.arriving, [.sample("clip"), .sample("other")])
    write("half a thought", in: host)
    feed.report(.backgrounded)
    await host.settled()
    let (next, later) = start(Self.arriving, [.sample("clip"), .sample("other")])
    #expect(next.text == "half a thought" && !next.bar.showsText)
    later.report(.currentChanged(ItemID(1)))
    #expect(next.text == "")
    later.report(.currentChanged(ItemID(0)))
    next.fieldFocused()
    #expect(next.bar.buttons == .send && next.bar.showsText)
  }

  @Test func aMessageThatGotNoAnswerIsGivenUpAndComesBack() async {
    let gate = Gate()
    let transport = AnsweringTransport { _ in
      await gate.pass()
      throw Unreachable()
    }
    let (host, feed) = start(transport, [.sample("clip"), .sample("other")])
    write("hello", in: host)
    host.sendTapped()
    feed.report(.currentChanged(ItemID(1)))
    feed.now = Instant(60_000)
    feed.report(.woke)
    gate.open()
    await host.settled()
    #expect(
      announcements.waiting.map(\.text)
        == [Sentence("Your message to %@ was not sent. It is waiting at their clip.", "Author")])
    feed.report(.currentChanged(ItemID(0)))
    #expect(host.text == "hello" && host.state == "Not sent. Try again.")
  }

  @Test func aReactionCountsAtOnceAndThenAsTheServerSays() async {
    let transport = AnsweringTransport { _ in
      try .json(ReactionCount(reaction: .fire, count: 41), status: 201)
    }
    let (host, _) = start(transport, [.sample("clip")])
    host.reactionTapped(.fire)
    #expect(host.counts["fire"] == 1 && display.floated == [.fire])
    await host.settled()
    #expect(host.counts["fire"] == 41)
  }

  @Test func aReactionThatFailsIsTakenBack() async {
    let (host, _) = start(AnsweringTransport { _ in try .problem(.tooManyRequests) }, [.sample("clip")])
    host.reactionTapped(.laugh)
    await host.settled()
    #expect(host.counts["laugh"] == 0)
    #expect(announcements.waiting.first?.text.key == "Your reaction was not sent. %@")
  }

  @Test func reactionsHaveALimitAndNobodyCanTapMore() async {
    let transport = AnsweringTransport { _ in
      try .json(ReactionCount(reaction: .clap, count: 1), status: 201)
    }
    let (host, _) = start(transport, [.sample("clip")])
    for _ in 0..<20 { host.reactionTapped(.clap) }
    await host.settled()
    #expect(transport.requests.count == Int(Composer.reactionBurst))
    #expect(!host.bar.areEnabled)
  }

  @Test func theCreatorSeesReactionsToTheClipOnTheScreen() {
    let (host, _) = start(Self.arriving, [.sample("clip", by: "me")])
    #expect(host.bar.access == .off && host.closedReason == "This is your clip.")
    #expect(host.reacted(to: "clip", "wow"))
    #expect(!host.reacted(to: "another", "wow") && !host.reacted(to: "clip", "heart"))
    #expect(display.floated == [.wow] && host.counts["wow"] == 1)
  }

  @Test func whoIsNotSignedInWritesWhereGuestsMayComment() {
    viewer.viewerID = nil
    let (host, feed) = start(Self.arriving, [.sample("open"), .sample("shut", comments: .off)])
    #expect(host.bar.access == .open)
    feed.report(.currentChanged(ItemID(1)))
    #expect(host.bar.access == .signedOut)
    var asked = 0
    host.onSignInNeeded = { asked += 1 }
    host.fieldFocused()
    #expect(asked == 1 && !host.bar.isFocused)
    viewer.viewerID = "me"
    host.viewerChanged()
    #expect(host.bar.access == .open)
  }

  // MARK: Who writes

  private func become(_ id: String?, in host: ComposerHost) {
    viewer.viewerID = id
    host.viewerChanged()
  }

  @Test func aTextInTheFieldIsItsWritersAlone() async throws {
    let transport = AnsweringTransport { _ in
      try .json(Message.sample("m", "hello", isOwn: true), status: 201)
    }
    let (host, feed) = start(transport, [.sample("first"), .sample("second")])
    become("ada", in: host)
    write("of Ada", in: host)
    feed.report(.currentChanged(ItemID(1)))
    write("hers too", in: host)
    for other in [nil, "bob"] as [String?] {
      become(other, in: host)
      for item in [ItemID(1), ItemID(0)] {
        feed.report(.currentChanged(item))
        host.fieldFocused()
        #expect(host.text == "" && host.bar.buttons != .send)
        host.sendTapped()
      }
    }
    write("of Bob", in: host)
    #expect(host.bar.buttons == .send)
    become("ada", in: host)
    #expect(host.text == "of Ada")
    feed.report(.currentChanged(ItemID(1)))
    #expect(host.text == "hers too")
    host.fieldFocused()
    #expect(host.bar.buttons == .send)
    host.sendTapped()
    await host.settled()
    #expect(transport.requests.count == 1)
    let request = try #require(transport.requests.first)
    let body = try WireCoding.decode(NewMessage.self, from: request.body ?? Data())
    #expect(body == NewMessage(text: "hers too", clipId: "second"))
    become("bob", in: host)
    feed.report(.currentChanged(ItemID(0)))
    #expect(host.text == "of Bob")
  }

  @Test func aGuestsTextGoesAlongIntoTheAccountBelowWhatWaitsThere() {
    let (host, feed) = start(Self.arriving, [.sample("first"), .sample("second")])
    write("of before", in: host)
    become(nil, in: host)
    write("of a guest", in: host)
    feed.report(.currentChanged(ItemID(1)))
    write("more", in: host)
    become("me", in: host)
    #expect(host.text == "more" && host.bar.buttons == .send)
    feed.report(.currentChanged(ItemID(0)))
    #expect(host.text == "of before\nof a guest")
    become(nil, in: host)
    #expect(host.text == "")
  }

  @Test func aMessageThatFailsOnceItsWriterHasLeftWaitsForThem() async {
    let gate = Gate()
    let transport = AnsweringTransport { _ in
      await gate.pass()
      throw Unreachable()
    }
    let (host, feed) = start(transport, [.sample("clip"), .sample("other")])
    write("hello", in: host)
    host.sendTapped()
    while transport.requests.isEmpty { await Task.yield() }
    become("another", in: host)
    feed.report(.currentChanged(ItemID(1)))
    gate.open()
    await host.settled()
    feed.report(.currentChanged(ItemID(0)))
    #expect(host.text == "" && host.state == nil && announcements.waiting.isEmpty)
    become("me", in: host)
    #expect(host.text == "hello")
    host.fieldFocused()
    host.sendTapped()
    await host.settled()
    #expect(transport.keys.count == 2 && Set(transport.keys).count == 1)
  }

  @Test func aMessageGoesByNobodyButItsWriter() async {
    let transport = AnsweringTransport { _ in
      try .json(Message.sample("m", "hello", isOwn: true), status: 201)
    }
    let (host, _) = start(transport, [.sample("clip")])
    write("hello", in: host)
    host.sendTapped()
    // Before it was on disk.
    become("another", in: host)
    await host.settled()
    #expect(transport.requests.isEmpty && host.text == "" && host.state == nil)
    become("me", in: host)
    #expect(host.text == "hello")
  }

  @Test func anEveningOfClipsTakesNoMoreMemoryThanAHundred() {
    let clips = (0..<500).map { Clip.sample("clip \($0)") }
    let (host, feed) = start(Self.arriving, clips)
    write("hello", in: host)
    for number in 1..<500 { feed.report(.currentChanged(ItemID(Int32(number)))) }
    #expect(host.remembered <= ComposerHost.mostRemembered)
    feed.report(.currentChanged(ItemID(0)))
    #expect(host.text == "hello")
  }

  @Test func numbersOfTheServerAndOfTheScreenAreBounded() async {
    let transport = AnsweringTransport { _ in
      try .json(ReactionCount(reaction: .fire, count: .max), status: 201)
    }
    var clip = Clip.sample("clip")
    clip.counts.reactions = ["fire": .max, "laugh": .min]
    let (host, _) = start(transport, [clip])
    host.reactionTapped(.fire)
    host.reactionTapped(.laugh)
    await host.settled()
    #expect(host.counts["fire"] == 1_000_000_000_000)
    host.textMeasured(height: .infinity, lineHeight: .nan)
    host.keyboardMoved(height: -.infinity)
  }
}
