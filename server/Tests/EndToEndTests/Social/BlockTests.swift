import Accounts
import Comments
import Contract
import Feed
import Foundation
import Messages
import Platform
import Social
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// Two who want to have nothing to do with each other, and everybody else.
@Suite(.everyEngine) struct BlockTests {
  private let bench: TestInstance
  private let social: SocialStore
  private let feed: FeedStore
  /// Accounts.
  private let ada: String
  private let bob: String

  init() async throws {
    bench = try await TestInstance()
    let instance = bench.instance
    let news = SocialNews(live: NotedNotices())
    social = try await instance.social(.open, notices: news)
    feed = try await instance.feed(.open)
    let accounts = try await instance.accounts(hashing: CountingPasswords())
    ada = try await accounts.signUp(NewAccount("ada"), guest: nil, client: "").account.id
    bob = try await accounts.signUp(NewAccount("bob"), guest: nil, client: "").account.id
  }

  private struct NotedNotices: LiveNotices {
    func append(to account: String, _ notice: LiveNotice, in transaction: any Transaction) throws -> Bool {
      try transaction.execute(
        "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
        [.text("notice \(account) \(notice.actorID)"), .text(notice.kind)]) == 1
    }
  }

  private func refusal(_ work: () async throws -> some Any) async -> ErrorCode? {
    do {
      _ = try await work()
      return nil
    } catch { return (error as? AppError)?.code }
  }

  private func notices() async throws -> Int64 {
    try await bench.instance.database.read {
      try $0.query("SELECT COUNT(*) AS n FROM settings WHERE name LIKE 'notice %'")[0].integer("n")
    }
  }

  /// What a viewer is refused of an author's clip: everything that can be done with it.
  private func refusals(of clip: String, by author: String, to viewer: String) async throws -> Set<ErrorCode?>
  {
    let comments = try await bench.instance.comments(.open)
    return [
      await refusal { try await feed.clip(id: clip, forOwner: false, for: viewer) },
      await refusal { try await social.like(clip, by: viewer) },
      await refusal { try await social.unlike(clip, by: viewer) },
      await refusal { try await social.bookmark(clip, by: viewer) },
      await refusal { try await social.share(clip, by: viewer, idempotencyKey: "one-share") },
      await refusal { try await comments.page(of: clip, cursor: nil, limit: 5, for: viewer) },
      await refusal { try await comments.add("words", to: clip, by: viewer, idempotencyKey: "one-comment") },
      await refusal { try await comments.add("words", to: clip, guest: viewer, idempotencyKey: "a-comment") },
      await refusal { try await comments.react(.heart, to: clip, by: viewer) },
    ]
  }

  @Test func whoIsBlockedFindsNothingAndWhoBlockedIsToldWhy() async throws {
    let (adas, bobs) = (
      try await bench.publishBare("ada's", by: ada), try await bench.publishBare("bob's", by: bob)
    )
    for _ in 0..<2 { #expect(try await social.block(bob, by: ada).blocked) }
    #expect(try await refusals(of: adas, by: ada, to: bob) == [.clipNotFound])
    #expect(try await refusals(of: bobs, by: bob, to: ada) == [.authorBlocked])
    #expect(await refusal { try await social.follow(ada, by: bob) } == .authorNotFound)
    #expect(await refusal { try await social.follow(bob, by: ada) } == .authorBlocked)
    // Both at once: each is told their own part.
    #expect(try await social.block(ada, by: bob).blocked)
    #expect(try await refusals(of: adas, by: ada, to: bob) == [.authorBlocked])
    #expect(try await notices() == 0)
    // For everybody else nothing has changed, nor for the authors themselves.
    #expect(try await refusals(of: adas, by: ada, to: "somebody") == [nil])
    #expect(try await refusals(of: adas, by: ada, to: ada) == [nil])
    // What ended does not come back, and what begins anew may.
    for (author, viewer) in [(ada, bob), (bob, ada)] {
      for _ in 0..<2 { #expect(try await !social.unblock(author, by: viewer).blocked) }
    }
    #expect(try await refusals(of: adas, by: ada, to: bob) == [nil])
    #expect(await refusal { try await social.block(ada, by: ada) } == .blockOneself)
    #expect(await refusal { try await social.block("nobody", by: ada) } == .authorNotFound)
    #expect(await refusal { try await social.unblock("nobody", by: ada) } == .authorNotFound)
  }

  @Test func whatTheTwoFollowedOfEachOtherEndsAndIsCounted() async throws {
    _ = try await social.follow(ada, by: bob)
    _ = try await social.follow(bob, by: ada)
    #expect(try await social.follow(ada, by: "somebody").followers == 2)
    _ = try await social.block(bob, by: ada)
    #expect(try await social.following(of: bob, cursor: nil, limit: 9).items == [])
    #expect(try await social.following(of: ada, cursor: nil, limit: 9).items == [])
    #expect(try await social.follow(ada, by: "somebody").followers == 1)
    #expect(try await social.follow(bob, by: "somebody").followers == 1)
  }

  @Test func neitherIsInTheOthersFeedListsAndComments() async throws {
    var clips: [String: [String]] = [:]
    for number in 0..<4 {
      for author in [ada, bob] {
        clips[author, default: []].append(try await bench.publishBare("\(author) \(number)", by: author))
      }
    }
    let third = try await bench.publishBare("of somebody")
    for viewer in [ada, bob] {
      for clip in clips[ada]! + clips[bob]! { _ = try await social.like(clip, by: viewer) }
    }
    let comments = try await bench.instance.comments(.open)
    for number in 0..<4 {
      for author in [ada, bob, nil] {
        _ = try await comments.add(
          "\(author ?? "guest")", to: third, by: author, idempotencyKey: "key-\(number)-\(author ?? "")")
      }
    }
    func told(to viewer: String) async throws -> Set<String> {
      Set(try await social.likes(of: viewer, cursor: nil, limit: 50).items.map(\.author.id))
        .union(try await read(viewer).map(\.author.id))
        .union(try await said(to: viewer).compactMap(\.author?.id))
    }
    func read(_ viewer: String) async throws -> [Clip] {
      var (items, cursor): ([Clip], String?) = ([], nil)
      repeat {
        let page = try await feed.page(cursor: cursor, limit: 2, for: viewer)
        items += page.items
        cursor = page.nextCursor
      } while cursor != nil
      return items
    }
    func said(to viewer: String) async throws -> [ClipComment] {
      var (items, cursor): ([ClipComment], String?) = ([], nil)
      repeat {
        let page = try await comments.page(of: third, cursor: cursor, limit: 3, for: viewer)
        #expect(page.items.count <= 3)
        items += page.items
        cursor = page.nextCursor
      } while cursor != nil
      return items
    }
    let somebody = try await feed.clip(id: third, forOwner: false).author.id
    #expect(try await told(to: ada) == [ada, bob, somebody])
    _ = try await social.block(bob, by: ada)
    #expect(try await told(to: ada) == [ada, somebody])
    #expect(try await told(to: bob) == [bob, somebody])
    #expect(try await read(ada).count == 5)
    #expect(try await said(to: ada).count == 8)
    #expect(try await told(to: "another") == [ada, bob, somebody])
    _ = try await social.unblock(bob, by: ada)
    #expect(try await told(to: ada) == [ada, bob, somebody])
    #expect(try await read(ada).count == 9)
    #expect(try await said(to: ada).count == 12)
  }

  @Test func anAuthorWithAThousandClipsCostsThoseWhoBlockedThemABoundedPage() async throws {
    let old = try await bench.publishBare("old")
    let first = try await bench.publishBare("bob's", by: bob)
    try await bench.instance.database.write { transaction in
      let start = try transaction.query("SELECT last FROM feed_numbers")[0].integer("last")
      for number in 1...3000 {
        try transaction.execute(
          """
          INSERT INTO clips (id, author_id, caption, source_hash, state, created_at_ms, published_number, duration_ms,
              width, height, poster, playback)
          SELECT ?, author_id, caption, ?, state, created_at_ms, ?, duration_ms, width, height, poster, playback
          FROM clips WHERE id = ?
          """,
          [.text("many-\(number)"), .text("many-\(number)"), .integer(start + Int64(number)), .text(first)])
      }
      try transaction.execute("UPDATE feed_numbers SET last = last + 3000")
    }
    _ = try await social.block(bob, by: ada)
    let looked = Shared(0)
    let hooked = HookedDatabase(database: bench.instance.database) { sql, _ in
      looked.with { $0 += sql.contains("clips") ? 1 : 0 }
    }
    var pages = 0
    var (items, cursor): ([String], String?) = ([], nil)
    let slow = bench.instance.feed(on: hooked)
    repeat {
      looked.with { $0 = 0 }
      let page = try await slow.page(cursor: cursor, limit: 5, for: ada)
      #expect(looked.with { $0 } < 40)
      items += page.items.map(\.id)
      cursor = page.nextCursor
      pages += 1
    } while cursor != nil
    #expect(items == [old])
    #expect(pages == 2)
  }

  @Test func theListIsNewestFirstAndItsCursorIsItsOwn() async throws {
    _ = try await social.block(bob, by: "guest")
    _ = try await social.block(ada, by: "guest")
    let first = try await social.blocks(of: "guest", cursor: nil, limit: 1)
    #expect(first.items.map(\.handle) == ["ada"])
    let second = try await social.blocks(of: "guest", cursor: first.nextCursor, limit: 1)
    #expect(second.items.map(\.handle) == ["bob"])
    #expect(second.nextCursor == nil)
    #expect(
      await refusal { try await social.blocks(of: ada, cursor: first.nextCursor, limit: 1) } == .invalidCursor
    )
    #expect(
      await refusal { try await social.following(of: "guest", cursor: first.nextCursor, limit: 1) }
        == .invalidCursor)
  }

  @Test func aGuestsBlocksAreTheAccountsAndNothingIsFollowedAcrossThem() async throws {
    // The guest blocked bob, whom the account follows and who follows it; bob's friend has blocked the
    // account, and the guest follows the friend.
    let friend = try await bench.instance.accounts(hashing: CountingPasswords())
      .signUp(NewAccount("friend"), guest: nil, client: "").account.id
    _ = try await social.follow(bob, by: ada)
    _ = try await social.follow(ada, by: bob)
    _ = try await social.block(bob, by: "guest")
    _ = try await social.block(ada, by: "guest")
    _ = try await social.block(ada, by: friend)
    _ = try await social.follow(friend, by: "guest")
    try await bench.instance.database.write { try social.merge("guest", into: ada, in: $0) }
    #expect(try await social.blocks(of: ada, cursor: nil, limit: 9).items.map(\.id) == [bob])
    #expect(try await social.blocks(of: "guest", cursor: nil, limit: 9).items == [])
    for viewer in [ada, bob] {
      #expect(try await social.following(of: viewer, cursor: nil, limit: 9).items == [])
    }
    for author in [ada, bob, friend] {
      #expect(try await social.follow(author, by: "somebody").followers == 1)
    }
  }

  @Test func whoBlockedAGuestFollowsNoAccountThatItTurnsOutToBe() async throws {
    let guest = Viewer(id: "guest", standing: .guest)
    _ = try await social.follow(ada, by: bob)
    _ = try await bench.instance.messages(.open).send(
      NewMessage(text: "hello"), to: bob, by: guest, idempotencyKey: "a-key-of-a-guest")
    _ = try await social.block(guest.id, by: bob)
    try await bench.instance.database.write { try social.merge(guest.id, into: ada, in: $0) }
    #expect(try await social.following(of: bob, cursor: nil, limit: 9).items == [])
    _ = try await social.unblock(ada, by: bob)
    #expect(try await social.following(of: bob, cursor: nil, limit: 9).items == [])
    #expect(try await social.follow(ada, by: "somebody").followers == 1)
  }

  @Test func anAccountThatGoesLeavesNoBlock() async throws {
    _ = try await social.block(bob, by: ada)
    _ = try await social.block(ada, by: bob)
    try await bench.instance.database.write { try social.erase(ada, in: $0) }
    let left = try await bench.instance.database.read {
      try $0.query("SELECT COUNT(*) AS n FROM blocks")[0].integer("n")
    }
    #expect(left == 0)
  }

  @Test func ofAFollowAndABlockAtOnceTheBlockStands() async throws {
    let other = try await bench.another()
    for round in 0..<12 {
      async let followed: ErrorCode? = refusal { try await other.social(.open).follow(ada, by: bob) }
      async let blocked: ErrorCode? = refusal { try await social.block(bob, by: ada) }
      #expect([nil, .authorNotFound].contains(await followed), "round \(round)")
      #expect(await blocked == nil)
      #expect(try await social.following(of: bob, cursor: nil, limit: 9).items == [])
      _ = try await social.unblock(bob, by: ada)
    }
    #expect(try await social.follow(ada, by: "somebody").followers == 1)
  }
}
