import Accounts
import Contract
import Feed
import Foundation
import Platform
import Testing
import Videos

@testable import Composition
@testable import ServerTesting

/// Clips by their sound, and the page of a sound.
@Suite(.everyEngine) struct SoundPageTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  private func publish(_ count: Int) async throws -> [String] {
    var clips: [String] = []
    for number in 0..<count { clips.append(try await bench.publishBare("clip \(number)")) }
    return clips
  }

  @Test func theNewestClipsOfASoundComeFirstByPages() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let ada = try await accounts.signUp(NewAccount("ada"), guest: nil, client: "").account.id
    let first = try await bench.publishBare("the first", by: ada)
    let clips = [first] + (try await publish(4))
    let other = try await bench.publishBare("another")
    // In whatever order they are listened to.
    try await bench.setSound("tide", of: clips.reversed())
    try await bench.setSound("dawn", of: [other])
    let feed = try await bench.instance.feed(.open)
    var found: [String] = []
    var cursor: String?
    repeat {
      let page = try await feed.clips(withSound: "tide", cursor: cursor, limit: 2)
      #expect(page.id == "tide" && page.clips == 5 && page.author.handle == "ada")
      #expect(page.items.allSatisfy { $0.soundId == "tide" })
      found += page.items.map(\.id)
      cursor = page.nextCursor
      if let cursor {
        await #expect(throws: AppError(.invalidCursor)) {
          try await feed.clips(withSound: "dawn", cursor: cursor, limit: 2)
        }
      }
    } while cursor != nil
    #expect(found == clips.reversed())
  }

  @Test func onlyWhatIsPutBeforeEverybodyIsShown() async throws {
    let clips = bench.instance.clips
    let feed = try await bench.instance.feed(.open)
    let ids = try await publish(5)
    try await bench.setSound("tide", of: ids)
    try await clips.setVisibility(of: ids[0], to: .private)
    try await clips.setVisibility(of: ids[1], to: .unlisted)
    #expect(try await bench.instance.database.write { try clips.limitReach(of: ids[2], in: $0) })
    #expect(try await bench.instance.database.write { try clips.limitAge(of: ids[3], in: $0) })
    let page = try await feed.clips(withSound: "tide", cursor: nil, limit: 9)
    #expect(page.items.map(\.id) == [ids[4]] && page.clips == 1 && page.nextCursor == nil)
    // A clip that is not public says nothing of what it shares with others, not even to its owner.
    #expect(try await feed.clip(id: ids[0], forOwner: true).soundId == nil)
    #expect(try await feed.clip(id: ids[1], forOwner: false).soundId == nil)
    #expect(try await feed.clip(id: ids[4], forOwner: false).soundId == "tide")
    #expect(try await feed.clips(forOwner: [ids[4]])[ids[4]]?.soundId == "tide")
    try await clips.setVisibility(of: ids[4], to: .private)
    for id in ["tide", "nothing", "", "ti\u{0}de"] {
      await #expect(throws: AppError(.routeNotFound)) {
        try await feed.clips(withSound: id, cursor: nil, limit: 9)
      }
    }
  }

  @Test func thePageLeadsToTheClips() async throws {
    let ids = [try await bench.publishBare("<i>Über</i>"), try await bench.publishBare("the same")]
    try await bench.setSound("0191-tide", of: ids)
    try await bench.serving { transport async throws in
      let path = Route.soundPage.path("0191-tide")
      let answer = try await transport.send(WireRequest("GET", path))
      let page = String(decoding: answer.body, as: UTF8.self)
      #expect(answer.status == 200 && answer.headers["content-type"] == "text/html; charset=utf-8")
      #expect(answer.headers["content-security-policy"]?.contains("script-src 'self'") == true)
      for id in ids { #expect(page.contains("href=\"\(Route.clipPage.path(id))\"")) }
      #expect(page.contains("<h1 dir=\"auto\">Sound by @me</h1>") && page.contains("<p>2 clips</p>"))
      #expect(page.contains("&lt;i&gt;Über") && !page.contains("rel=\"next\""))
      let head = try await transport.send(WireRequest("HEAD", path))
      #expect(head.status == 200 && head.body.isEmpty)
      for id in ["nothing", "!!!", " ", "\u{301}", String(repeating: "a", count: 3000)] {
        let missing = try await transport.send(WireRequest("GET", Route.soundPage.path(id)))
        #expect(missing.status == 404, "\(id)")
        #expect(missing.headers["content-type"] == "text/html; charset=utf-8")
        #expect(String(decoding: missing.body, as: UTF8.self).contains("No clip has this sound."))
      }
      #expect(try await transport.send(WireRequest("GET", path + "?cursor=x")).status == 400)
      #expect(try await transport.send(WireRequest("POST", path)).status == 405)
    }
  }

  @Test func aLongListGoesOn() async throws {
    try await bench.setSound("tide", of: try await publish(31))
    try await bench.serving { transport async throws in
      let first = try await transport.send(WireRequest("GET", "/s/tide"))
      let page = String(decoding: first.body, as: UTF8.self)
      let next = try #require(page.firstMatch(of: /rel="next" href="([^"]+)"/)?.1)
      let second = try await transport.send(WireRequest("GET", String(next)))
      let rest = String(decoding: second.body, as: UTF8.self)
      #expect(page.matches(of: /<li>/).count == 30 && rest.matches(of: /<li>/).count == 1)
      #expect(rest.contains("clip 0") && !rest.contains("rel=\"next\""))
      #expect(page.contains("<p>31 clips</p>") && rest.contains("<p>31 clips</p>"))
    }
  }

  @Test func aClipSaysWhichSoundItHasUntilThatIsTakenBack() async throws {
    let ids = try await publish(2)
    try await bench.setSound("tide", of: ids)
    try await bench.serving { [bench] transport async throws in
      let client = Client(transport: transport)
      #expect(try await client.clip(ids[0]).soundId == "tide")
      #expect(try await client.feed().items.map(\.soundId) == ["tide", "tide"])
      try await bench.setSound(nil, of: [ids[0]])
      #expect(try await client.clip(ids[0]).soundId == nil)
      #expect(try await client.feed().items.map(\.soundId) == ["tide", nil])
    }
  }
}
