import Accounts
import Comments
import Contract
import Feed
import Foundation
import Platform
import Social
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// Comments with what hangs on them: replies, likes, a pin, and whoever wrote them.
@Suite(.everyEngine) struct ConversationTests {
  private let bench: TestInstance
  private let comments: CommentStore
  private let accounts: Accounts
  /// Accounts; the clip is Ada's.
  private let ada: String
  private let bob: String
  private let cleo: String
  private let clip: String
  private let keys = Shared(0)

  init() async throws {
    bench = try await TestInstance()
    comments = try await bench.instance.comments(.open)
    accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    ada = try await accounts.signUp(NewAccount("ada"), guest: nil, client: "").account.id
    bob = try await accounts.signUp(NewAccount("bob"), guest: nil, client: "").account.id
    cleo = try await accounts.signUp(NewAccount("cleo"), guest: nil, client: "").account.id
    clip = try await bench.publishBare("clip", by: ada)
  }

  @discardableResult
  private func write(
    _ text: String, to comment: ClipComment? = nil, by author: String? = nil, guest: String? = nil,
    on other: String? = nil
  ) async throws -> ClipComment {
    let number = keys.with {
      $0 += 1
      return $0
    }
    return try await comments.add(
      text, to: other ?? clip, replyTo: comment?.id, by: author, guest: guest,
      idempotencyKey: "key-number-\(number)")
  }

  private func page(
    _ order: CommentOrder = .newest, cursor: String? = nil, limit: Int = 50, for viewer: String? = nil
  ) async throws -> CommentPage {
    try await comments.page(of: clip, order, cursor: cursor, limit: limit, for: viewer)
  }

  private func texts(_ order: CommentOrder = .newest, for viewer: String? = nil) async throws -> [String] {
    try await page(order, for: viewer).items.map(\.text)
  }

  private func replies(to comment: ClipComment, for viewer: String? = nil) async throws -> [String] {
    try await comments.replies(to: comment.id, cursor: nil, limit: 50, for: viewer).items.map(\.text)
  }

  private func counted() async throws -> Int {
    try await bench.instance.feed(.open).clip(id: clip, forOwner: false).counts.comments
  }

  // MARK: Replies

  @Test func aReplyHangsUnderAComment() async throws {
    let first = try await write("first", by: bob)
    let answer = try await write("answer", to: first, by: cleo)
    #expect(answer.parentId == first.id && answer.clipId == clip)
    // One level: an answer to an answer stands beside it.
    #expect(try await write("again", to: answer, by: bob).parentId == first.id)
    #expect(try await texts() == ["first"])
    #expect(try await texts(.top) == ["first"])
    #expect(try await replies(to: first) == ["answer", "again"])
    #expect(try await replies(to: answer) == [])
    #expect(try await page().items.map(\.replies) == [2])
    #expect(try await counted() == 3)
    try await bench.instance.foldCounts()
    #expect(try await comments.comment(first.id).replies == 2)
    #expect(try await comments.comment(answer.id) == answer.seen)
  }

  @Test func aReplyIsToACommentOfThatClipThatIsThere() async throws {
    let other = try await bench.publishBare("other", by: ada)
    let elsewhere = try await write("elsewhere", by: bob, on: other)
    let gone = try await write("gone", by: bob)
    try await comments.delete(gone.id, by: bob)
    #expect(await refusal { try await write("x", to: elsewhere, by: bob) } == .commentNotFound)
    #expect(await refusal { try await write("x", to: gone, by: bob) } == .commentNotFound)
    #expect(try await counted() == 0)
  }

  @Test func theSameKeyIsTheSameReply() async throws {
    let (first, second) = (try await write("first", by: bob), try await write("second", by: bob))
    func answer(_ to: ClipComment?) async throws -> ClipComment {
      try await comments.add("yes", to: clip, replyTo: to?.id, by: cleo, idempotencyKey: "the-same-key")
    }
    let made = try await answer(first)
    #expect(try await answer(first) == made)
    for other in [second, nil] {
      #expect(await refusal { try await answer(other) } == .idempotencyKeyReused)
    }
    try await comments.delete(first.id, by: bob)
    #expect(await refusal { try await answer(first) } == .commentRemoved)
  }

  @Test func repliesComeOldestFirstAndACursorBelongsToOneList() async throws {
    let first = try await write("first", by: bob)
    for number in 1...5 { try await write("\(number)", to: first, by: cleo) }
    var (all, cursor): ([String], String?) = ([], nil)
    repeat {
      let part = try await comments.replies(to: first.id, cursor: cursor, limit: 2)
      all += part.items.map(\.text)
      cursor = part.nextCursor
      if all.count == 2 { try await write("6", to: first, by: cleo) }
    } while cursor != nil
    #expect(all == ["1", "2", "3", "4", "5", "6"])
    let second = try await write("second", by: bob)
    let strange = try await comments.replies(to: first.id, cursor: nil, limit: 2).nextCursor
    #expect(
      await refusal { try await comments.replies(to: second.id, cursor: strange, limit: 2) }
        == .invalidCursor)
    #expect(await refusal { try await page(cursor: strange) } == .invalidCursor)
    let newest = try await page(limit: 1).nextCursor
    #expect(try await page(.top, cursor: newest) == page(.top))
  }

  // MARK: Likes and the order by them

  @Test func aLikeCountsOnceAndIsTakenBack() async throws {
    let first = try await write("first", by: bob)
    for viewer in ["guest", cleo] {
      for _ in 0..<2 { #expect(try await comments.like(first.id, by: viewer).liked) }
    }
    #expect(try await comments.comment(first.id, for: cleo).likes == 2)
    #expect(try await page(for: cleo).items.map(\.liked) == [true])
    #expect(try await page(for: bob).items.map(\.liked) == [false])
    #expect(try await page().items.map(\.liked) == [false])
    try await bench.instance.foldCounts()
    for _ in 0..<2 {
      #expect(try await comments.unlike(first.id, by: cleo) == LikeState(liked: false, likes: 1))
    }
    #expect(await refusal { try await comments.like("none", by: cleo) } == .commentNotFound)
    #expect(await refusal { try await comments.unlike("none", by: cleo) } == .commentNotFound)
    // What is gone takes none.
    try await comments.delete(first.id, by: bob)
    #expect(await refusal { try await comments.like(first.id, by: cleo) } == .commentNotFound)
  }

  @Test func likesOfManyAtOnceAreExact() async throws {
    let first = try await write("first", by: bob)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<24 {
        group.addTask { [comments] in
          for _ in 0..<2 { _ = try await comments.like(first.id, by: "viewer \(number)") }
          if number % 3 == 0 { _ = try await comments.unlike(first.id, by: "viewer \(number)") }
        }
        group.addTask { [bench] in _ = try await bench.instance.foldCounts() }
      }
      try await group.waitForAll()
    }
    #expect(try await comments.comment(first.id).likes == 16)
    try await bench.instance.foldCounts()
    #expect(try await comments.comment(first.id).likes == 16)
  }

  @Test func topIsByLikesAndThenTheNewest() async throws {
    var made: [ClipComment] = []
    for number in 0..<6 { made.append(try await write("\(number)", by: bob)) }
    for (number, likes) in [(1, 2), (2, 1), (4, 1)] {
      for viewer in 0..<likes { _ = try await comments.like(made[number].id, by: "viewer \(viewer)") }
    }
    try await bench.instance.foldCounts()
    #expect(try await texts(.top) == ["1", "4", "2", "5", "3", "0"])
    #expect(try await texts() == ["5", "4", "3", "2", "1", "0"])
    var (all, cursor): ([String], String?) = ([], nil)
    repeat {
      let part = try await page(.top, cursor: cursor, limit: 2)
      all += part.items.map(\.text)
      cursor = part.nextCursor
    } while cursor != nil
    #expect(all == ["1", "4", "2", "5", "3", "0"])
  }

  // MARK: Pins

  @Test(arguments: CommentOrder.allCases)
  func thePinnedOneLeadsTheFirstPageAndComesNoMore(_ order: CommentOrder) async throws {
    var made: [ClipComment] = []
    for number in 0..<5 { made.append(try await write("\(number)", by: bob)) }
    let pinned = try await comments.pin(made[2].id, by: ada)
    #expect(pinned.pinned && pinned.text == "2")
    for limit in 1...6 {
      var (all, cursor): ([ClipComment], String?) = ([], nil)
      repeat {
        let part = try await page(order, cursor: cursor, limit: limit)
        #expect(part.items.count <= limit)
        all += part.items
        cursor = part.nextCursor
      } while cursor != nil
      #expect(all.map(\.text) == ["2", "4", "3", "1", "0"], "by \(limit)")
      #expect(all.map(\.pinned) == [true, false, false, false, false])
    }
    // Another takes its place.
    _ = try await comments.pin(made[0].id, by: ada)
    #expect(try await texts(order) == ["0", "4", "3", "2", "1"])
    for _ in 0..<2 { #expect(try await !comments.unpin(made[0].id, by: ada).pinned) }
    #expect(try await texts(order) == ["4", "3", "2", "1", "0"])
  }

  @Test func onlyWhoeverMadeTheClipPinsAndNoReply() async throws {
    let first = try await write("first", by: bob)
    let answer = try await write("answer", to: first, by: ada)
    for viewer in [bob, "guest", ""] {
      #expect(await refusal { try await comments.pin(first.id, by: viewer) } == .commentNotYours)
      #expect(await refusal { try await comments.unpin(first.id, by: viewer) } == .commentNotYours)
    }
    #expect(await refusal { try await comments.pin(answer.id, by: ada) } == .commentIsReply)
    #expect(await refusal { try await comments.pin("none", by: ada) } == .commentNotFound)
    _ = try await comments.pin(first.id, by: ada)
    try await comments.delete(first.id, by: bob)
    #expect(try await page().items == [])
    #expect(await refusal { try await comments.pin(first.id, by: ada) } == .commentNotFound)
  }

  // MARK: Deleting

  @Test func whoeverWroteACommentDeletesItWithItsReplies() async throws {
    let (first, other) = (try await write("first", by: bob), try await write("other", by: cleo))
    let answer = try await write("answer", to: first, by: cleo)
    let another = try await write("another", to: other, by: bob)
    _ = try await comments.like(answer.id, by: ada)
    for viewer in [cleo, "guest", nil] {
      #expect(await refusal { try await comments.delete(first.id, by: viewer) } == .commentNotYours)
    }
    for _ in 0..<2 { try await comments.delete(first.id, by: bob) }
    #expect(try await texts() == ["other"])
    #expect(try await counted() == 2)
    for id in [first.id, answer.id] {
      #expect(await refusal { try await comments.comment(id) } == .commentNotFound)
      #expect(await refusal { try await comments.delete(id, by: "guest") } == .commentNotFound)
    }
    #expect(
      await refusal { try await comments.replies(to: first.id, cursor: nil, limit: 9) } == .commentNotFound)
    // Twice is once for all who may.
    try await comments.delete(answer.id, by: cleo)
    try await comments.delete(answer.id, by: ada)
    // A reply goes alone, and is counted off.
    try await comments.delete(another.id, by: bob)
    #expect(try await page().items.map(\.replies) == [0])
    #expect(try await counted() == 1)
    let texts = try await bench.instance.database.read {
      try $0.query("SELECT text FROM comments WHERE removed_at_ms IS NOT NULL").map { try $0.text("text") }
    }
    #expect(texts == ["", "", ""])
    #expect(try await rows(of: "comment_likes") == 0)
  }

  @Test func whoeverMadeTheClipDeletesWhatOthersWrote() async throws {
    let first = try await write("first", guest: "guest")
    for _ in 0..<2 { try await comments.delete(first.id, by: ada) }
    #expect(try await counted() == 0)
  }

  @Test func aGuestWhoseUploadAClipIsDoesWhatItsCreatorDoes() async throws {
    let other = try await bench.publishBare("of a guest")
    let first = try await write("first", by: bob, on: other)
    #expect(await refusal { try await comments.pin(first.id, by: "maker") } == .commentNotYours)
    try await bench.instance.database.write {
      try $0.execute(
        """
        INSERT INTO uploads (id, account, size_bytes, media_type, publishes_itself, state, details, created_at_ms,
            expires_at_ms, owner, clip_id)
        VALUES ('u', 'guest:a', 1, '', 1, 'processing', '{}', 0, 0, 'maker', ?)
        """, [.text(other)])
    }
    #expect(try await comments.pin(first.id, by: "maker").pinned)
    try await comments.delete(first.id, by: "maker")
    #expect(await refusal { try await comments.comment(first.id) } == .commentNotFound)
  }

  @Test func answersWhileACommentGoesLeaveNothingBehind() async throws {
    let first = try await write("first", by: bob)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<12 {
        let other = number % 2 == 0 ? comments : try await bench.another().comments(.open)
        group.addTask { [clip, bob, cleo] in
          if number == 6 { return try await other.delete(first.id, by: bob) }
          let code = await refusal {
            try await other.add(
              "x", to: clip, replyTo: first.id, by: cleo, idempotencyKey: "an-answer-\(number)")
          }
          #expect([nil, .commentNotFound].contains(code))
        }
      }
      try await group.waitForAll()
    }
    #expect(try await counted() == 0)
    let shown = try await bench.instance.database.read {
      try $0.query("SELECT COUNT(*) AS n FROM comments WHERE removed_at_ms IS NULL")[0].integer("n")
    }
    #expect(shown == 0)
  }

  private func rows(of table: String) async throws -> Int64 {
    try await bench.instance.database.read {
      try $0.query("SELECT COUNT(*) AS n FROM \(table)")[0].integer("n")
    }
  }

  // MARK: Guests

  @Test func aGuestsCommentIsTheirsAndNobodyLearnsWhose() async throws {
    let made = try await write("from a guest", guest: "guest")
    #expect(made.own && made.author == nil)
    for viewer in [nil, bob, ada, "another"] {
      let seen = try await comments.comment(made.id, for: viewer)
      #expect(!seen.own && seen.author == nil)
    }
    #expect(try await page(for: "guest").items.map(\.own) == [true])
    // A repetition after a lost answer may come from whoever is another guest by now.
    let again = try await comments.add("lost", to: clip, guest: "first", idempotencyKey: "a-lost-answer")
    let later = try await comments.add("lost", to: clip, guest: "second", idempotencyKey: "a-lost-answer")
    #expect(again.id == later.id && later.own)
    try await comments.delete(later.id, by: "second")
    try await comments.delete(made.id, by: "guest")
    #expect(try await counted() == 0)
  }

  @Test func whatAGuestWroteAndLikedGoesAlongIntoAnAccount() async throws {
    let guests = GuestTokens(keys: try await bench.instance.keys(.guests).tokenKeys())
    let guest = guests.make(at: SystemTime()).id
    let (first, second) = (try await write("first", by: bob), try await write("second", by: bob))
    let made = try await write("from a guest", guest: guest)
    for viewer in [guest, cleo] { _ = try await comments.like(first.id, by: viewer) }
    _ = try await comments.like(second.id, by: guest)
    _ = try await accounts.signIn(
      NewSession(handle: "cleo", password: NewAccount("").password, transport: .token), guest: guest,
      client: "")
    #expect(try await comments.comment(first.id, for: cleo).likes == 1)
    let liked = try await comments.comment(second.id, for: cleo)
    #expect(liked.likes == 1 && liked.liked)
    let seen = try await comments.comment(made.id, for: cleo)
    // Its name is not told afterwards.
    #expect(seen.own && seen.author == nil)
    #expect(try await !comments.comment(made.id, for: bob).own)
    try await comments.delete(made.id, by: cleo)
  }

  @Test func anAccountThatIsDeletedTakesItsCommentsAndLikesAlong() async throws {
    let guests = GuestTokens(keys: try await bench.instance.keys(.guests).tokenKeys())
    let mara = guests.make(at: SystemTime()).id
    let unnamed = try await write("without a name", guest: mara)
    try await write("under it", to: unnamed, by: bob)
    _ = try await accounts.signUp(NewAccount("mara"), guest: mara, client: "")
    let first = try await write("first", by: bob)
    _ = try await write("answer", to: first, by: mara)
    let named = try await write("named", by: mara)
    try await write("under hers", to: named, by: cleo)
    _ = try await comments.like(first.id, by: mara)
    _ = try await comments.pin(named.id, by: ada)
    #expect(try await counted() == 6)
    try await accounts.delete(mara, AccountDeletion(password: NewAccount("").password))
    #expect(try await counted() == 1)
    let left = try await page().items
    #expect(left.map(\.text) == ["first"])
    #expect(left.map(\.likes) == [0] && left.map(\.replies) == [0])
    #expect(try await rows(of: "comment_likes") == 0)
    #expect(try await rows(of: "comment_pins") == 0)
  }

  @Test func withAClipGoesAllThatHangsOnItsComments() async throws {
    let first = try await write("first", by: bob)
    _ = try await comments.like(first.id, by: cleo)
    _ = try await comments.pin(first.id, by: ada)
    try await bench.instance.database.write { [clip] in
      try $0.execute("DELETE FROM clips WHERE id = ?", [.text(clip)])
    }
    #expect(try await rows(of: "comments") == 0)
    #expect(try await rows(of: "comment_likes") == 0)
    #expect(try await rows(of: "comment_pins") == 0)
    #expect(try await bench.instance.foldCounts() >= 1)
    #expect(try await rows(of: "comment_count_changes") == 0)
  }

  // MARK: Blocks

  @Test func aBlockHoldsInBothDirections() async throws {
    let social = try await bench.instance.social(.open)
    let bobs = try await write("bob's", by: bob)
    let cleos = try await write("cleo's", by: cleo)
    let answer = try await write("ada's", to: bobs, by: ada)
    try await write("cleo's answer", to: bobs, by: cleo)
    _ = try await comments.pin(bobs.id, by: ada)
    _ = try await social.block(cleo, by: bob)
    func refusals(of comment: ClipComment, to viewer: String) async -> [ErrorCode?] {
      [
        await refusal { try await comments.comment(comment.id, for: viewer) },
        await refusal { try await comments.replies(to: comment.id, cursor: nil, limit: 9, for: viewer) },
        await refusal { try await comments.like(comment.id, by: viewer) },
        await refusal { try await comments.unlike(comment.id, by: viewer) },
        await refusal { try await write("x", to: comment, by: viewer) },
      ]
    }
    let blocked = Array(repeating: ErrorCode?.some(.authorBlocked), count: 5)
    let missing = Array(repeating: ErrorCode?.some(.commentNotFound), count: 5)
    #expect(await refusals(of: cleos, to: bob) == blocked)
    #expect(await refusals(of: bobs, to: cleo) == missing)
    // What hangs under such a comment is no more to be seen than it is.
    #expect(await refusals(of: answer, to: cleo) == missing)
    #expect(try await texts(for: cleo) == ["cleo's"])
    #expect(try await texts(for: bob) == ["bob's"])
    #expect(try await replies(to: bobs, for: bob) == ["ada's"])
    #expect(try await replies(to: bobs) == ["ada's", "cleo's answer"])
    // One's own goes all the same.
    try await comments.delete(cleos.id, by: cleo)
  }
}

extension ClipComment {
  /// As it is for somebody else.
  fileprivate var seen: ClipComment {
    var comment = self
    comment.own = false
    return comment
  }
}
