import Contract
import Feed
import Foundation
import Platform
import SQLite
import Social
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

@Suite(.everyEngine) struct SocialStoreTests {
  private let bench: TestInstance
  private let social: SocialStore

  init() async throws {
    bench = try await TestInstance()
    social = try await bench.instance.social(.open)
  }

  private func hide(_ clip: String, _ visibility: Visibility = .private) async throws {
    try await bench.instance.clips.setVisibility(of: clip, to: visibility)
  }

  @Test func whatIsDoneTwiceIsDoneOnce() async throws {
    let clip = try await bench.publishBare("clip")
    for _ in 0..<3 { #expect(try await social.like(clip, by: "a") == LikeState(liked: true, likes: 1)) }
    #expect(try await social.like(clip, by: "b").likes == 2)
    for _ in 0..<3 { #expect(try await social.unlike(clip, by: "a") == LikeState(liked: false, likes: 1)) }
    for _ in 0..<2 {
      #expect(try await social.bookmark(clip, by: "a").bookmarked)
      #expect(try await social.share(clip, by: "a", idempotencyKey: "one-share") == ShareCount(shares: 1))
    }
    for _ in 0..<2 { #expect(try await !social.unbookmark(clip, by: "a").bookmarked) }
    #expect(try await social.share(clip, by: "a", idempotencyKey: "another-share").shares == 2)
    // The first answer was lost, and with it who asked.
    #expect(try await social.share(clip, by: "b", idempotencyKey: "one-share").shares == 2)
  }

  @Test func manyAtOnceAreCountedExactly() async throws {
    let clip = try await bench.publishBare("clip")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<24 {
        group.addTask { [social] in
          for _ in 0..<3 { _ = try await social.like(clip, by: "viewer \(number)") }
          if number % 3 == 0 { _ = try await social.unlike(clip, by: "viewer \(number)") }
        }
        group.addTask { [bench] in _ = try await bench.instance.foldCounts() }
      }
      try await group.waitForAll()
    }
    #expect(try await social.like(clip, by: "viewer 1").likes == 16)
  }

  @Test func followersAreCountedAndNobodyFollowsThemselves() async throws {
    _ = try await bench.publishBare("clip")
    let author = try await bench.instance.feed(.open).page(cursor: nil, limit: 1).items[0].author
    for _ in 0..<2 {
      #expect(try await social.follow(author.id, by: "a") == FollowState(following: true, followers: 1))
    }
    #expect(try await social.follow(author.id, by: "b").followers == 2)
    try await bench.instance.foldCounts()
    #expect(
      try await social.unfollow(author.id, by: "b") == FollowState(following: false, followers: 1))
    #expect(try await social.following(of: "a", cursor: nil, limit: 10).items == [author])
    #expect(try await social.following(of: "b", cursor: nil, limit: 10).items == [])
    await #expect(throws: AppError(.followOneself)) { try await social.follow("a", by: "a") }
    await #expect(throws: AppError(.authorNotFound)) { try await social.follow("nobody", by: "a") }
    await #expect(throws: AppError(.authorNotFound)) { try await social.unfollow("nobody", by: "a") }
  }

  @Test func aClipThatNobodyCanSeeTakesNothingButGivesALikeBack() async throws {
    let clip = try await bench.publishBare("clip")
    _ = try await social.like(clip, by: "a")
    _ = try await social.bookmark(clip, by: "a")
    try await hide(clip)
    for id in [clip, "none"] {
      await #expect(throws: AppError(.clipNotFound)) { try await social.like(id, by: "b") }
      await #expect(throws: AppError(.clipNotFound)) { try await social.unlike(id, by: "b") }
      await #expect(throws: AppError(.clipNotFound)) { try await social.bookmark(id, by: "b") }
      await #expect(throws: AppError(.clipNotFound)) { try await social.unbookmark(id, by: "b") }
      await #expect(throws: AppError(.clipNotFound)) {
        try await social.share(id, by: "b", idempotencyKey: "one-share")
      }
    }
    #expect(try await social.unlike(clip, by: "a") == LikeState(liked: false, likes: 0))
    #expect(try await !social.unbookmark(clip, by: "a").bookmarked)
  }

  @Test func aListGoesFromTheNewestAndLeavesOutWhatCannotBeSeen() async throws {
    var clips: [String] = []
    for number in 0..<9 {
      clips.append(try await bench.publishBare("\(number)"))
      _ = try await social.like(clips[number], by: "a")
    }
    for number in [0, 4, 5, 6] { try await hide(clips[number]) }
    try await hide(clips[7], .unlisted)
    let first = try await social.likes(of: "a", cursor: nil, limit: 2)
    #expect(first.items.map(\.caption) == ["8", "7"])
    #expect(first.items.map(\.viewer?.liked) == [true, true])
    // What is liked meanwhile is on top, above the cursor.
    _ = try await social.unlike(clips[8], by: "a")
    _ = try await social.like(clips[8], by: "a")
    let second = try await social.likes(of: "a", cursor: first.nextCursor, limit: 2)
    #expect(second.items.map(\.caption) == ["3", "2"])
    let third = try await social.likes(of: "a", cursor: second.nextCursor, limit: 2)
    #expect(third.items.map(\.caption) == ["1"])
    #expect(third.nextCursor == nil)
    #expect(try await social.bookmarks(of: "a", cursor: nil, limit: 2).items == [])
    for strange in [first.nextCursor, "AAAA"] {
      await #expect(throws: AppError(.invalidCursor)) {
        try await social.likes(of: "b", cursor: strange, limit: 2)
      }
      await #expect(throws: AppError(.invalidCursor)) {
        try await social.bookmarks(of: "a", cursor: strange, limit: 2)
      }
    }
  }

  @Test func aGuestWhoSignsInBringsWhatTheyMarkedAndNothingCountsTwice() async throws {
    var clips: [String] = []
    for number in 0..<3 { clips.append(try await bench.publishBare("\(number)")) }
    let author = try await bench.instance.feed(.open).page(cursor: nil, limit: 1).items[0].author.id
    for clip in [clips[0], clips[1]] { _ = try await social.like(clip, by: "guest") }
    for clip in [clips[1], clips[2]] { _ = try await social.like(clip, by: "account") }
    _ = try await social.bookmark(clips[0], by: "guest")
    for viewer in ["guest", "account"] { _ = try await social.follow(author, by: viewer) }
    _ = try await social.share(clips[0], by: "guest", idempotencyKey: "one-share")
    try await bench.instance.database.write { try social.merge("guest", into: "account", in: $0) }
    #expect(
      Set(try await social.likes(of: "account", cursor: nil, limit: 9).items.map(\.id)) == Set(clips))
    #expect(try await social.bookmarks(of: "account", cursor: nil, limit: 9).items.map(\.id) == [clips[0]])
    for list in [
      try await social.likes(of: "guest", cursor: nil, limit: 9),
      try await social.bookmarks(of: "guest", cursor: nil, limit: 9),
    ] {
      #expect(list.items == [])
    }
    for clip in clips { #expect(try await social.like(clip, by: "account").likes == 1) }
    #expect(try await social.follow(author, by: "account").followers == 1)
  }

  @Test func whoSignsInToTheAccountTheyFollowedDoesNotFollowThemselves() async throws {
    _ = try await bench.publishBare("clip")
    let author = try await bench.instance.feed(.open).page(cursor: nil, limit: 1).items[0].author.id
    _ = try await social.follow(author, by: "guest")
    _ = try await social.follow(author, by: "other")
    try await bench.instance.database.write { try social.merge("guest", into: author, in: $0) }
    #expect(try await social.following(of: author, cursor: nil, limit: 9).items == [])
    #expect(try await social.follow(author, by: "other").followers == 1)
  }

  @Test func anAccountThatGoesTakesItsMarksAlong() async throws {
    let clip = try await bench.publishBare("clip")
    let author = try await bench.instance.feed(.open).page(cursor: nil, limit: 1).items[0].author.id
    for viewer in ["a", "b"] {
      _ = try await social.like(clip, by: viewer)
      _ = try await social.bookmark(clip, by: viewer)
      _ = try await social.follow(author, by: viewer)
      _ = try await social.share(clip, by: viewer, idempotencyKey: "share-of-\(viewer)")
    }
    try await bench.instance.database.write { try social.erase("a", in: $0) }
    #expect(try await social.like(clip, by: "b").likes == 1)
    #expect(try await social.follow(author, by: "b").followers == 1)
    let rows = try await bench.instance.database.read { transaction in
      try ["likes", "bookmarks", "follows", "shares"].map {
        try transaction.query("SELECT COUNT(*) AS n FROM \($0) WHERE viewer_id = 'a'")[0].integer("n")
      }
    }
    #expect(rows == [0, 0, 0, 0])
  }
}

@Suite(.everyEngine) struct SocialRequestTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  @Test func aGuestMarksAClipAndIsToldSoWhereverItIsShown() async throws {
    let (clip, other) = (try await bench.publishBare("clip"), try await bench.publishBare("other"))
    try await bench.serving { transport async throws in
      let (me, stranger) = (Browser(transport), Browser(transport))
      #expect(try await me.client.clip(clip).viewer == nil)
      #expect(!me.isKnown)
      #expect(try await me.client.like(clip) == LikeState(liked: true, likes: 1))
      #expect(me.isKnown)
      #expect(try await me.client.bookmark(clip).bookmarked)
      let author = try await me.client.clip(clip).author
      #expect(try await me.client.follow(author.id) == FollowState(following: true, followers: 1))
      #expect(try await me.client.share(clip, idempotencyKey: "one-share").shares == 1)
      let mine = ClipViewer(liked: true, bookmarked: true, following: true)
      #expect(try await me.client.clip(clip).viewer == mine)
      #expect(try await me.client.clip(other).viewer == ClipViewer(following: true))
      let feed = try await me.client.feed().items
      #expect(feed.map(\.viewer) == [ClipViewer(following: true), mine])
      #expect(feed.map(\.counts) == [Counts(), Counts(likes: 1, shares: 1)])
      #expect(try await me.client.likes().items.map(\.id) == [clip])
      #expect(try await me.client.bookmarks().items.map(\.viewer) == [mine])
      #expect(try await me.client.following().items == [author])
      #expect(try await stranger.client.clip(clip).viewer == nil)
      #expect(try await stranger.client.likes().items == [])
      #expect(try await stranger.client.following().items == [])
      #expect(try await stranger.client.unlike(clip).likes == 1)
      #expect(!stranger.isKnown)
      #expect(try await me.client.unlike(clip) == LikeState(liked: false, likes: 0))
      #expect(try await me.client.unbookmark(clip) == BookmarkState(bookmarked: false))
      #expect(try await me.client.unfollow(author.id).followers == 0)
      #expect(try await me.client.clip(clip).viewer == nil)
    }
  }

  @Test func aPageCostsTheSameNumberOfStatementsHoweverManyClipsItHas() async throws {
    let statements = Shared<[String]>([])
    for number in 0..<12 { _ = try await bench.publishBare("\(number)") }
    let hooked = HookedDatabase(database: bench.instance.database) { sql, _ in
      statements.with { $0.append(sql) }
    }
    let feed = bench.instance.feed(on: hooked)
    for limit in [1, 11] {
      statements.with { $0 = [] }
      _ = try await feed.page(cursor: nil, limit: limit, for: "a")
      #expect(statements.with { $0.count } == 6)
    }
  }

  @Test(arguments: [
    ("PUT", "/api/v1/clips/none/like", 404, "clip_not_found"),
    ("DELETE", "/api/v1/clips/none/bookmark", 404, "clip_not_found"),
    ("PUT", "/api/v1/clips/%27%20OR%201=1/like", 404, "clip_not_found"),
    ("PUT", "/api/v1/authors/none/follow", 404, "author_not_found"),
    ("POST", "/api/v1/clips/none/shares", 400, "invalid_idempotency_key"),
    ("POST", "/api/v1/clips/none/like", 405, "method_not_allowed"),
    ("GET", "/api/v1/account/likes?limit=0", 400, "invalid_parameter"),
    ("POST", "/api/v1/account/bookmarks", 405, "method_not_allowed"),
  ])
  func whatCannotBeDoneIsSaidSo(_ method: String, _ target: String, _ status: Int, _ code: String)
    async throws
  {
    let answer = try await bench.serving { try await Browser($0).status(method, target) }
    #expect(answer.status == status)
    #expect(answer.code == code)
  }

  @Test func anUnlistedClipIsInTheListOfWhoLikedItUnderASeal() async throws {
    let clip = try await bench.publishBare("clip")
    try await bench.serving { [bench] transport async throws in
      let me = Browser(transport)
      _ = try await me.client.like(clip)
      try await bench.instance.clips.setVisibility(of: clip, to: .unlisted)
      #expect(try await me.client.likes().items.map(\.visibility) == [.unlisted])
      try await bench.instance.clips.setVisibility(of: clip, to: .private)
      #expect(try await me.client.likes() == FeedPage(items: [], nextCursor: nil))
    }
  }

  @Test func oneAddressIsHeldBack() async throws {
    let clip = try await bench.publishBare("clip")
    // It stands still: nothing is allowed again for time that the test takes.
    try await bench.serving(time: TestTime(ms: SystemTime().nowMs)) { transport async throws in
      let me = Browser(transport)
      var answer = try await me.send(WireRequest("PUT", Route.like.path(clip)))
      var count = 0
      while answer.status == 200, count < 500 {
        count += 1
        answer = try await me.send(WireRequest("PUT", Route.like.path(clip)))
      }
      #expect(count == 60)
      #expect(answer.status == 429 && answer.headers["retry-after"] == "1")
    }
  }
}
