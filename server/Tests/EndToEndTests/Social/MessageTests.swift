import Accounts
import Contract
import Feed
import Foundation
import Maintenance
import Messages
import Platform
import Social
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// Conversations of two, on each database.
@Suite(.everyEngine) struct MessageTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)
  private let accounts: Accounts
  private let store: MessageStore
  private let ada: Viewer
  private let bob: Viewer
  private let guest = Viewer(id: "guest-of-a-test", standing: .guest)

  init() async throws {
    bench = try await TestInstance()
    accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
    store = try await bench.instance.messages(.open, time: clock)
    ada = try await accounts.join("ada")
    bob = try await accounts.join("bob")
  }

  @discardableResult
  private func send(_ text: String, from sender: Viewer, to receiver: Viewer, clip: String? = nil)
    async throws
    -> Message
  {
    clock.advance(ms: 1)
    return try await store.send(
      NewMessage(text: text, clipId: clip), to: receiver.id, by: sender, idempotencyKey: "key-of-\(text)")
  }

  private func thread(_ viewer: Viewer, with peer: Viewer) async throws -> [String] {
    try await store.messages(with: peer.id, of: viewer.id, cursor: nil, limit: 50).items.map {
      ($0.isOwn ? "> " : "< ") + $0.text
    }
  }

  private func inbox(_ viewer: Viewer) async throws -> [String] {
    try await store.conversations(of: viewer.id, cursor: nil, limit: 50).items.map {
      "\($0.peer.handle): \($0.last.text) (\($0.unread))"
    }
  }

  private func refused(_ new: NewMessage, to receiver: String, by sender: Viewer) async -> ErrorCode? {
    await refusal { try await store.send(new, to: receiver, by: sender, idempotencyKey: UUID().uuidString) }
  }

  @Test func eachOfTheTwoSeesTheConversationFromTheirOwnSide() async throws {
    try await send("hello", from: ada, to: bob)
    try await send("<b>hello</b> yourself", from: bob, to: ada)
    try await send("how are you", from: bob, to: ada)
    #expect(try await thread(ada, with: bob) == ["< how are you", "< <b>hello</b> yourself", "> hello"])
    #expect(try await thread(bob, with: ada) == ["> how are you", "> <b>hello</b> yourself", "< hello"])
    #expect(try await inbox(ada) == ["bob: how are you (2)"])
    #expect(try await inbox(bob) == ["ada: how are you (1)"])
    #expect(try await store.unread(of: ada.id).unread == 2)
    // Nobody else sees anything of it.
    #expect(try await thread(guest, with: ada) == [])
    #expect(try await inbox(guest) == [])
  }

  @Test func theLastWrittenToComesFirstAndAPageGoesOnWhereItEnded() async throws {
    var people: [Viewer] = []
    for number in 0..<5 {
      people.append(try await accounts.join("friend\(number)"))
      try await send("from \(number)", from: people[number], to: ada)
    }
    try await send("again", from: people[1], to: ada)
    let first = try await store.conversations(of: ada.id, cursor: nil, limit: 2)
    #expect(first.items.map(\.peer.handle) == ["friend1", "friend4"])
    let next = try await store.conversations(of: ada.id, cursor: first.nextCursor, limit: 9)
    #expect(next.items.map(\.peer.handle) == ["friend3", "friend2", "friend0"] && next.nextCursor == nil)
    let cursor = try #require(first.nextCursor)
    #expect(
      await refusal { try await store.conversations(of: bob.id, cursor: cursor, limit: 9) } == .invalidCursor)
    #expect(
      await refusal { try await store.messages(with: bob.id, of: ada.id, cursor: cursor, limit: 9) }
        == .invalidCursor)
  }

  @Test func aPageOfAConversationNeitherRepeatsNorSkipsWhileOthersCome() async throws {
    for number in 0..<7 {
      try await send("\(number)", from: number % 2 == 0 ? ada : bob, to: number % 2 == 0 ? bob : ada)
    }
    var (texts, cursor): ([String], String?) = ([], nil)
    repeat {
      let page = try await store.messages(with: bob.id, of: ada.id, cursor: cursor, limit: 3)
      texts += page.items.map(\.text)
      cursor = page.nextCursor
      try await send("meanwhile \(texts.count)", from: bob, to: ada)
    } while cursor != nil
    #expect(texts == ["6", "5", "4", "3", "2", "1", "0"])
  }

  @Test func theSameKeyIsTheSameMessageAndAnotherTextUnderItIsRefused() async throws {
    let clip = try await bench.publishBare("clip")
    let new = NewMessage(text: "once", clipId: clip)
    let first = try await store.send(new, to: bob.id, by: ada, idempotencyKey: "a-key-of-ada")
    for _ in 0..<3 {
      #expect(try await store.send(new, to: bob.id, by: ada, idempotencyKey: "a-key-of-ada") == first)
    }
    #expect(try await inbox(bob) == ["ada: once (1)"])
    for other in [NewMessage(text: "twice", clipId: clip), NewMessage(text: "once")] {
      #expect(
        await refusal { try await store.send(other, to: bob.id, by: ada, idempotencyKey: "a-key-of-ada") }
          == .idempotencyKeyReused)
    }
    // Another's key is another's.
    try await send("once", from: bob, to: ada)
    #expect(try await thread(ada, with: bob).count == 2)
  }

  @Test func whatIsReadStaysReadAndWhatCameSinceDoesNot() async throws {
    var sent: [Message] = []
    for number in 0..<4 { sent.append(try await send("\(number)", from: bob, to: ada)) }
    let own = try await send("mine", from: ada, to: bob)
    func read(_ message: Message) async throws -> Int {
      try await store.markRead(with: bob.id, upTo: message.id, by: ada.id).unread
    }
    #expect(try await read(sent[1]) == 2)
    #expect(try await read(sent[0]) == 2)
    #expect(try await read(own) == 0)
    try await send("later", from: bob, to: ada)
    #expect(try await read(sent[3]) == 1)
    #expect(try await store.unread(of: ada.id).unread == 1)
    #expect(
      await refusal { try await store.markRead(with: bob.id, upTo: "none", by: ada.id) } == .messageNotFound)
    #expect(
      await refusal { try await store.markRead(with: "nobody", upTo: own.id, by: ada.id) } == .authorNotFound)
  }

  @Test func whatNoMessageCanBeIsRefused() async throws {
    let clip = try await bench.publishBare("clip")
    let hidden = try await bench.instance.publishBare("hidden", visibility: .private)
    #expect(await refused(NewMessage(text: " \n\u{200B} "), to: bob.id, by: ada) == .messageEmpty)
    #expect(
      await refused(NewMessage(text: String(repeating: "a", count: 501)), to: bob.id, by: ada)
        == .messageTooLong)
    #expect(
      await refused(NewMessage(text: "a" + String(repeating: "\u{301}", count: 9000)), to: bob.id, by: ada)
        == .messageTooLong)
    #expect(
      await refused(NewMessage(text: String(repeating: "👩‍👩‍👧‍👦", count: 500)), to: bob.id, by: ada) == nil)
    #expect(await refused(NewMessage(text: "me"), to: ada.id, by: ada) == .messageOneself)
    #expect(await refused(NewMessage(text: "who"), to: "nobody", by: ada) == .authorNotFound)
    for clip in ["none", hidden] {
      #expect(await refused(NewMessage(text: "this", clipId: clip), to: bob.id, by: ada) == .clipNotFound)
    }
    // A clip of somebody else's may be sent on, and an author whose clips were imported keeps an inbox for
    // whoever reads it.
    #expect(await refused(NewMessage(text: "this", clipId: clip), to: bob.id, by: ada) == nil)
    let imported = try await bench.instance.feed(.open).clip(id: clip, forOwner: false).author.id
    #expect(await refused(NewMessage(text: "yours", clipId: clip), to: imported, by: ada) == nil)
    // Nobody could read what is written to all guests.
    let draft = ClipStore.Draft(
      sourceHash: ContentHash.of([1]), caption: "a guest's", authorHandle: "guest", authorName: "Guest")
    let guests = try await bench.instance.clips.register(draft).clip.clipID
    let all = try await bench.instance.database.read {
      try $0.query("SELECT author_id FROM clips WHERE id = ?", [.text(guests)])[0].text("author_id")
    }
    #expect(await refused(NewMessage(text: "all"), to: all, by: ada) == .messagesOff)
  }

  @Test func whereGuestsMayNotWriteTheySignIn() async throws {
    let closed = try await bench.instance.messages(.off, time: clock)
    let new = NewMessage(text: "hello")
    #expect(
      await refusal { try await closed.send(new, to: ada.id, by: guest, idempotencyKey: "a-key-of-a-guest") }
        == .signInNeeded)
    #expect(try await closed.send(new, to: ada.id, by: bob, idempotencyKey: "a-key-of-bob").text == "hello")
  }

  @Test func aBlockHoldsBothWaysAndTakingItBackGivesTheConversationBack() async throws {
    let social = try await bench.instance.social(.open)
    try await send("before", from: ada, to: bob)
    let clip = try await bench.publishBare("bob's", by: bob.id)
    _ = try await social.block(bob.id, by: ada.id)
    #expect(await refused(NewMessage(text: "a"), to: bob.id, by: ada) == .authorBlocked)
    #expect(await refused(NewMessage(text: "b"), to: ada.id, by: bob) == .authorNotFound)
    #expect(await refusal { try await thread(ada, with: bob) } == .authorBlocked)
    #expect(await refusal { try await thread(bob, with: ada) } == .authorNotFound)
    #expect(
      await refusal { try await store.markRead(with: ada.id, upTo: "x", by: bob.id) } == .authorNotFound)
    #expect(try await inbox(ada) == [])
    #expect(try await inbox(bob) == [])
    #expect(try await store.unread(of: bob.id).unread == 0)
    // Nor does a clip go round it.
    let carol = try await accounts.join("carol")
    #expect(await refused(NewMessage(text: "c", clipId: clip), to: carol.id, by: ada) == .authorBlocked)
    _ = try await social.unblock(bob.id, by: ada.id)
    #expect(try await thread(bob, with: ada) == ["< before"])
    #expect(try await store.unread(of: bob.id).unread == 1)
  }

  @Test func aGuestWhoWroteCanBeBlockedAndForgiven() async throws {
    let social = try await bench.instance.social(.open)
    #expect(await refusal { try await social.block(guest.id, by: ada.id) } == .authorNotFound)
    try await send("hello", from: guest, to: ada)
    #expect(try await inbox(ada) == ["guest: hello (1)"])
    try await send("who is it", from: ada, to: guest)
    #expect(try await thread(guest, with: ada) == ["< who is it", "> hello"])
    _ = try await social.block(guest.id, by: ada.id)
    #expect(await refused(NewMessage(text: "again"), to: ada.id, by: guest) == .authorNotFound)
    #expect(try await social.blocks(of: ada.id, cursor: nil, limit: 9).items == [.guest(guest.id)])
    // Whoever the guest turns out to be has not been forgiven by that.
    let carol = try await accounts.join("carol")
    try await merge(guest, into: carol)
    #expect(await refused(NewMessage(text: "again"), to: ada.id, by: carol) == .authorNotFound)
    _ = try await social.unblock(carol.id, by: ada.id)
    #expect(try await inbox(ada) == ["carol: who is it (1)"])
  }

  private func merge(_ guest: Viewer, into account: Viewer) async throws {
    let features = bench.instance.viewerMerging
    try await bench.instance.database.write { transaction in
      for feature in features { try feature.merge(guest.id, into: account.id, in: transaction) }
    }
  }

  @Test func whatAGuestWroteIsTheAccountsBehindWhatTheAccountWrote() async throws {
    try await send("as bob", from: bob, to: ada)
    try await send("to bob", from: ada, to: bob)
    try await send("as guest", from: guest, to: ada)
    try await send("to guest", from: ada, to: guest)
    try await send("to myself", from: guest, to: bob)
    try await merge(guest, into: bob)
    #expect(try await thread(ada, with: bob) == ["> to guest", "< as guest", "> to bob", "< as bob"])
    #expect(try await inbox(ada) == ["bob: to guest (2)"])
    #expect(try await inbox(bob) == ["ada: to guest (2)"])
    #expect(try await inbox(guest) == [])
    #expect(try await bench.count("messages") == 4)
    // The account's own keys are still its own, and numbers go on.
    #expect(try await send("as bob", from: bob, to: ada).text == "as bob")
    try await send("on", from: bob, to: ada)
    #expect(try await thread(ada, with: bob).first == "< on")
    #expect(try await bench.count("messages") == 5)
  }

  @Test func whatAGuestSentIsNotSentOnceMoreByTheAccount() async throws {
    // The answer was lost, and the guest signed in.
    let sent = try await send("hello", from: guest, to: ada)
    try await merge(guest, into: bob)
    #expect(try await send("hello", from: bob, to: ada).id == sent.id)
    #expect(try await thread(ada, with: bob) == ["< hello"])
    #expect(try await inbox(ada) == ["bob: hello (1)"])
  }

  @Test func aKeyThatBothUsedIsTheAccounts() async throws {
    func say(_ text: String, by sender: Viewer) async throws -> Message {
      try await store.send(NewMessage(text: text), to: ada.id, by: sender, idempotencyKey: "a-key-of-both")
    }
    let own = try await say("as bob", by: bob)
    _ = try await say("as guest", by: guest)
    try await merge(guest, into: bob)
    #expect(try await say("as bob", by: bob) == own)
    #expect(try await thread(ada, with: bob) == ["< as guest", "< as bob"])
  }

  @Test func nothingOfAConversationOutlivesEitherOfTheTwo() async throws {
    let carol = try await accounts.join("carol")
    try await send("one", from: ada, to: bob)
    try await send("two", from: bob, to: ada)
    try await send("three", from: carol, to: ada)
    try await accounts.delete(bob.id, AccountDeletion(password: NewAccount("bob").password))
    #expect(try await inbox(ada) == ["carol: three (1)"])
    #expect(await refused(NewMessage(text: "gone"), to: bob.id, by: ada) == .authorNotFound)
    #expect(await refusal { try await thread(ada, with: bob) } == .authorNotFound)
    // A request that was let in before, and came to the database after.
    try await send("late", from: bob, to: ada)
    clock.advance(ms: ErasureLog.settledMs + 1)
    try await bench.instance.secondLook(at: clock).run()
    #expect(try await bench.count("messages") == 1)
    #expect(try await bench.count("conversations") == 2)
  }

  @Test func manyWhoWriteAtOnceAreAllKeptOnceAndInOneOrder() async throws {
    let (first, second) = (store, try await bench.another().messages(.open, time: clock))
    try await withThrowingTaskGroup(of: Void.self) { [ada, bob] group in
      for number in 0..<24 {
        let store = number % 2 == 0 ? first : second
        let (sender, receiver) = number % 3 == 0 ? (ada, bob) : (bob, ada)
        for _ in 0..<2 {
          group.addTask {
            _ = try await store.send(
              NewMessage(text: "\(number)"), to: receiver.id, by: sender, idempotencyKey: "key-of-\(number)")
          }
        }
      }
      try await group.waitForAll()
    }
    let numbers = try await bench.instance.database.read {
      try $0.query("SELECT number FROM messages ORDER BY number").map { try $0.integer("number") }
    }
    #expect(numbers == Array(1...24))
    #expect(try await store.unread(of: ada.id).unread == 16)
    #expect(try await store.unread(of: bob.id).unread == 8)
  }

  @Test func nobodyWritesToMoreThanFiftyNewPeopleADay() async throws {
    let people = try await people(Limits.conversationsBegun + 1)
    for id in people.dropLast() {
      #expect(await refused(NewMessage(text: "hello"), to: id, by: ada) == nil)
    }
    let last = try #require(people.last)
    #expect(await refused(NewMessage(text: "hello"), to: last, by: ada) == .conversationsTooMany)
    // To whom one writes already, and whoever writes first, is something else.
    #expect(await refused(NewMessage(text: "again"), to: people[0], by: ada) == nil)
    #expect(await refused(NewMessage(text: "hello"), to: last, by: bob) == nil)
    try await send("hello", from: Viewer(id: last, standing: .guest), to: ada)
    #expect(await refused(NewMessage(text: "thanks"), to: last, by: ada) == nil)
    clock.advance(ms: Limits.conversationsBegunMs + 1)
    #expect(await refused(NewMessage(text: "hello"), to: bob.id, by: ada) == nil)
  }

  private func people(_ count: Int) async throws -> [String] {
    let ids = (0..<count).map { "person-\($0)" }
    try await bench.instance.database.write { transaction in
      for id in ids {
        try transaction.execute(
          "INSERT INTO authors (id, handle, name, created_at_ms) VALUES (?, ?, '', 0)",
          [.text(id), .text(id)])
      }
    }
    return ids
  }
}
