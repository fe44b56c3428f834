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

/// Somebody on a page of their own, for themselves, for others, and for those who were blocked.
@Suite(.everyEngine) struct ProfileTests {
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
    ada = try await accounts.signUp(NewAccount("ada"), guest: nil, client: "").account.id
    bob = try await accounts.signUp(NewAccount("bob"), guest: nil, client: "").account.id
  }

  private func refusal(_ work: () async throws -> some Any) async -> ErrorCode? {
    do {
      _ = try await work()
      return nil
    } catch { return (error as? AppError)?.code }
  }

  private func handles(
    _ side: ProfileStore.Side, of handle: String, _ text: String = "", for viewer: String? = nil
  ) async throws
    -> [String]
  {
    try await profiles.people(side, of: handle, matching: text, cursor: nil, limit: 50, for: viewer).items
      .map(\.author.handle)
  }

  @Test func whatStandsThereIsCountedAndChanged() async throws {
    let clip = try await bench.publishBare("one", by: ada)
    try await bench.publishBare("two", by: ada)
    try await bench.instance.clips.setVisibility(of: clip, to: .private)
    _ = try await social.follow(ada, by: bob)
    _ = try await social.follow(ada, by: "a guest")
    _ = try await social.follow(bob, by: ada)
    let seen = try await profiles.profile("Ada", for: bob)
    #expect(seen.author.handle == "ada" && seen.clips == 1 && seen.followers == 2 && seen.following == 1)
    #expect(seen.viewer == ProfileViewer(following: true, followed: true))
    #expect(seen.bio == "" && seen.links == [])
    let changed = try await profiles.change(ProfileChange(bio: "hi\nthere", links: ["example.org"]), of: ada)
    #expect(changed.bio == "hi\nthere" && changed.links == ["https://example.org"] && changed.viewer.isSelf)
    #expect(try await profiles.change(ProfileChange(links: []), of: ada).bio == "hi\nthere")
    #expect(try await profiles.profile("ada", for: nil).links == [])
    #expect(
      await refusal { try await profiles.change(ProfileChange(bio: ""), of: "nobody") } == .authorNotFound)
    for handle in ["nobody", "guest", "", "ada\u{301}"] {
      #expect(await refusal { try await profiles.profile(handle, for: nil) } == .authorNotFound, "\(handle)")
    }
  }

  @Test func clipsAreTheAuthorsPublicOnesPageByPage() async throws {
    for number in 0..<5 {
      try await bench.publishBare("ada's \(number)", by: ada)
      try await bench.publishBare("bob's \(number)", by: bob)
    }
    for limit in 1...6 {
      var (captions, cursor): ([String], String?) = ([], nil)
      repeat {
        let page = try await profiles.clips(of: "ada", cursor: cursor, limit: limit, for: bob)
        captions += try page.clips.map(\.caption)
        cursor = page.nextCursor
      } while cursor != nil
      #expect(captions == (0..<5).reversed().map { "ada's \($0)" })
    }
    let cursor = try await profiles.clips(of: "ada", cursor: nil, limit: 1, for: nil).nextCursor
    #expect(
      await refusal { try await profiles.clips(of: "bob", cursor: cursor, limit: 1, for: nil) }
        == .invalidCursor)
  }

  @Test func followersAreFoundByNameWhoCameLastFirst() async throws {
    var accountsByID: [String: String] = [:]
    for number in 0..<7 {
      let account = try await accounts.signUp(
        NewAccount(number == 3 ? "zoe" : "fan\(number)"), guest: nil, client: ""
      ).account
      _ = try await social.follow(ada, by: account.id)
      accountsByID[account.id] = account.handle
      // Counted, and not named.
      _ = try await social.follow(ada, by: "guest \(number)")
    }
    let followers = accountsByID.sorted { $0.key > $1.key }.map(\.value)
    #expect(try await handles(.followers, of: "ada") == followers)
    #expect(try await handles(.followers, of: "ada", "ZO") == ["zoe"])
    #expect(try await handles(.followers, of: "ada", "nobody") == [])
    #expect(try await handles(.following, of: "zoe") == ["ada"])
    #expect(try await profiles.profile("ada", for: nil).followers == 14)
    for text in ["", "fan"] {
      var (found, cursor): ([String], String?) = ([], nil)
      repeat {
        let page = try await profiles.people(
          .followers, of: "ada", matching: text, cursor: cursor, limit: 2, for: bob)
        #expect(page.items.count <= 2)
        found += page.items.map(\.author.handle)
        cursor = page.nextCursor
      } while cursor != nil
      #expect(found == followers.filter { $0.hasPrefix(text) })
    }
    let cursor = try await profiles.people(.followers, of: "ada", cursor: nil, limit: 2, for: nil).nextCursor
    #expect(
      await refusal {
        try await profiles.people(.following, of: "ada", cursor: cursor, limit: 2, for: nil)
      } == .invalidCursor)
  }

  @Test func aNameThatNobodyHasEndsAPageOfBoundedWork() async throws {
    try await bench.instance.database.write { [ada] transaction in
      for number in 0..<2500 {
        try transaction.execute(
          "INSERT INTO follows (viewer_id, author_id, id, created_at_ms) VALUES (?, ?, ?, 0)",
          [.text("guest \(number)"), .text(ada), .text("0\(10_000 + number)")])
      }
    }
    var (pages, cursor): (Int, String?) = (0, nil)
    repeat {
      let page = try await profiles.people(
        .followers, of: "ada", matching: "x", cursor: cursor, limit: 9, for: nil)
      #expect(page.items == [])
      cursor = page.nextCursor
      pages += 1
    } while cursor != nil
    #expect(pages == 2)
  }

  @Test func whoIsBlockedFindsNobodyAndWhoBlockedFindsNothingInIt() async throws {
    try await bench.publishBare("ada's", by: ada)
    let eve = try await accounts.signUp(NewAccount("eve"), guest: nil, client: "").account.id
    _ = try await social.follow(ada, by: eve)
    _ = try await social.block(bob, by: ada)
    #expect(await refusal { try await profiles.profile("ada", for: bob) } == .authorNotFound)
    #expect(
      await refusal { try await profiles.clips(of: "ada", cursor: nil, limit: 1, for: bob) }
        == .authorNotFound)
    #expect(await refusal { try await handles(.followers, of: "ada", for: bob) } == .authorNotFound)
    _ = try await profiles.change(ProfileChange(bio: "hi", links: ["example.org"]), of: bob)
    try await bench.publishBare("bob's", by: bob)
    _ = try await social.follow(bob, by: eve)
    let blocked = try await profiles.profile("bob", for: ada)
    #expect(blocked.viewer == ProfileViewer(blocked: true) && blocked.author.handle == "bob")
    #expect(blocked.bio == "" && blocked.links == [])
    #expect(blocked.clips == 0 && blocked.followers == 0 && blocked.following == 0)
    // Nor is it told that the other one blocks as well.
    _ = try await social.block(ada, by: bob)
    #expect(try await profiles.profile("bob", for: ada) == blocked)
    _ = try await social.unblock(ada, by: bob)
    #expect(
      await refusal { try await profiles.clips(of: "bob", cursor: nil, limit: 1, for: ada) } == .authorBlocked
    )
    // Nor is either in lists that the other sees.
    _ = try await social.follow(eve, by: bob)
    #expect(try await handles(.followers, of: "eve", for: ada) == [])
    #expect(try await handles(.followers, of: "eve") == ["bob"])
  }

  @Test func aProfileGoesWithItsAccount() async throws {
    _ = try await profiles.change(ProfileChange(bio: "hi", links: ["example.org"]), of: ada)
    _ = try await social.follow(bob, by: ada)
    try await accounts.delete(ada, AccountDeletion(password: NewAccount("ada").password))
    #expect(await refusal { try await profiles.profile("ada", for: nil) } == .authorNotFound)
    #expect(try await bench.count("profiles") == 0)
    #expect(try await handles(.followers, of: "bob") == [])
  }

  @Test func overTheWireAFieldIsNamedAndAGuestHasNoProfileToChange() async throws {
    try await bench.servingAccounts(TestTime()) { socket async throws in
      let body = #"{"bio":"a","links":["example.org","no"]}"#
      let path = Route.accountProfile.path()
      #expect(try await socket.answer("PATCH", path, body).code == "sign_in_needed")
      let session = try await Client(transport: socket).signUp(NewAccount("cleo"))
      let cleo = Bearer(inner: socket, token: try #require(session.accessToken))
      let refused = try await cleo.answer("PATCH", path, body)
      let problem = try WireCoding.decode(Problem.self, from: refused.response.body)
      #expect(problem.code == "profile_link_invalid" && problem.field == "links[1]")
      let long = #"{"bio":"\#(String(repeating: "a", count: 161))"}"#
      #expect(try await cleo.answer("PATCH", path, long).code == "bio_too_long")
      #expect(try await cleo.answer("PATCH", path, #"{"bio":"a"}"#).status == 200)
      let read = try await cleo.answer("GET", Route.profile.path("CLEO"))
      let profile = try WireCoding.decode(Profile.self, from: read.response.body)
      #expect(profile.bio == "a" && profile.viewer.isSelf)
    }
  }
}
