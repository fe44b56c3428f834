import Contract
import FFmpeg
import Foundation
import LocalBlobs
import Platform
import SQLite
import ServiceLifecycle
import Testing
import Videos

@testable import Composition
@testable import ServerTesting

@Suite(.everyEngine) struct FeedTests {
  @Test func aCursorNeitherRepeatsNorSkipsWhenNewClipsArriveInBetween() async throws {
    let bench = try await TestInstance()
    for number in 1...7 { try await bench.publishBare("old \(number)") }
    let captions = try await bench.serving { transport async throws in
      let client = Client(transport: transport)
      var captions: [String] = []
      var cursor: String?
      var page = 0
      repeat {
        let answer = try await client.feed(cursor: cursor, limit: 3)
        captions += answer.items.map(\.caption)
        cursor = answer.nextCursor
        page += 1
        for number in 1...2 { try await bench.publishBare("new \(page).\(number)") }
      } while cursor != nil
      return captions
    }
    #expect(captions == (1...7).reversed().map { "old \($0)" })
  }

  @Test func theLastPageSaysThatThereIsNoMoreEvenIfItIsFull() async throws {
    let bench = try await TestInstance()
    for number in 1...4 { try await bench.publishBare("\(number)") }
    try await bench.serving { transport async throws in
      let client = Client(transport: transport)
      let first = try await client.feed(limit: 2)
      let second = try await client.feed(cursor: first.nextCursor, limit: 2)
      #expect(second.items.map(\.caption) == ["2", "1"])
      #expect(second.nextCursor == nil)
    }
  }

  @Test func everyChangeOfACursorIsRefused() async throws {
    let bench = try await TestInstance()
    for number in 1...3 { try await bench.publishBare("\(number)") }
    try await bench.serving { transport async throws in
      let client = Client(transport: transport)
      let good = try #require(try await client.feed(limit: 1).nextCursor)
      var forged = [good + "A", String(good.dropLast()), "", "x", "é", "AAAA", good.uppercased(), "%00"]
      forged += good.indices.map { place in
        var text = good
        text.replaceSubrange(place...place, with: text[place] == "A" ? "B" : "A")
        return text
      }
      for cursor in forged where !cursor.isEmpty && cursor != good {
        let problem = await #expect(throws: Problem.self) { try await client.feed(cursor: cursor, limit: 1) }
        #expect(problem?.code == "invalid_cursor", "\(cursor)")
        #expect(problem?.status == 400)
      }
      #expect(try await client.feed(cursor: good, limit: 1).items.map(\.caption) == ["2"])
    }
  }

  @Test(arguments: ["0", "51", "-1", "x", "1e1", "99999999999999999999"])
  func aLimitOutsideOneToFiftyIsRefused(_ limit: String) async throws {
    let bench = try await TestInstance()
    let answer = try await bench.serving {
      try await $0.send(WireRequest("GET", "/api/v1/feed?limit=\(limit)"))
    }
    #expect(answer.status == 400)
    #expect(try WireCoding.decode(Problem.self, from: answer.body).code == "invalid_parameter")
  }

  @Test func aClipThatIsNotReadyIsNotFound() async throws {
    let bench = try await TestInstance()
    let clip = try await bench.instance.clips.register(
      .init(sourceHash: "h", caption: "c", authorHandle: "me", authorName: "Me")
    ).clip
    try await bench.serving { transport async throws in
      let client = Client(transport: transport)
      let problem = await #expect(throws: Problem.self) { try await client.clip(clip.clipID) }
      #expect(problem?.status == 404)
      #expect(try await client.feed().items.isEmpty)
    }
  }
}
