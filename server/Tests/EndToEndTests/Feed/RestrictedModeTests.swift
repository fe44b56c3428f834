import Accounts
import Contract
import Feed
import Foundation
import OpenAPI
import Platform
import Social
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// Clips for adults are nowhere in restricted mode, whatever list is asked for; who ends it, and when.
@Suite(.everyEngine) struct RestrictedModeTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)
  private let accounts: Accounts
  private let feed: FeedStore

  init() async throws {
    bench = try await TestInstance()
    accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
    feed = try await bench.instance.feed(.open, time: clock)
  }

  private func mark(_ clip: String, forAdults: Bool = true) async throws {
    let clips = bench.instance.clips
    try await bench.instance.database.write {
      _ = try clips.describe(
        clip, caption: nil, tags: nil, visibility: nil, forAdults: forAdults, in: $0)
    }
  }

  private func latest(_ viewer: String?) async throws -> [String] {
    try await feed.page(cursor: nil, limit: 50, for: viewer).items.map(\.caption)
  }

  private func refusal(_ work: () async throws -> some Any) async -> ErrorCode? {
    do {
      _ = try await work()
      return nil
    } catch { return (error as? AppError)?.code }
  }

  private let adult = RestrictedModeChange(restricted: false, isAdult: true)

  // MARK: Who ends it

  @Test func anAccountSaysOnceThatItIsAnAdults() async throws {
    let ada = try await accounts.join("ada")
    #expect(try await feed.restrictedMode(of: ada.id) == RestrictedMode(restricted: true))
    let ends = RestrictedModeChange(restricted: false)
    #expect(await refusal { try await feed.change(ends, of: ada) } == .adultUnconfirmed)
    let said = try await feed.change(adult, of: ada).confirmedAt
    #expect(said != nil)
    clock.advance(ms: 86_400_000)
    let again = try await feed.change(RestrictedModeChange(restricted: true), of: ada)
    #expect(again == RestrictedMode(restricted: true, confirmedAt: said))
    // What it has said, it has said; the first time counts.
    #expect(try await feed.change(ends, of: ada) == RestrictedMode(restricted: false, confirmedAt: said))
    #expect(try await feed.change(adult, of: ada).confirmedAt == said)
  }

  @Test func aGuestIsInItAndCannotEndIt() async throws {
    let guest = Viewer(id: "guest-of-a-test", standing: .guest)
    #expect(try await feed.restrictedMode(of: nil).restricted)
    #expect(await refusal { try await feed.change(adult, of: guest) } == .signInNeeded)
    #expect(try await feed.restrictedMode(of: guest.id).restricted)
  }

  @Test func whereTheOperatorWantsItOffAnybodyCanBeginIt() async throws {
    let clip = try await bench.publishBare("for adults")
    try await mark(clip)
    bench.instance.ages.restrictsByDefault = false
    let guest = Viewer(id: "guest-of-a-test", standing: .guest)
    #expect(try await latest(nil) == ["for adults"])
    #expect(try await latest(guest.id) == ["for adults"])
    #expect(try await feed.change(RestrictedModeChange(restricted: true), of: guest).restricted)
    #expect(try await latest(guest.id) == [])
    // The account that the guest becomes goes on wanting it.
    let ada = try await accounts.signUp(NewAccount("ada"), guest: guest.id, client: "").account
    #expect(try await latest(ada.id) == [])
    let viewer = Viewer(id: ada.id, standing: .account(session: "", role: .member))
    #expect(try await !feed.change(RestrictedModeChange(restricted: false), of: viewer).restricted)
    #expect(try await latest(ada.id) == ["for adults"])
    // Where it is for everybody again, nobody is out of it who did not say to be an adult.
    bench.instance.ages.restrictsByDefault = true
    #expect(try await latest(ada.id) == [])
    #expect(try await feed.restrictedMode(of: ada.id).restricted)
  }

  // MARK: What is hidden

  @Test func aPageIsFullHoweverManyClipsForAdultsAreOnTop() async throws {
    for number in 0..<3 { try await bench.publishBare("plain \(number)") }
    for number in 0..<30 { try await mark(try await bench.publishBare("for adults \(number)")) }
    let first = try await feed.page(cursor: nil, limit: 2, for: "somebody")
    #expect(first.items.map(\.caption) == ["plain 2", "plain 1"])
    let second = try await feed.page(cursor: first.nextCursor, limit: 2, for: "somebody")
    #expect(second.items.map(\.caption) == ["plain 0"])
    #expect(try await feed.page(cursor: nil, limit: 2).items.map(\.caption) == ["plain 2", "plain 1"])
  }

  @Test func whatItsCreatorTakesBackLeavesWhatModeratorsSay() async throws {
    let clip = try await bench.publishBare("clip")
    let clips = bench.instance.clips
    try await mark(clip)
    #expect(try await bench.instance.database.write { try clips.limitAge(of: clip, in: $0) })
    #expect(try await !bench.instance.database.write { try clips.limitAge(of: clip, in: $0) })
    try await mark(clip, forAdults: false)
    #expect(try await latest(nil) == [])
    try await mark(clip)
    try await bench.instance.database.write { try clips.liftAgeLimit(of: clip, in: $0) }
    #expect(try await latest(nil) == [])
    try await mark(clip, forAdults: false)
    #expect(try await latest(nil) == ["clip"])
  }

  @Test func aTextOfThePageSaysItToo() async throws {
    let ada = try await accounts.join("ada")
    try await mark(try await bench.publishBare("clip", by: ada.id))
    let json = try await feed.text(cursor: nil, limit: 5, for: ada.id).json(commentsOpen: false)
    let page = try WireCoding.decode(FeedPage.self, from: Data(json))
    #expect(page.items.map(\.forAdults) == [true])
    #expect(try await feed.page(cursor: nil, limit: 5, for: ada.id).items.map(\.forAdults) == [true])
  }

  // MARK: Every list

  private struct Things: Sendable {
    var clip: String
    var plain: String
    var comment: String
    var ada: String
  }

  /// All that is read by GET: those that need an id are asked about what is for adults, or is beside it.
  private static func targets(_ things: Things) -> [String] {
    let tabs = FeedTab.allCases.map { "/api/v1/feed?tab=\($0.rawValue)&limit=50" }
    let others = OpenAPI.Operation.all.filter {
      $0.method == "GET" && $0.route != .feed && $0.route != .live
    }.map { operation in
      let template = operation.route.template
      let id =
        template.hasPrefix("/api/v1/comments/")
        ? things.comment
        : template.hasPrefix("/api/v1/conversations/")
          ? things.ada : template.hasSuffix("/similar") ? things.plain : things.clip
      let path = template.replacingOccurrences(of: "{id}", with: id)
        .replacingOccurrences(of: "{handle}", with: "ada")
      let asks = operation.parameters.contains { $0.place == .query && $0.name == "q" }
      return path + (asks ? "?q=harbour" : "")
    }
    return tabs + others
  }

  /// Those whose answer names the clip.
  private static func naming(
    _ things: Things, _ transport: any Transport
  ) async throws -> Set<String> {
    var found: Set<String> = []
    for target in targets(things) {
      let response = try await transport.send(WireRequest("GET", target))
      #expect(response.status < 500, "\(target)")
      if String(decoding: response.body, as: UTF8.self).contains(things.clip) { found.insert(target) }
    }
    return found
  }

  private func signUp(_ handle: String, _ socket: SocketTransport) async throws -> (Bearer, String) {
    let session = try await Client(transport: socket).signUp(NewAccount(handle))
    return (Bearer(inner: socket, token: try #require(session.accessToken)), session.account.id)
  }

  @Test func noListHasAClipForAdultsInRestrictedMode() async throws {
    try await bench.serving(accounts: accounts, time: clock) { [bench] socket async throws in
      let (ada, id) = try await signUp("ada", socket)
      let (bob, _) = try await signUp("bob", socket)
      let plain = try await bench.publishBare("harbour #quay", by: id)
      let clip = try await bench.publishBare("harbour at night #quay", by: id)
      try await mark(clip)
      let social = try await bench.instance.social(.open)
      for other in 0..<6 {
        for liked in [clip, plain] { _ = try await social.like(liked, by: "other \(other)") }
      }
      let setting = "/api/v1/account/restricted-mode"
      let ends = try await bob.answer("PUT", setting, #"{"restricted":false,"is_adult":true}"#)
      #expect(ends.status == 200)
      for (method, path) in [
        ("PUT", "/api/v1/clips/\(clip)/like"), ("PUT", "/api/v1/clips/\(clip)/bookmark"),
        ("PUT", "/api/v1/authors/\(id)/follow"),
      ] { #expect(try await bob.answer(method, path).status == 200) }
      #expect(try await ada.answer("PUT", "/api/v1/clips/\(clip)/like").status == 200)
      #expect(
        try await ada.answer("PATCH", "/api/v1/account/profile", #"{"likes_public":true}"#).status == 200)
      // An answer to what bob wrote stands in bob's list of what happened.
      let path = "/api/v1/clips/\(clip)/comments"
      let said = try await bob.answer(
        "POST", path, #"{"text":"hello"}"#, ["idempotency-key": "a-key-of-bob"])
      let comment = try WireCoding.decode(ClipComment.self, from: said.response.body).id
      let answered = try await ada.answer(
        "POST", path, #"{"text":"hello bob","reply_to":"\#(comment)"}"#, ["idempotency-key": "a-key-of-ada"])
      #expect(answered.status == 201)
      let things = Things(clip: clip, plain: plain, comment: comment, ada: id)

      let shown = try await Self.naming(things, bob)
      #expect(
        shown.isSuperset(of: [
          "/api/v1/feed?tab=latest&limit=50", "/api/v1/feed?tab=following&limit=50",
          "/api/v1/clips/\(clip)", "/api/v1/clips/\(clip)/comments", "/api/v1/clips/\(plain)/similar",
          "/api/v1/trending", "/api/v1/search/clips?q=harbour", "/api/v1/profiles/ada/clips",
          "/api/v1/profiles/ada/likes", "/api/v1/account/likes", "/api/v1/account/bookmarks",
          "/api/v1/notifications",
        ]), "\(shown.sorted())")

      #expect(try await bob.answer("PUT", setting, #"{"restricted":true}"#).status == 200)
      for transport in [bob, socket] as [any Transport] {
        #expect(try await Self.naming(things, transport) == [])
        let refused = try await transport.answer("GET", "/api/v1/clips/\(clip)")
        #expect(refused.status == 403 && refused.code == "clip_for_adults")
        #expect(
          try await transport.answer("GET", "/api/v1/comments/\(comment)").code == "comment_not_found")
        #expect(try await transport.answer("GET", path).code == "clip_for_adults")
      }
      #expect(
        try await bench.instance.feed(.open).tagged("quay", cursor: nil, limit: 9).items.map(\.id) == [plain])
      let profile = try await Client(transport: bob).profile("ada")
      #expect(profile.clips == 1)
      // Whoever made it sees it, in whatever mode.
      #expect(try await Client(transport: ada).profile("ada").clips == 2)
      #expect(try await Client(transport: ada).clip(clip).forAdults == true)
      // A page of another site knows nobody.
      let embed = try await socket.answer("GET", "/e/\(clip)")
      #expect(embed.status == 403)
      #expect(!String(decoding: embed.response.body, as: UTF8.self).contains("<video"))
      #expect(
        try await socket.answer("GET", "/oembed?url=http://localhost/c/\(clip)").response.status >= 400)
    }
  }
}
