import Accounts
import Contract
import Foundation
import Platform
import Profiles
import Social
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// Clips that somebody likes, shown to others where they want that.
@Suite(.everyEngine) struct PublicLikesTests {
  private let bench: TestInstance
  private let profiles: ProfileStore
  private let social: SocialStore
  private let accounts: Accounts
  private let ada: String
  private let bob: String

  init() async throws {
    bench = try await TestInstance()
    profiles = try await bench.instance.profiles(.open)
    social = try await bench.instance.social(.open)
    accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    ada = try await accounts.join("ada").id
    bob = try await accounts.join("bob").id
  }

  private func show(_ isPublic: Bool = true) async throws {
    _ = try await profiles.change(ProfileChange(likesPublic: isPublic), of: ada)
  }

  /// Captions of what ada likes, page by page.
  private func liked(for viewer: String?, limit: Int = 50) async throws -> [String] {
    var (captions, cursor): ([String], String?) = ([], nil)
    repeat {
      let page = try await profiles.likes(of: "ada", cursor: cursor, limit: limit, for: viewer)
      #expect(page.items.count <= limit)
      captions += try page.clips.map(\.caption)
      cursor = page.nextCursor
    } while cursor != nil
    return captions
  }

  @Test func nobodyElseSeesThemUntilThatIsWanted() async throws {
    let clip = try await bench.publishBare("one")
    _ = try await social.like(clip, by: ada)
    #expect(try await !profiles.profile("ada", for: ada).likesPublic)
    for viewer in [bob, "a guest", nil] {
      #expect(await refusal { try await liked(for: viewer) } == .notAllowed)
      #expect(try await !profiles.profile("ada", for: viewer).likesPublic)
    }
    // Whoever it is sees what others would see.
    #expect(try await liked(for: ada) == ["one"])
    try await show()
    // What else is changed leaves it as it is.
    #expect(try await profiles.change(ProfileChange(bio: "hi"), of: ada).likesPublic)
    for viewer in [ada, bob, "a guest", nil] {
      #expect(try await liked(for: viewer) == ["one"])
      #expect(try await profiles.profile("ada", for: viewer).likesPublic)
    }
    // The heart on it is of whoever looks.
    _ = try await social.like(clip, by: bob)
    #expect(
      try await profiles.likes(of: "ADA", cursor: nil, limit: 1, for: bob).items.first?.viewer?.liked == true)
    #expect(
      try await profiles.likes(of: "ada", cursor: nil, limit: 1, for: nil).items.first?.viewer == nil)
    try await show(false)
    #expect(await refusal { try await liked(for: bob) } == .notAllowed)
    #expect(
      await refusal { try await profiles.likes(of: "nobody", cursor: nil, limit: 1, for: bob) }
        == .authorNotFound)
  }

  @Test func theNewestLikeComesFirstPageByPage() async throws {
    try await show()
    var clips: [String] = []
    for number in 0..<9 { clips.append(try await bench.publishBare("\(number)")) }
    for number in [3, 0, 8, 5, 1, 7] { _ = try await social.like(clips[number], by: ada) }
    try await bench.instance.clips.setVisibility(of: clips[8], to: .private)
    for limit in 1...6 {
      #expect(try await liked(for: bob, limit: limit) == ["7", "1", "5", "0", "3"], "\(limit)")
    }
    // What is liked meanwhile is on top, above the cursor.
    let first = try await profiles.likes(of: "ada", cursor: nil, limit: 2, for: bob)
    _ = try await social.like(clips[2], by: ada)
    let second = try await profiles.likes(of: "ada", cursor: first.nextCursor, limit: 2, for: bob)
    #expect(try second.clips.map(\.caption) == ["5", "0"])
    // A place is one of this list alone.
    _ = try await profiles.change(ProfileChange(likesPublic: true), of: bob)
    let own = try await social.likes(of: ada, cursor: nil, limit: 2).nextCursor
    let strange: [(handle: String, cursor: String?)] = [
      ("bob", first.nextCursor), ("ada", own), ("ada", "AAAA"),
    ]
    for (handle, cursor) in strange {
      #expect(
        await refusal { try await profiles.likes(of: handle, cursor: cursor, limit: 2, for: ada) }
          == .invalidCursor)
    }
  }

  @Test func whatIsNotForEverybodyIsLeftOut() async throws {
    try await show()
    var clips: [String: String] = [:]
    for name in ["public", "unlisted", "private", "removed", "withheld", "limited"] {
      clips[name] = try await bench.publishBare(name, by: bob)
      _ = try await social.like(clips[name] ?? "", by: ada)
    }
    let store = bench.instance.clips
    try await store.setVisibility(of: clips["unlisted"] ?? "", to: .unlisted)
    try await store.setVisibility(of: clips["private"] ?? "", to: .private)
    try await bench.instance.database.write { [clips] transaction in
      try store.remove(clips["removed"] ?? "", in: transaction)
      _ = try store.withhold(clips["withheld"] ?? "", in: transaction)
      _ = try store.limitReach(of: clips["limited"] ?? "", in: transaction)
    }
    // Nor do they come back for whoever made them, or liked them, in what others are shown.
    for viewer in [nil, bob, ada] { #expect(try await liked(for: viewer) == ["public"]) }
    // In her own list she has what she had the link of.
    #expect(
      try await social.likes(of: ada, cursor: nil, limit: 9).items.map(\.caption)
        == ["limited", "unlisted", "public"])
  }

  @Test func blocksKeepApartInEveryDirection() async throws {
    try await show()
    let eve = try await accounts.join("eve").id
    let (bobs, eves) = (
      try await bench.publishBare("bob's", by: bob), try await bench.publishBare("eve's", by: eve)
    )
    for clip in [bobs, eves] { _ = try await social.like(clip, by: ada) }
    #expect(try await liked(for: bob) == ["eve's", "bob's"])
    // Who looks and who made a clip.
    _ = try await social.block(eve, by: bob)
    #expect(try await liked(for: bob) == ["bob's"])
    #expect(try await liked(for: eve) == ["eve's"])
    // Who likes and who made a clip: neither shows the other any more.
    _ = try await social.block(ada, by: eve)
    #expect(try await liked(for: nil) == ["bob's"])
    #expect(await refusal { try await liked(for: eve) } == .authorBlocked)
    #expect(try await !profiles.profile("ada", for: eve).likesPublic)
    // Who looks and who likes.
    _ = try await social.block(bob, by: ada)
    #expect(await refusal { try await liked(for: bob) } == .authorNotFound)
    #expect(try await liked(for: nil) == [])
    _ = try await social.unblock(bob, by: ada)
    #expect(try await liked(for: bob) == ["bob's"])
  }

  @Test func manyThatAreGoneEndAPageOfBoundedWork() async throws {
    try await show()
    _ = try await social.like(try await bench.publishBare("one"), by: ada)
    try await bench.instance.database.write { [ada] transaction in
      for number in 0..<2500 {
        // Later than any like of today.
        try transaction.execute(
          "INSERT INTO likes (viewer_id, clip_id, id, created_at_ms) VALUES (?, ?, ?, 0)",
          [.text(ada), .text("gone \(number)"), .text("f\(10_000 + number)")])
      }
    }
    var (pages, found, cursor): (Int, [String], String?) = (0, [], nil)
    repeat {
      let page = try await profiles.likes(of: "ada", cursor: cursor, limit: 9, for: bob)
      found += try page.clips.map(\.caption)
      cursor = page.nextCursor
      pages += 1
    } while cursor != nil
    #expect(pages == 2 && found == ["one"])
    // One's own list says so at once.
    #expect(try await social.likes(of: ada, cursor: nil, limit: 9).items.map(\.caption) == ["one"])
  }

  @Test func whatAGuestLikedIsShownOnceTheyAreWhoShowsIt() async throws {
    try await show()
    for name in ["guest's", "hers"] {
      let clip = try await bench.publishBare(name)
      _ = try await social.like(clip, by: name == "hers" ? ada : "a guest")
    }
    #expect(try await liked(for: bob) == ["hers"])
    let session = NewSession(handle: "ada", password: NewAccount("ada").password, transport: .token)
    _ = try await accounts.signIn(session, guest: "a guest", client: "")
    #expect(try await profiles.profile("ada", for: bob).likesPublic)
    #expect(Set(try await liked(for: bob)) == ["hers", "guest's"])
    // A guest who joins begins with nothing shown.
    let clip = try await bench.publishBare("zoe's")
    _ = try await social.like(clip, by: "another guest")
    let zoe = try await accounts.signUp(NewAccount("zoe"), guest: "another guest", client: "").account
    #expect(try await !profiles.profile("zoe", for: zoe.id).likesPublic)
  }

  @Test func theyGoWithTheAccount() async throws {
    try await show()
    _ = try await social.like(try await bench.publishBare("one"), by: ada)
    try await accounts.delete(ada, AccountDeletion(password: NewAccount("ada").password))
    #expect(await refusal { try await liked(for: nil) } == .authorNotFound)
    #expect(try await bench.count("profiles") == 0)
    // Nor does whoever takes the name later show anything.
    _ = try? await accounts.join("ada")
    #expect(await refusal { try await liked(for: nil) } != nil)
  }

  @Test func overTheWireItIsAFieldOfTheProfile() async throws {
    let clip = try await bench.publishBare("one")
    try await bench.servingAccounts(TestTime()) { socket async throws in
      let session = try await Client(transport: socket).signUp(NewAccount("cleo"))
      let cleo = Client(transport: Bearer(inner: socket, token: try #require(session.accessToken)))
      _ = try await cleo.like(clip)
      let path = Route.profileLikes.path("cleo")
      let refused = try await socket.answer("GET", path)
      #expect(refused.status == 403 && refused.code == "not_allowed")
      #expect(try await cleo.likes(of: "cleo").items.map(\.id) == [clip])
      #expect(try await cleo.changeProfile(ProfileChange(likesPublic: true)).likesPublic)
      let stranger = Client(transport: socket)
      #expect(try await stranger.profile("cleo").likesPublic)
      #expect(try await stranger.likes(of: "CLEO", limit: 1).items.map(\.id) == [clip])
      let plain = try await socket.answer("GET", Route.profile.path("cleo"))
      #expect(String(decoding: plain.response.body, as: UTF8.self).contains(#""likes_public":true"#))
      #expect(try await socket.answer("GET", path + "?limit=0").code == "invalid_parameter")
    }
  }
}
