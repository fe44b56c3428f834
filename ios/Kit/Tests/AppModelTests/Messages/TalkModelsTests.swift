import Activity
import Contract
import Foundation
import Persistence
import PlaybackTesting
import Synchronization
import Testing

@testable import AppModel

private struct SilentStream: EventStream {
  func bytes(after lastEventID: String?) -> AsyncThrowingStream<Data, any Error> {
    AsyncThrowingStream { _ in }
  }
}

/// The server's side of comments and messages: the same key again is the same one.
private final class PostOffice: Sendable {
  struct State {
    var isDown = false
    var refusal: ErrorCode?
    /// The answers get lost after the work is done.
    var losesAnswers = false
    var comments: [(key: String, comment: ClipComment)] = []
    var messages: [(key: String, message: Message)] = []
    var unread = 3
    var blocked: [String] = []
    var read: [String] = []
  }
  let state = Mutex(State())

  func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }
  var comments: [String] { state.withLock { $0.comments.map(\.comment.text) } }
  var messages: [String] { state.withLock { $0.messages.map(\.message.text) } }

  func answer(_ request: WireRequest) throws -> WireResponse {
    try state.withLock { state in
      if state.isDown { throw Unreachable() }
      if let refusal = state.refusal, request.method != "GET" { return try .problem(refusal) }
      let key = request.headers["idempotency-key"] ?? ""
      let path = request.target.split(separator: "?")[0]
      let now = Date(timeIntervalSince1970: 1_000)
      switch (request.method, Route.find(String(path))?.route) {
      case ("POST", .comments):
        let text = try WireCoding.decode(NewComment.self, from: request.body ?? Data()).text
        if !state.comments.contains(where: { $0.key == key }) {
          let id = "c\(state.comments.count)"
          state.comments.append(
            (key, ClipComment(id: id, text: text, createdAt: now, clipId: "clip", own: true)))
        }
        if state.losesAnswers { throw Unreachable() }
        return try .json(state.comments.first { $0.key == key }!.comment, status: 201)
      case ("POST", .messages):
        let text = try WireCoding.decode(NewMessage.self, from: request.body ?? Data()).text
        if !state.messages.contains(where: { $0.key == key }) {
          state.messages.append((key, .sample("m\(state.messages.count)", text, isOwn: true)))
        }
        if state.losesAnswers { throw Unreachable() }
        return try .json(state.messages.first { $0.key == key }!.message, status: 201)
      case ("GET", .comments):
        let author = Author(id: "loud", handle: "loud", name: "Loud")
        let old = ClipComment(
          id: "old", author: author, text: "old", createdAt: now, clipId: "clip")
        return try .json(
          Page(items: state.comments.reversed().map(\.comment) + [old], nextCursor: nil))
      case ("GET", .messages):
        return try .json(
          Page(
            items: state.messages.reversed().map(\.message) + [.sample("old", "old")], nextCursor: nil))
      case ("GET", .clip):
        var clip = Clip.sample("clip")
        clip.counts.comments = state.comments.count + 1
        return try .json(clip)
      case ("GET", .conversations):
        let peer = Author(id: "peer", handle: "peer", name: "Peer")
        return try .json(
          Page(
            items: [Conversation(peer: peer, last: .sample("old", "old"), unread: state.unread)],
            nextCursor: nil))
      case ("GET", .unreadMessages): return try .json(UnreadCount(unread: state.unread))
      case ("PUT", .messagesRead):
        state.read.append(
          try WireCoding.decode(MessagesRead.self, from: request.body ?? Data()).upTo)
        state.unread = 0
        return try .json(UnreadCount(unread: 0))
      case ("PUT", .block):
        state.blocked.append(String(path))
        return try .json(BlockState(blocked: true))
      default: return try .problem(.routeNotFound)
      }
    }
  }
}

@MainActor @Suite struct TalkModelsTests {
  private let folder = TemporaryFolder()
  private let office = PostOffice()
  private let viewer = SomeViewer("me")
  private let announcements = Announcements()
  private let clock = ManualPause()
  private let keys = countingKeys()

  /// The app, started.
  private func start(
    _ transport: (any Transport)? = nil, toggles: StoredFile<PendingToggles>? = nil
  ) -> TalkModels {
    let client = Client(
      transport: transport ?? AnsweringTransport { [office] in try office.answer($0) })
    return TalkModels(
      client: client, base: URL(string: "https://clips.test")!, stream: SilentStream(),
      activity: ActivityHost(client: client, clock: ManualClock(), file: nil, toggles: toggles),
      library: Library(root: folder.url), viewer: viewer, announcements: announcements, clock: clock,
      makeKey: keys)
  }

  private var clip: Clip {
    var clip = Clip.sample("clip")
    clip.counts.comments = 1
    return clip
  }

  @Test func aCommentIsSeenAtOnceAndCountedOnce() async {
    let talk = start()
    let comments = talk.comments(of: clip)
    await comments.list.begin()
    comments.field.text = "nice"
    comments.post()
    #expect(comments.pending.map(\.text) == ["nice"] && comments.field.text == "")
    await talk.comments.settled()
    #expect(comments.pending.isEmpty)
    #expect(comments.comments.map(\.text) == ["nice", "old"] && comments.count == 2)
  }

  @Test func aCommentWhoseAnswerGotLostIsThereOnce() async {
    let talk = start()
    let comments = talk.comments(of: clip)
    office.change { $0.losesAnswers = true }
    comments.field.text = "nice"
    comments.post()
    await talk.comments.settled()
    guard case .unreached = comments.pending.first?.state else {
      Issue.record("\(comments.pending)")
      return
    }
    office.change { $0.losesAnswers = false }
    comments.retry(comments.pending[0].id)
    await talk.comments.settled()
    await comments.recount()
    #expect(office.comments == ["nice"] && comments.pending.isEmpty && comments.count == 2)
  }

  @Test func aKillInTheMiddleSendsWhatWasWrittenOnce() async {
    let killed = start()
    office.change { $0.losesAnswers = true }
    let before = killed.conversation(with: Author(id: "peer", handle: "", name: ""))
    before.field.text = "hello"
    before.send()
    await killed.messages.settled()
    #expect(office.messages == ["hello"])
    office.change { $0.losesAnswers = false }
    let talk = start()
    let conversation = talk.conversation(with: Author(id: "peer", handle: "", name: ""))
    #expect(conversation.pending.map(\.text) == ["hello"])
    talk.networkReturned()
    await talk.messages.settled()
    #expect(office.messages == ["hello"] && conversation.pending.isEmpty)
    #expect(conversation.messages.map(\.text) == ["hello"])
  }

  @Test func messagesWaitWithoutANetworkAndGoInTheirOrder() async {
    let talk = start()
    office.change { $0.isDown = true }
    let conversation = talk.conversation(with: Author(id: "peer", handle: "", name: ""))
    for text in ["one", "two", "three"] {
      conversation.field.text = text
      conversation.send()
    }
    var sent = 0
    talk.onMessageSent = { sent += 1 }
    await talk.messages.settled()
    #expect(conversation.pending.map(\.text) == ["one", "two", "three"] && sent == 0)
    office.change { $0.isDown = false }
    talk.networkReturned()
    await talk.messages.settled()
    #expect(office.messages == ["one", "two", "three"] && sent == 3)
    #expect(conversation.messages.map(\.text) == ["three", "two", "one"])
  }

  @Test func triesAgainByItselfLaterAndLater() async {
    let talk = start()
    office.change { $0.isDown = true }
    let conversation = talk.conversation(with: Author(id: "peer", handle: "", name: ""))
    conversation.field.text = "one"
    conversation.send()
    await talk.messages.settled()
    let pauses = { clock.asked.filter { $0 >= .seconds(2) } }
    while pauses().isEmpty { await Task.yield() }
    office.change { $0.isDown = false }
    // The field's pause before it stores, and the one of the outbox.
    _ = await clock.end(after: clock.asked.count)
    while office.messages.isEmpty { await Task.yield() }
    await talk.messages.settled()
    #expect(pauses() == [.seconds(2)] && office.messages == ["one"])
  }

  @Test func whatIsRefusedDoesNotHoldUpTheNextAndCanBeGivenUp() async {
    let talk = start()
    office.change { $0.refusal = .messageTooLong }
    let conversation = talk.conversation(with: Author(id: "peer", handle: "", name: ""))
    conversation.field.text = "one"
    conversation.send()
    await talk.messages.settled()
    #expect(conversation.pending.map(\.state) == [.refused("The text is too long.")])
    office.change { $0.refusal = nil }
    conversation.field.text = "two"
    conversation.send()
    await talk.messages.settled()
    #expect(office.messages == ["two"])
    conversation.discard(conversation.pending[0].id)
    #expect(conversation.pending.isEmpty)
    await talk.messages.settled()
    let again = start()
    #expect(again.messages.entries(of: "peer").isEmpty)
  }

  @Test func nobodySendsWhatSomebodyElseWrote() async {
    let talk = start()
    office.change { $0.isDown = true }
    let conversation = talk.conversation(with: Author(id: "peer", handle: "", name: ""))
    conversation.field.text = "mine"
    conversation.send()
    await talk.messages.settled()
    office.change { $0.isDown = false }
    viewer.viewerID = "another"
    talk.viewerChanged()
    await talk.messages.settled()
    #expect(office.messages.isEmpty && conversation.pending.isEmpty)
    viewer.viewerID = "me"
    talk.viewerChanged()
    await talk.messages.settled()
    #expect(office.messages == ["mine"])
  }

  /// Nor what was on its way to them, and what the two have written is asked for as who is here now.
  @Test(.timeLimit(.minutes(10))) func nobodySeesWhatSomebodyElseWrote() async throws {
    let transport = ParkedTransport()
    let talk = start(transport)
    let conversation = talk.conversation(with: Author(id: "peer", handle: "peer", name: "Peer"))
    let page = Page(items: [Message.sample("m1", "private", isOwn: true)], nextCursor: nil)
    async let appeared: Void = conversation.appeared()
    for _ in 0..<2 { await transport.next().answer(200, page) }
    await appeared
    #expect(conversation.messages.map(\.text) == ["private"])
    async let looked: Void = conversation.look()
    let held = await transport.next()
    // It lies below another one.
    let above = talk.conversation(with: Author(id: "above", handle: "above", name: "Above"))
    defer { _ = above }
    viewer.viewerID = "another"
    talk.viewerChanged()
    #expect(conversation.messages.isEmpty)
    held.answer(200, Page(items: [Message.sample("m2", "late", isOwn: true)], nextCursor: nil))
    await looked
    #expect(conversation.messages.isEmpty)
    var asked = 0
    // The list, what is new in it, and the count of what is unread.
    for _ in 0..<3 {
      let parked = await transport.next()
      let path = String(parked.request.target.split(separator: "?")[0])
      if Route.find(path)?.route == .messages {
        asked += 1
        parked.answer(200, Page<Message>(items: [], nextCursor: nil))
      } else {
        parked.answer(200, UnreadCount(unread: 0))
      }
    }
    #expect(asked == 2)
    #expect(await soon { conversation.isEmpty })
  }

  @Test func theLikeOfACommentThatAKillEndedIsAskedForAsThat() async {
    let toggles = StoredFile<PendingToggles>(folder.url.appending(path: "toggles"))
    let killed = start(ScriptedTransport(), toggles: toggles)
    killed.comments(of: clip).toggleLike(
      ClipComment(id: "c1", text: "nice", createdAt: Date(timeIntervalSince1970: 0), clipId: "clip"))
    killed.activity.report(.pageHidden)
    killed.activity.stop()
    let transport = ScriptedTransport { _ in try ScriptedTransport.json(LikeState(liked: true, likes: 1)) }
    let client = Client(transport: transport)
    let activity = ActivityHost(client: client, clock: ManualClock(), file: nil, toggles: toggles)
    activity.viewerID = killed.activity.viewerID
    let actions = ClipActions(activity: activity, client: client)
    activity.start()
    await actions.settled()
    #expect(transport.calls == ["PUT /api/v1/comments/c1/like"])
    #expect(toggles.load() == nil)
  }

  @Test func whatIsReadCountsNoMore() async {
    let talk = start()
    await talk.inbox.look()
    #expect(talk.inbox.unread == 3 && talk.inbox.list.items.count == 1)
    let conversation = talk.conversation(with: talk.inbox.list.items[0].peer)
    await conversation.appeared()
    #expect(talk.inbox.unread == 0 && office.state.withLock { $0.read } == ["old"])
    #expect(conversation.peer.name == "Peer")
  }

  @Test(.timeLimit(.minutes(10))) func aCountOfBeforeAMessageIsNotTheLastWord() async throws {
    let transport = ParkedTransport()
    let inbox = start(transport).inbox
    async let counted: Void = inbox.count()
    let before = await transport.next()
    #expect(!inbox.arrived() && inbox.unread == 1)
    let behind = await transport.next()
    before.answer(200, UnreadCount(unread: 0))
    await counted
    #expect(inbox.unread == 1)
    behind.answer(200, UnreadCount(unread: 4))
    #expect(await soon { inbox.unread == 4 })
  }

  @Test func blockingFromACommentHidesTheirsAndAFailureBringsThemBack() async {
    let talk = start()
    let comments = talk.comments(of: clip)
    await comments.list.begin()
    let loud = Author(id: "loud", handle: "loud", name: "Loud")
    office.change { $0.refusal = .tooManyRequests }
    #expect(await !talk.blocking.block(loud))
    #expect(comments.comments.map(\.text) == ["old"])
    office.change { $0.refusal = nil }
    var blocked: [String] = []
    talk.blocking.onBlocked { blocked.append($0) }
    #expect(await talk.blocking.block(loud))
    #expect(comments.comments.isEmpty && comments.isEmpty && blocked == ["loud"])
    #expect(!talk.blocking.canBlock(nil) && !talk.blocking.canBlock(Author(id: "me", handle: "", name: "")))
  }

  @Test func aGuestHearsOfAnswersOnceTheyHaveWritten() async {
    viewer.viewerID = nil
    let talk = start()
    #expect(!talk.inbox.isInUse)
    let conversation = talk.conversation(with: Author(id: "peer", handle: "", name: ""))
    conversation.field.text = "hello"
    conversation.send()
    await talk.messages.settled()
    #expect(talk.inbox.isInUse)
  }

  @Test func commentsThatAreOffCloseTheField() async {
    let talk = start()
    let comments = talk.comments(of: clip)
    office.change { $0.refusal = .commentsOff }
    comments.field.text = "nice"
    comments.post()
    await talk.comments.settled()
    #expect(comments.closedReason == "Comments are off.")
    #expect(comments.pending.map(\.state) == [.refused("Comments are off.")])
  }

  @Test func aTextTypedUnderAClipIsThereAfterTheNextStart() async {
    let talk = start()
    talk.comments(of: clip).field.text = "half"
    talk.backgrounded()
    await talk.comments.settled()
    #expect(start().comments(of: clip).field.text == "half")
  }

  // MARK: Who writes

  @Test func whatIsTypedIsItsWritersAlone() async {
    let talk = start()
    func become(_ id: String?) {
      viewer.viewerID = id
      talk.viewerChanged()
    }
    become("ada")
    let comments = talk.comments(of: clip)
    // Below the other, which is opened later.
    let below = talk.conversation(with: Author(id: "below", handle: "", name: ""))
    let conversation = talk.conversation(with: Author(id: "peer", handle: "", name: ""))
    comments.field.text = "a comment"
    below.field.text = "a first message"
    conversation.field.text = "a message"
    for other in [nil, "bob"] as [String?] {
      become(other)
      #expect(comments.field.text == "" && below.field.text == "" && conversation.field.text == "")
      comments.post()
      below.send()
      conversation.send()
    }
    conversation.field.text = "of Bob"
    become("ada")
    #expect(comments.field.text == "a comment" && below.field.text == "a first message")
    #expect(conversation.field.text == "a message" && conversation.field.canSend)
    await talk.settled()
    #expect(office.comments.isEmpty && office.messages.isEmpty)
    viewer.viewerID = "bob"
    let next = start()
    #expect(next.comments(of: clip).field.text == "")
    #expect(next.conversation(with: "peer").field.text == "of Bob")
  }

  @Test func whatAGuestTypesGoesAlongIntoTheAccount() async {
    viewer.viewerID = nil
    let talk = start()
    let comments = talk.comments(of: clip)
    let conversation = talk.conversation(with: Author(id: "peer", handle: "", name: ""))
    comments.field.text = "a comment"
    conversation.field.text = "a message"
    viewer.viewerID = "ada"
    talk.viewerChanged()
    #expect(comments.field.text == "a comment" && conversation.field.text == "a message")
    conversation.send()
    await talk.settled()
    #expect(office.messages == ["a message"])
    viewer.viewerID = nil
    talk.viewerChanged()
    #expect(comments.field.text == "" && conversation.field.text == "")
  }

  @Test func saysHowLongAgo() {
    let now = Date(timeIntervalSince1970: 1e9)
    #expect(Age.of(now.addingTimeInterval(60), at: now) == "now")
    #expect(Age.of(now.addingTimeInterval(-7_300), at: now) == Sentence("%@ h ago", "2"))
    #expect(Age.of(.distantPast, at: now).key == "%@ y ago")
  }
}
