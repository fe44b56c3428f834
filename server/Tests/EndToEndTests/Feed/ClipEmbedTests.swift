import Contract
import Foundation
import Platform
import SQLite
import Testing

@testable import Composition
@testable import Gateway
@testable import ServerTesting

/// A clip in the pages of other sites.
@Suite final class ClipEmbedTests {
  private let bench: TestInstance
  private static let origin = "https://clips.example.org"

  init() async throws { bench = try await TestInstance() }

  private func ask(_ query: [String: String]) async throws -> WireResponse {
    let text = query.map { "\($0.key)=\(Route.encoded($0.value))" }.sorted().joined(separator: "&")
    return try await get("/oembed?\(text)")
  }

  private func get(_ path: String) async throws -> WireResponse {
    try await bench.serving(origin: Self.origin) { transport async throws in
      try await transport.send(WireRequest("GET", path))
    }
  }

  private func address(_ id: String) -> String { "\(Self.origin)/c/\(id)" }

  @Test func anotherSiteLearnsHowToShowAClip() async throws {
    let id = try await bench.publishBare("Tide <1>")
    let answer = try await ask(["url": address(id) + "?from=chat#top", "format": "json"])
    #expect(answer.status == 200 && answer.headers["access-control-allow-origin"] == "*")
    let embed: Embed = try WireCoding.decode(from: Data(answer.body))
    #expect(embed.version == "1.0" && embed.type == "video" && embed.title == "Tide <1>")
    #expect(embed.authorName == "Me" && embed.providerUrl == Self.origin)
    #expect(embed.width == 360 && embed.height == 640)
    #expect(embed.thumbnailUrl == Self.origin + "/media/x.jpg")
    #expect(embed.html.contains("src=\"\(Self.origin)/e/\(id)\"") && embed.html.contains("Tide &lt;1&gt;"))
  }

  @Test func theClipFitsIntoTheRoomThatThereIs() async throws {
    let id = try await bench.publishBare("Tide")
    let answer = try await ask(["url": address(id), "maxwidth": "180", "maxheight": "1000"])
    let embed: Embed = try WireCoding.decode(from: Data(answer.body))
    #expect(embed.width == 180 && embed.height == 320)
  }

  @Test func theClipsOwnPageSaysWhereToAsk() async throws {
    let html = "<!doctype html><head><title>Clipfeed</title></head>"
    try Data(html.utf8).write(to: bench.folder.appendingPathComponent("index.html"))
    let id = try await bench.publishBare("Tide")
    let page = String(decoding: try await get("/c/\(id)").body, as: UTF8.self)
    let link = try #require(page.firstMatch(of: /application\/json\+oembed" href="([^"]+)"/)).1
    let answer = try await get(String(link.dropFirst(Self.origin.count)))
    #expect(answer.status == 200)
  }

  @Test(arguments: [
    (["format": "json"], 400), (["url": "https://elsewhere.example/c/x"], 404),
    (["url": "x", "format": "xml"], 501),
    (["url": "https://clips.example.org/c/none"], 404), (["url": "https://clips.example.org/"], 404),
    (["url": "https://clips.example.org/c/x", "maxwidth": "wide"], 400),
    (["url": "https://clips.example.org/c/x", "maxheight": "-1"], 400),
    (["url": "https://clips.example.org.evil.example/c/x"], 404),
  ])
  func whatIsNoQuestionIsRefused(_ query: [String: String], _ status: Int) async throws {
    let answer = try await ask(query)
    #expect(answer.status == status)
    #expect(answer.headers["content-type"] == Problem.contentType)
  }

  @Test func thePlayersPageAloneMayStandInAFrameAndRunsNothing() async throws {
    let id = try await bench.publishBare(#"</title><script>alert(1)</script>" onload='x'"#)
    let page = try await get("/e/\(id)")
    let text = String(decoding: page.body, as: UTF8.self)
    #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
    #expect(text.contains("<video controls") && text.contains("src=\"/media/x.mp4\""))
    #expect(!text.contains("<script") && !text.contains("\" onload"))
    let policy = try #require(page.headers["content-security-policy"])
    #expect(policy.contains("default-src 'none'") && !policy.contains("frame-ancestors"))
    #expect(!policy.contains("script-src"))
  }

  @Test func aClipThatIsNotThereIsASentenceInTheFrame() async throws {
    let page = try await get("/e/none")
    #expect(page.status == 404 && page.headers["content-type"] == "text/html; charset=utf-8")
    #expect(String(decoding: page.body, as: UTF8.self).contains("does not exist"))
  }

  @Test func aPrivateClipIsToldToNobody() async throws {
    let id = try await bench.publishBare("Mine")
    try await bench.instance.database.write {
      try $0.execute("UPDATE clips SET visibility = 'private' WHERE id = ?", [.text(id)])
    }
    #expect(try await ask(["url": address(id)]).status == 404)
    #expect(try await get("/e/\(id)").status == 404)
  }
}
