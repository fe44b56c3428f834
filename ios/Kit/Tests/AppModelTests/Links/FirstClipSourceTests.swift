import AppModel
import Contract
import Foundation
import Playback
import Synchronization
import Testing

/// Answers requests by their path; what is not there is a 404, and `nil` no answer at all.
private final class Answers: Transport {
  private let all: [String: any Encodable & Sendable]
  private let isDead: Bool
  private let asked = Mutex<[String]>([])

  init(_ all: [String: any Encodable & Sendable], isDead: Bool = false) {
    self.all = all
    self.isDead = isDead
  }

  var targets: [String] { asked.withLock { $0 } }

  func send(_ request: WireRequest) async throws -> WireResponse {
    asked.withLock { $0.append(request.target) }
    let path = String(request.target.prefix { $0 != "?" })
    if isDead, path != "/api/v1/feed" { throw URLError(.networkConnectionLost) }
    guard let answer = all[path] else {
      return WireResponse(
        status: 404, headers: [:], body: try WireCoding.encode(Problem(.clipNotFound, requestID: "")))
    }
    return WireResponse(status: 200, headers: [:], body: try WireCoding.encode(answer))
  }
}

@MainActor @Suite struct FirstClipSourceTests {
  private let feed = FeedPage(items: [shownClip("a"), shownClip("b")], nextCursor: "n")

  private func source(
    _ link: String, _ answers: Answers, onGone: @escaping @MainActor @Sendable () -> Void = {}
  ) throws -> FirstClipSource {
    let link = try ClipLink(URL(string: link)!, server: URL(string: "https://s.org")!)
    return FirstClipSource(link, client: Client(transport: answers), onGone: onGone)
  }

  @Test func theClipComesFirstAndOnce() async throws {
    let answers = Answers(["/api/v1/feed": feed, "/api/v1/clips/b": shownClip("b")])
    let source = try source("https://s.org/c/b", answers)
    let page = try await source.page(after: nil, limit: 5)
    #expect(page.items.map(\.id) == ["b", "a"])
    #expect(page.nextCursor == "n")
    #expect(try await source.page(after: nil, limit: 5).items.map(\.id) == ["a", "b"])
  }

  @Test func aClipThatIsGoneLeavesTheFeed() async throws {
    var isGone = false
    let answers = Answers(["/api/v1/feed": feed])
    let source = try source("https://s.org/c/z", answers) { isGone = true }
    #expect(try await source.page(after: nil, limit: 5).items.map(\.id) == ["a", "b"])
    #expect(isGone)
  }

  @Test func aConnectionThatFailedIsTriedAgain() async throws {
    var isGone = false
    let source = try source("https://s.org/c/b", Answers(["/api/v1/feed": feed], isDead: true)) {
      isGone = true
    }
    await #expect(throws: URLError.self) { try await source.page(after: nil, limit: 5) }
    #expect(!isGone)
  }

  @Test func aPrivateClipIsAskedForByItsUpload() async throws {
    let secret = String(repeating: "0a", count: 16)
    let answers = Answers(["/api/v1/feed": feed, "/api/v1/uploads/\(secret)/clip": shownClip("p")])
    let page = try await source("https://s.org/c/p#\(secret)", answers).page(after: nil, limit: 5)
    #expect(page.items.first?.id == "p")
    #expect(!answers.targets.contains("/api/v1/clips/p"))
    let other = try await source("https://s.org/c/q#\(secret)", answers).page(after: nil, limit: 5)
    #expect(other.items.first?.id == "a")
  }
}
