import Accounts
import Comments
import Contract
import Feed
import Foundation
import Platform
import Social
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// Comments that wait until whoever made the clip has looked.
@Suite(.everyEngine) struct CommentFilterTests {
  private let bench: TestInstance
  private let comments: CommentStore
  private let accounts: Accounts
  private let told = Shared<[String]>([])
  private let ada: Viewer
  private let bob: Viewer
  private let clip: String

  private struct Noted: LiveNotices {
    let told: Shared<[String]>

    func append(to account: String, _ notice: LiveNotice, in transaction: any Transaction) -> Bool {
      told.with { $0.append("\(account) \(notice.kind)") }
      return true
    }
  }

  init() async throws {
    bench = try await TestInstance()
    comments = try await bench.instance.comments(.open, notices: SocialNews(live: Noted(told: told)))
    accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    ada = try await accounts.join("ada")
    bob = try await accounts.join("bob")
    clip = try await bench.publishBare("clip", by: ada.id)
    _ = try await comments.change(CommentFilters(words: ["spam", "free money"], holdLinks: true), of: ada.id)
  }

  private func write(
    _ text: String, to comment: String? = nil, by viewer: Viewer? = nil, guest: String? = nil,
    key: String? = nil
  ) async throws -> ClipComment {
    try await comments.add(
      text, to: clip, replyTo: comment, by: guest == nil ? (viewer ?? bob).id : nil, guest: guest,
      idempotencyKey: key ?? UUID().uuidString)
  }

  private func shown(to viewer: String? = nil, _ order: CommentOrder = .newest) async throws -> [String] {
    try await comments.page(of: clip, order, cursor: nil, limit: 20, for: viewer).items.map(\.text)
  }

  private func held(by viewer: Viewer? = nil) async throws -> [HeldComment] {
    let page = try await comments.held(for: (viewer ?? ada).id, cursor: nil, limit: 20)
    #expect(page.held == page.items.count && page.nextCursor == nil)
    return page.items
  }

  private var count: Int {
    get async throws {
      try await bench.instance.feed(.open).page(cursor: nil, limit: 1).items[0].counts.comments
    }
  }

  private func code(_ work: () async throws -> Void) async -> ErrorCode? {
    do {
      try await work()
      return nil
    } catch {
      return (error as? AppError)?.code
    }
  }

  // MARK: What is caught

  @Test func whatAFilterCatchesIsSeenByTheTwoOnly() async throws {
    let comment = try await write("Get your FREE  Money here")
    #expect(comment.held == true && comment.own)
    #expect(try await shown() == [])
    #expect(try await count == 0)
    #expect(try await shown(to: ada.id) == [])
    #expect(try await shown(to: bob.id) == ["Get your FREE Money here"])
    #expect(try await shown(to: bob.id, .top) == ["Get your FREE Money here"])
    #expect(told.with { $0 } == [])
    #expect(try await held() == [HeldComment(comment: asSeen(comment), reason: .word, word: "free money")])
    #expect(try await held(by: bob) == [])
    for viewer in [ada, bob] {
      #expect(try await comments.comment(comment.id, for: viewer.id).held == true)
    }
    for viewer in ["somebody", nil] {
      #expect(await code { _ = try await comments.comment(comment.id, for: viewer) } == .commentNotFound)
    }
  }

  private func asSeen(_ comment: ClipComment) -> ClipComment {
    var seen = comment
    seen.own = false
    return seen
  }

  @Test func nothingCanBeDoneWithItButToDecide() async throws {
    let id = try await write("spam").id
    for viewer in [ada.id, bob.id] {
      #expect(await code { _ = try await comments.like(id, by: viewer) } == .commentNotFound)
      #expect(await code { _ = try await comments.pin(id, by: viewer) } == .commentNotFound)
      #expect(
        await code { _ = try await comments.replies(to: id, cursor: nil, limit: 5, for: viewer) }
          == .commentNotFound)
    }
    #expect(await code { _ = try await write("yes", to: id) } == .commentNotFound)
    #expect(await code { try await comments.delete(id, by: "somebody") } == .commentNotFound)
  }

  @Test func linksWaitWhereTheyAreToAndNobodyIsCaughtAtHome() async throws {
    #expect(try await write("look at example.com").held == true)
    #expect(try await held().map(\.reason) == [.link])
    #expect(try await write("look at that").held == nil)
    #expect(try await write("my spam at example.com", by: ada).held == nil)
    // Another's clip has the filters of somebody else.
    let other = try await bench.publishBare("other", by: bob.id)
    let there = try await comments.add("spam", to: other, by: ada.id, idempotencyKey: UUID().uuidString)
    #expect(there.held == nil)
    _ = try await comments.change(CommentFilters(), of: ada.id)
    #expect(try await write("spam at example.com").held == nil)
  }

  @Test func wordsAreKeptOnceAndThoseThatSayNothingAreNot() async throws {
    let many = (0..<300).map { "word \($0)" }
    #expect(
      try await comments.change(CommentFilters(words: [" Spam\n", "SPÁM", "…", "🤡"]), of: ada.id).words
        == ["Spam", "🤡"])
    #expect(try await comments.filters(of: ada.id) == CommentFilters(words: ["Spam", "🤡"]))
    #expect(
      try await comments.change(CommentFilters(words: many), of: ada.id).words.count == Limits.filterWords)
    #expect(try await comments.filters(of: bob.id) == CommentFilters())
  }

  @Test func onlyWhoFollowsMayComment() async throws {
    _ = try await comments.change(CommentFilters(followersOnly: true), of: ada.id)
    let first = "a-key-of-bobs-own"
    #expect(await code { _ = try await write("hello", key: first) } == .commentsForFollowers)
    #expect(await code { _ = try await write("hello", guest: "guest") } == .commentsForFollowers)
    #expect(try await write("mine", by: ada).text == "mine")
    let social = try await bench.instance.social(.open)
    _ = try await social.follow(ada.id, by: bob.id)
    let comment = try await write("hello", key: first)
    _ = try await social.unfollow(ada.id, by: bob.id)
    // A repetition is still the same comment.
    #expect(try await write("hello", key: first).id == comment.id)
    #expect(await code { _ = try await write("again", to: comment.id) } == .commentsForFollowers)
  }

  // MARK: What becomes of it

  @Test func lettingItInIsAsIfItWasWrittenThen() async throws {
    let waiting = try await write("spam, @ada")
    let between = try await write("honest words")
    told.with { $0 = [] }
    let stands = try await comments.approve(waiting.id, by: ada.id)
    #expect(stands.held == nil && stands.createdAt >= between.createdAt)
    #expect(try await shown() == ["spam, @ada", "honest words"])
    #expect(try await shown(to: bob.id) == ["spam, @ada", "honest words"])
    #expect(try await count == 2)
    #expect(told.with { $0 } == ["\(ada.id) mention"])
    #expect(try await held() == [])
    // Twice is once.
    #expect(try await comments.approve(waiting.id, by: ada.id).id == waiting.id)
    #expect(try await count == 2 && told.with { $0.count } == 1)
    #expect(try await comments.like(waiting.id, by: "somebody").likes == 1)
  }

  @Test func anAnswerIsToldToWhomItAnswers() async throws {
    let cleo = try await accounts.join("cleo")
    let first = try await write("first", by: cleo)
    let answer = try await write("second", to: first.id, by: ada)
    let waiting = try await write("spam", to: answer.id)
    #expect(try await comments.comment(first.id).replies == 1)
    let own = try await comments.replies(to: first.id, cursor: nil, limit: 5, for: bob.id).items
    #expect(own.map(\.text) == ["spam", "second"] && own.map(\.held) == [true, nil])
    told.with { $0 = [] }
    _ = try await comments.approve(waiting.id, by: ada.id)
    #expect(try await comments.comment(first.id).replies == 2)
    #expect(told.with { $0 } == ["\(ada.id) reply", "\(cleo.id) reply"])
    let replies = try await comments.replies(to: first.id, cursor: nil, limit: 5).items
    #expect(replies.map(\.text) == ["second", "spam"])
  }

  @Test func onlyWhoMadeTheClipLetsItIn() async throws {
    let id = try await write("spam").id
    for viewer in [bob.id, "somebody"] {
      #expect(await code { _ = try await comments.approve(id, by: viewer) } == .commentNotFound)
    }
    #expect(await code { _ = try await comments.approve("none", by: ada.id) } == .commentNotFound)
    #expect(try await held().count == 1)
  }

  @Test func bothMayDeleteItAndThenItIsGone() async throws {
    for viewer in [ada, bob] {
      let key = UUID().uuidString
      let id = try await write("spam", key: key).id
      try await comments.delete(id, by: viewer.id)
      try await comments.delete(id, by: viewer.id)
      #expect(try await held() == [])
      #expect(try await shown(to: bob.id) == [])
      #expect(try await count == 0)
      #expect(await code { _ = try await comments.approve(id, by: ada.id) } == .commentNotFound)
      #expect(await code { _ = try await write("spam", key: key) } == .commentRemoved)
    }
    let text = try await bench.instance.database.read {
      try $0.query("SELECT 1 AS n FROM comments WHERE text <> ''")
    }
    #expect(text.isEmpty)
  }

  @Test func whatItAnswersTakesItAlong() async throws {
    let first = try await write("first", by: ada)
    let waiting = try await write("spam", to: first.id)
    try await comments.delete(first.id, by: ada.id)
    #expect(try await held() == [])
    #expect(try await count == 0)
    #expect(await code { _ = try await comments.approve(waiting.id, by: ada.id) } == .commentNotFound)
  }

  @Test func theSameKeyAgainAnswersWithTheSameThatWaits() async throws {
    let key = UUID().uuidString
    let first = try await write("spam", guest: "one", key: key)
    #expect(try await write("spam", guest: "two", key: key) == first)
    #expect(try await held().count == 1)
    // It is the second guest's by now.
    #expect(try await shown(to: "two") == ["spam"])
    #expect(try await shown(to: "one") == [])
  }

  @Test func somebodyBlockedIsNotInTheListUntilThatEnds() async throws {
    let id = try await write("spam").id
    _ = try await write("spam of a guest", guest: "guest")
    let social = try await bench.instance.social(.open)
    _ = try await social.block(bob.id, by: ada.id)
    #expect(try await held().map(\.comment.text) == ["spam of a guest"])
    #expect(await code { _ = try await comments.approve(id, by: ada.id) } == .authorBlocked)
    _ = try await social.unblock(bob.id, by: ada.id)
    #expect(try await held().map(\.comment.text) == ["spam of a guest", "spam"])
  }

  @Test func theListHasPagesAndItsOwnCursors() async throws {
    for number in 1...5 { _ = try await write("spam \(number)") }
    let first = try await comments.held(for: ada.id, cursor: nil, limit: 2)
    _ = try await write("spam 6")
    let second = try await comments.held(for: ada.id, cursor: first.nextCursor, limit: 2)
    let third = try await comments.held(for: ada.id, cursor: second.nextCursor, limit: 2)
    #expect(
      (first.items + second.items + third.items).map(\.comment.text)
        == ["spam 5", "spam 4", "spam 3", "spam 2", "spam 1"])
    #expect(first.held == 5 && third.held == 6 && third.nextCursor == nil)
    for strange in [first.nextCursor, "AAAA"] {
      #expect(
        await code { _ = try await comments.held(for: bob.id, cursor: strange, limit: 2) } == .invalidCursor)
    }
  }

  @Test func whatIsUnderAClipThatNobodySeesIsNotInTheList() async throws {
    let id = try await write("spam").id
    try await bench.instance.clips.setVisibility(of: clip, to: .private)
    #expect(try await held() == [])
    #expect(await code { _ = try await comments.approve(id, by: ada.id) } == .commentNotFound)
    try await bench.instance.clips.setVisibility(of: clip, to: .public)
    #expect(try await held().count == 1)
  }

  @Test func itGoesWithWhoeverWroteItAndBecomesAnAccounts() async throws {
    _ = try await write("spam of a guest", guest: "guest")
    _ = try await write("spam of bob")
    try await bench.instance.database.write { transaction in
      try comments.merge("guest", into: bob.id, in: transaction)
    }
    #expect(try await shown(to: bob.id).count == 2)
    #expect(try await shown(to: "guest") == [])
    try await bench.instance.database.write { transaction in
      try comments.erase(bob.id, in: transaction)
    }
    #expect(try await held() == [])
    #expect(try await shown(to: bob.id) == [])
    #expect(try await count == 0)
  }

  // MARK: The wire

  @Test func aCreatorDecidesOverTheWire() async throws {
    let clock = TestTime(ms: SystemTime().nowMs)
    let bench = bench
    try await bench.servingAccounts(clock) { socket async throws in
      let session = try await Client(transport: socket).signUp(NewAccount("cara"))
      let cara = Client(transport: Bearer(inner: socket, token: try #require(session.accessToken)))
      let clip = try await bench.publishBare("caras", by: session.account.id)
      #expect(try await cara.commentFilters() == CommentFilters())
      let filters = CommentFilters(words: ["spam"], holdLinks: true)
      #expect(try await cara.change(filters) == filters)
      #expect(try await cara.commentFilters() == filters)
      let anybody = Client(transport: socket)
      let comment = try await anybody.comment(on: clip, text: "spam", idempotencyKey: UUID().uuidString)
      #expect(comment.held == true)
      #expect(try await anybody.comments(on: clip).items == [])
      let page = try await cara.heldComments(limit: 5)
      #expect(page.items.map(\.comment.id) == [comment.id] && page.held == 1)
      #expect(try await cara.approveComment(comment.id).held == nil)
      #expect(try await anybody.comments(on: clip).items.map(\.id) == [comment.id])
      #expect(try await cara.heldComments().items == [])
      for (words, code) in [
        ([String](repeating: "a", count: Limits.filterWords + 1), "invalid_parameter"),
        ([String(repeating: "a", count: 51)], "invalid_parameter"), ([""], "invalid_parameter"),
      ] {
        let problem = await #expect(throws: Problem.self) {
          try await cara.change(CommentFilters(words: words))
        }
        #expect(problem?.code == code)
      }
      let problem = await #expect(throws: Problem.self) { try await anybody.commentFilters() }
      #expect(problem?.code == "sign_in_needed")
    }
  }
}
