import Contract
import Feed
import Foundation
import Platform
import Testing
import Videos

@testable import Composition
@testable import ServerTesting

/// Clips by their tags, and the page of a tag.
@Suite(.everyEngine) struct TagPageTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  private func captions(tagged tag: String) async throws -> [String] {
    try await bench.instance.feed(.open).clips(tagged: tag, cursor: nil, limit: 50).items.map(\.caption)
  }

  @Test func theNewestClipsOfATagComeFirstByPages() async throws {
    for number in 0..<5 { try await bench.publishBare("\(number) #tide") }
    try await bench.publishBare("another #dawn")
    let feed = try await bench.instance.feed(.open)
    var found: [String] = []
    var cursor: String?
    repeat {
      let page = try await feed.clips(tagged: "tide", cursor: cursor, limit: 2)
      found += page.items.map(\.caption)
      cursor = page.nextCursor
      if let cursor {
        await #expect(throws: AppError.self) {
          try await feed.clips(tagged: "dawn", cursor: cursor, limit: 2)
        }
      }
    } while cursor != nil
    #expect(found == (0..<5).reversed().map { "\($0) #tide" })
    #expect(try await captions(tagged: "wave").isEmpty)
  }

  @Test func aTagFollowsWhatIsSaidAboutItsClip() async throws {
    let clips = bench.instance.clips
    let id = try await bench.publishBare("at the #pier")
    try await bench.instance.database.write {
      try clips.describe(id, caption: "at the #Harbour", tags: ["Dawn"], visibility: nil, in: $0)
    }
    #expect(try await captions(tagged: "pier").isEmpty)
    #expect(try await captions(tagged: "harbour").count == 1)
    #expect(try await captions(tagged: "dawn").count == 1)
    for visibility in [Visibility.unlisted, .private] {
      try await clips.setVisibility(of: id, to: visibility)
      #expect(try await captions(tagged: "dawn").isEmpty, "\(visibility)")
    }
    try await bench.instance.database.write { try $0.execute("DELETE FROM clips WHERE id = ?", [.text(id)]) }
    let left = try await bench.instance.database.read { try $0.query("SELECT * FROM clip_tags") }
    #expect(left.isEmpty)
  }

  @Test func thePageLeadsToTheClipsInWhateverSpelling() async throws {
    let id = try await bench.publishBare("<i>Über</i> #Café")
    try await bench.serving { transport async throws in
      for name in ["café", "CAFÉ", "cafe\u{301}", "#café"] {
        let answer = try await transport.send(WireRequest("GET", Route.tagPage.path(name)))
        let page = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 200 && answer.headers["content-type"] == "text/html; charset=utf-8")
        #expect(answer.headers["content-security-policy"]?.contains("script-src 'self'") == true)
        #expect(page.contains("href=\"\(Route.clipPage.path(id))\"") && page.contains("#café</h1>"))
        #expect(page.contains("&lt;i&gt;Über") && !page.contains("rel=\"next\""))
      }
      let empty = try await transport.send(WireRequest("GET", Route.tagPage.path("nothing")))
      #expect(
        empty.status == 200 && String(decoding: empty.body, as: UTF8.self).contains("No clip has this tag."))
      for name in ["!!!", " ", String(repeating: "a", count: 3000)] {
        #expect(
          try await transport.send(WireRequest("GET", Route.tagPage.path(name))).status == 404, "\(name)")
      }
      let wrong = try await transport.send(WireRequest("GET", Route.tagPage.path("café") + "?cursor=x"))
      #expect(wrong.status == 400)
    }
  }

  @Test func aLongListGoesOn() async throws {
    for number in 0..<31 { try await bench.publishBare("\(number) #tide") }
    try await bench.serving { transport async throws in
      let first = try await transport.send(WireRequest("GET", "/t/tide"))
      let page = String(decoding: first.body, as: UTF8.self)
      let next = try #require(page.firstMatch(of: /rel="next" href="([^"]+)"/)?.1)
      let second = try await transport.send(WireRequest("GET", String(next)))
      let rest = String(decoding: second.body, as: UTF8.self)
      #expect(page.matches(of: /<li>/).count == 30 && rest.matches(of: /<li>/).count == 1)
      #expect(rest.contains("0 #tide") && !rest.contains("rel=\"next\""))
    }
  }

  /// Clips of the time before the table.
  @Test func whatHasTagsAlreadyIsFoundAfterAnUpdate() async throws {
    try await bench.publishBare("one #dawn #pier")
    try await bench.publishBare("two #dawn")
    try await bench.publishBare("three")
    try await bench.instance.database.write { transaction in
      try transaction.execute("DROP TABLE clip_tags")
      try transaction.execute("DELETE FROM schema_migrations WHERE name = '0036_clip_tags'")
    }
    try await bench.instance.migrate()
    #expect(try await captions(tagged: "dawn") == ["two #dawn", "one #dawn #pier"])
    #expect(try await captions(tagged: "pier") == ["one #dawn #pier"])
  }
}
