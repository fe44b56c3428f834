import Contract
import Foundation
import PlaybackTesting
import Testing

@testable import AppModel

@MainActor @Suite struct NotificationsModelTests {
  private let transport = ParkedTransport()
  private let viewer = SomeViewer("me")
  private let pause = ManualPause()
  private let model: NotificationsModel

  init() {
    model = NotificationsModel(client: Client(transport: transport), viewer: viewer, clock: pause)
  }

  /// Answers the list, and what is said to be seen.
  private func look(
    _ entries: [NotificationEntry], mark: String = "7", left: Int = 0,
    _ work: @MainActor @Sendable () async -> Void
  ) async {
    async let looked: Void = work()
    await transport.next().answer(200, NotificationPage(items: entries, nextCursor: nil, mark: mark))
    let seen = await transport.next()
    #expect(seen.request.method == "PUT" && seen.request.target == "/api/v1/notifications/seen")
    seen.answer(200, UnseenCount(unseen: left))
    await looked
  }

  private func count(_ unseen: Int) async {
    let asked = await transport.next()
    #expect(asked.request.target == "/api/v1/unseen-notifications")
    asked.answer(200, UnseenCount(unseen: unseen))
  }

  @Test func whatIsLookedAtIsSeenUpToItsPageAndStaysMarkedWhileItIsLookedAt() async throws {
    async let counted: Void = model.count()
    await count(2)
    await counted
    #expect(model.unseen == 2)
    async let appeared: Void = model.appeared()
    await transport.next().answer(
      200,
      NotificationPage(items: [sampleEntry("a"), sampleEntry("b", isNew: false)], nextCursor: nil, mark: "9"))
    let seen = await transport.next()
    let body = try WireCoding.decode(NotificationsSeen.self, from: seen.request.body ?? Data())
    #expect(body.upTo == "9")
    seen.answer(200, UnseenCount(unseen: 0))
    await appeared
    #expect(model.unseen == 0 && model.entries.map { model.isNew($0) } == [true, false])
    // The server knows it as seen; whoever still looks is told that it was new.
    async let again: Void = model.look()
    await transport.next().answer(
      200, NotificationPage(items: [sampleEntry("a", isNew: false)], nextCursor: nil, mark: "9"))
    await again
    #expect(model.entries.map { model.isNew($0) } == [true] && transport.waiting == 0)
    model.left()
    #expect(model.entries.map { model.isNew($0) } == [false])
  }

  @Test func whatCouldNotBeSaidIsSaidWithTheNextLook() async {
    async let appeared: Void = model.appeared()
    await transport.next().answer(
      200, NotificationPage(items: [sampleEntry("a")], nextCursor: nil, mark: "9"))
    await transport.next().fail(.timedOut)
    await appeared
    await look([sampleEntry("a")], mark: "9") { await model.look() }
    #expect(model.unseen == 0)
  }

  @Test func aListThatDidNotComeIsNotSeen() async {
    async let appeared: Void = model.appeared()
    await transport.next().fail(.timedOut)
    await appeared
    #expect(model.list.failure != nil && transport.count == 1)
  }

  @Test func guestsHaveNone() async {
    viewer.viewerID = nil
    await model.appeared()
    await model.count()
    #expect(!model.heard(sampleEvent(LiveEvent.like)))
    #expect(transport.count == 0 && model.unseen == 0 && !model.isInUse)
  }

  @Test func eventsOfOneMomentAreOneQuestionAndOthersNone() async {
    #expect(!model.heard(sampleEvent(LiveEvent.message)) && !model.heard(sampleEvent(LiveEvent.reaction)))
    for kind in [LiveEvent.like, LiveEvent.notification, LiveEvent.reply] {
      #expect(!model.heard(sampleEvent(kind)))
    }
    _ = await pause.end(after: 1)
    await count(3)
    #expect(await eventually { model.unseen == 3 })
    #expect(pause.asked == [NotificationsModel.gathering] && transport.count == 1)
  }

  @Test func theListOnTheScreenShowsWhatComesByItself() async {
    await look([sampleEntry("a")], mark: "1") { await model.appeared() }
    #expect(model.heard(sampleEvent(LiveEvent.follow)) && !model.heard(sampleEvent(LiveEvent.message)))
    await look([sampleEntry("b"), sampleEntry("a")], mark: "2") { _ = await pause.end(after: 1) }
    #expect(await eventually { model.entries.map(\.id) == ["b", "a"] })
  }

  @Test func whoeverReadsFurtherDownKeepsTheirPlace() async {
    let many = (0..<30).map { sampleEntry("\($0)", isNew: false) }
    await look(many) { await model.appeared() }
    model.lookAgain()
    await count(0)
    #expect(await eventually { transport.count == 3 } && !model.hasNewer)
    model.lookAgain()
    await count(1)
    #expect(await eventually { model.hasNewer })
    #expect(model.entries.count == 30)
    await look([sampleEntry("new")], mark: "8") { await model.look() }
    #expect(!model.hasNewer && model.entries.map(\.id) == ["new"])
  }

  @Test func kindsOfANewerServerAreLeftOutAlsoWhereAPageHasNoOthers() async {
    var strange = sampleEntry("s")
    strange.kind = "moon"
    async let appeared: Void = model.appeared()
    await transport.next().answer(200, NotificationPage(items: [strange], nextCursor: "n", mark: "1"))
    let more = await transport.next()
    #expect(more.request.target.contains("cursor=n"))
    more.answer(200, NotificationPage(items: [sampleEntry("a")], nextCursor: nil, mark: "0"))
    let seen = await transport.next()
    // Of the first page: a later one knows nothing of it.
    #expect(String(decoding: seen.request.body ?? Data(), as: UTF8.self).contains(#""1""#))
    seen.answer(200, UnseenCount(unseen: 0))
    await appeared
    #expect(model.entries.map(\.id) == ["a"] && !model.isEmpty)
  }

  @Test func anAnswerToWhoeverWasHereBeforeIsNone() async {
    async let appeared: Void = model.appeared()
    let old = await transport.next()
    viewer.viewerID = "you"
    model.viewerChanged()
    old.answer(200, NotificationPage(items: [sampleEntry("mine")], nextCursor: nil, mark: "9"))
    await appeared
    #expect(model.entries.isEmpty)
    await look([sampleEntry("yours")], mark: "3") {}
    #expect(await eventually { model.entries.map(\.id) == ["yours"] })
  }

  @Test func aServersNumberIsKeptInBounds() async {
    for (said, shown) in [(-4, 0), (Int.max, Limits.unseenNotifications)] {
      async let counted: Void = model.count()
      await count(said)
      await counted
      #expect(model.unseen == shown)
    }
  }

  @Test func aRowLeadsToItsPlace() {
    var places: [NotificationPlace] = []
    model.onOpen = { places.append($0) }
    model.open(sampleEntry("a"))
    #expect(places == [.clip("clip")])
  }
}

func sampleEntry(_ id: String, _ kind: String = NotificationKind.like, isNew: Bool = true)
  -> NotificationEntry
{
  NotificationEntry(
    id: id, kind: kind, createdAt: epoch, isNew: isNew,
    people: [Author(id: "ann", handle: "ann", name: "Ann")], count: 1,
    clip: NotificationClip(id: "clip", caption: "Dawn"))
}

private func sampleEvent(_ kind: String) -> LiveEvent { LiveEvent(id: "e", kind: kind, createdAt: epoch) }
