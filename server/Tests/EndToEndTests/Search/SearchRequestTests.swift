import Accounts
import Contract
import Foundation
import Platform
import Social
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import Search
@testable import ServerTesting

/// Looking for people, tags and what to ask; who finds whom; and whatever somebody may type.
@Suite(.everyEngine) struct SearchRequestTests {
  private let bench: TestInstance
  private let search: SearchStore
  private let accounts: Accounts

  init() async throws {
    bench = try await TestInstance()
    search = try await bench.instance.search(.open)
    accounts = try await bench.instance.accounts(hashing: CountingPasswords())
  }

  private func signUp(_ handle: String, name: String = "") async throws -> String {
    var account = NewAccount(handle)
    if !name.isEmpty { account.name = name }
    return try await accounts.signUp(account, guest: nil, client: "").account.id
  }

  private func people(_ text: String, for viewer: String? = nil) async throws -> [String] {
    try await search.people(text, cursor: nil, limit: 50, for: viewer).items.map(\.author.handle)
  }

  @Test func whoHasTheHandleComesFirstThenTheBestKnown() async throws {
    for (handle, name) in [
      ("mara", "Mara Lind"), ("mara.k", "Mara Krüger"), ("lindgren", "Mara"), ("tom", "Tom"),
    ] { _ = try await signUp(handle, name: name) }
    let social = try await bench.instance.social(.open)
    let known = try #require(try await search.people("mara.k", cursor: nil, limit: 1, for: nil).items.first)
    for number in 0..<5 { _ = try await social.follow(known.author.id, by: "viewer \(number)") }
    try await bench.instance.foldCounts()
    _ = try await SearchIndex().reorder(in: bench.instance.database)
    let shown = try await search.people("mara.k", cursor: nil, limit: 1, for: "viewer 1").items
    #expect(shown.map(\.followers) == [5] && shown.map(\.following) == [true])
    #expect(try await people("MARA") == ["mara", "mara.k", "lindgren"])
    #expect(try await people("@mara") == ["mara", "mara.k", "lindgren"])
    #expect(try await people("kruger") == ["mara.k"])
    #expect(try await people("krügre") == ["mara.k"])
    #expect(try await people("marak").first == "mara.k")
    #expect(try await people("mara li") == ["lindgren", "mara"])
    #expect(try await people("guest") == [])
    for limit in 1...3 {
      var shown: [String] = []
      var cursor: String?
      repeat {
        let page = try await search.people("mara", cursor: cursor, limit: limit, for: nil)
        #expect(page.items.count <= limit)
        shown += page.items.map(\.author.handle)
        cursor = page.nextCursor
      } while cursor != nil
      #expect(shown == ["mara", "mara.k", "lindgren"])
    }
  }

  @Test func anotherNameIsFoundAndTheOldOneIsNot() async throws {
    let id = try await signUp("mara", name: "Mara Lind")
    _ = try await accounts.change(id, AccountChange(name: "Mara Berg"))
    #expect(try await people("berg") == ["mara"])
    #expect(try await people("lind") == [])
  }

  @Test func whoLeavesIsFoundNoMoreNorAnythingOfTheirs() async throws {
    let id = try await signUp("mara", name: "Mara Lind")
    let clips = [
      try await bench.publishBare("harbour #quay", by: id),
      try await bench.publishBare("harbour again", by: id),
    ]
    try await bench.setSound("tide", of: clips)
    #expect(try await search.sounds("quay", cursor: nil, limit: 5, for: nil).items.map(\.id) == ["tide"])
    let before = try await search.suggestions("harb", for: nil).items
    #expect(before.map(\.text) == ["harbour"])
    try await accounts.delete(id, AccountDeletion(password: NewAccount("mara").password))
    #expect(try await people("mara") == [])
    #expect(try await people("lind") == [])
    #expect(try await search.clips("harbour", cursor: nil, limit: 5, for: nil).items.isEmpty)
    for table in ["entries", "postings", "words", "forms", "tags", "sounds", "backlog"] {
      #expect(try await bench.count("search_\(table)") == 0, "\(table)")
    }
  }

  @Test func twoWhoAreKeptApartDoNotFindEachOther() async throws {
    let (ada, bob) = (try await signUp("ada"), try await signUp("bob"))
    try await bench.publishBare("harbour of ada", by: ada)
    try await bench.publishBare("harbour of bob", by: bob)
    _ = try await bench.instance.social(.open).block(bob, by: ada)
    for (viewer, own, other) in [(ada, "ada", "bob"), (bob, "bob", "ada")] {
      let clips = try await search.clips("harbour", cursor: nil, limit: 5, for: viewer).clips
      #expect(clips.map(\.author.handle) == [own])
      #expect(try await people(other, for: viewer) == [])
      #expect(try await people(own, for: viewer) == [own])
      let suggested = try await search.suggestions(other, for: viewer).items
      #expect(!suggested.contains { $0.kind == .person })
    }
    #expect(try await people("ada") == ["ada"])
    #expect(try await search.clips("harbour", cursor: nil, limit: 5, for: nil).items.count == 2)
  }

  @Test func tagsAreFoundWithHowManyClipsHaveThem() async throws {
    for number in 0..<5 { try await bench.publishBare("\(number) #golden_hour") }
    try await bench.publishBare("once #goldfish #Été")
    func tags(_ text: String) async throws -> [FoundTag] {
      try await search.tags(text, cursor: nil, limit: 10).items
    }
    #expect(
      try await tags("gold") == [FoundTag(tag: "golden_hour", clips: 5), FoundTag(tag: "goldfish", clips: 1)])
    #expect(try await tags("#goldenhour").map(\.tag) == ["golden_hour"])
    #expect(try await tags("ete").map(\.tag) == ["été"])
    #expect(try await tags("godlfish").map(\.tag) == ["goldfish"])
    #expect(try await tags("hour").map(\.tag) == ["golden_hour"])
    let first = try await search.tags("gold", cursor: nil, limit: 1)
    #expect(
      try await search.tags("gold", cursor: first.nextCursor, limit: 1).items.map(\.tag) == ["goldfish"])
  }

  @Test func suggestionsAreTagsPeopleAndTheLastWordInFull() async throws {
    _ = try await signUp("harper", name: "Harper")
    try await bench.publishBare("at the Hafenstraße harbour #harvest")
    let items = try await search.suggestions("the har", for: nil).items
    #expect(items.map(\.text) == ["the harbour", "the harvest"])
    let one = try await search.suggestions("har", for: nil).items
    #expect(one.map(\.kind) == [.tag, .person, .words, .words])
    #expect(one.map(\.text) == ["harvest", "harper", "harbour", "harvest"])
    #expect(one[0].clips == 1 && one[1].person?.handle == "harper")
    #expect(try await search.suggestions("HAFENSTR", for: nil).items.map(\.text) == ["hafenstraße"])
    #expect(try await search.suggestions("harbuor", for: nil).items.map(\.text) == ["harbour"])
  }

  // MARK: On the wire

  /// Some at a time: a caller may ask sixty times at once.
  @Test(
    arguments: [[.foundClips, .foundPeople, .foundTags], [.foundSounds, .searchSuggestions]] as [[Route]])
  func whateverIsTypedIsAnsweredOrRefusedPlainly(_ routes: [Route]) async throws {
    let dawn = try await bench.publishBare("dawn or dusk near the pier")
    try await bench.setSound("tide", of: [dawn, try await bench.publishBare("the same again")])
    try await bench.serving { socket async throws in
      let client = Client(transport: socket)
      for route in routes {
        for (text, status) in [
          ("", 200), ("!?…", 200), ("\u{0}", 200), ("a\u{0}b", 200), ("\" OR * NEAR ( ) :^-", 200),
          ("🎉", 200),
          ("%' OR 1=1 --", 200), ("a" + String(repeating: "\u{301}", count: 150), 200),
          ("\u{202E}\u{FFFF}", 200),
          (String(repeating: "x", count: Limits.searchScalars), 200),
          (String(repeating: "x", count: Limits.searchScalars + 1), 400),
          (String(repeating: "x", count: 10_000), 400),
        ] {
          let answer = try await socket.answer("GET", "\(route.path())?q=\(Route.encoded(text))")
          #expect(answer.status == status, "\(route.template) \(text.debugDescription)")
          if status == 400 { #expect(answer.code == "invalid_parameter") }
        }
        #expect(try await socket.answer("GET", route.path()).status == 200)
        #expect(try await socket.answer("GET", route.path() + "?q=%FF%C0%80").status < 500)
      }
      #expect(try await client.foundClips("\"dawn\" (PIER*)").items.count == 1)
      #expect(try await client.foundTags("x").items.isEmpty)
      #expect(try await client.foundSounds("dusk pi").items.map(\.id) == ["tide"])
      #expect(try await client.foundSounds("again").items.isEmpty)
      #expect(try await client.foundPeople("me").items.map(\.author.handle) == ["me"])
      #expect(try await client.searchSuggestions("pie").items.map(\.text) == ["pier"])
    }
  }

  @Test func whoAsksWithoutEndIsHeldUp() async throws {
    try await bench.servingAccounts(TestTime(ms: SystemTime().nowMs)) { socket async throws in
      var status = 200
      for _ in 0...60 where status == 200 {
        status = try await socket.answer("GET", Route.searchSuggestions.path() + "?q=a").status
      }
      #expect(status == 429)
    }
  }
}
