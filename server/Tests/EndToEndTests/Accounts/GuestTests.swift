import Contract
import Foundation
import Testing

@testable import Composition
@testable import Gateway
@testable import ServerTesting

/// Requests of other sites are refused on an address that takes an unsafe method and needs nothing else.
@Suite struct CrossSiteTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  private static let json = ["content-type": "application/json"]

  @Test(arguments: [
    (["sec-fetch-site": "cross-site"], 403), (["sec-fetch-site": "same-site"], 403),
    (["sec-fetch-site": "same-origin"], 404), (["sec-fetch-site": "none"], 404),
    (["origin": "https://evil.example"], 403), (["origin": "null"], 403), (["origin": ""], 403),
    (["origin": "http://127.0.0.1"], 404), (["origin": "http://127.0.0.1.evil.example"], 403),
    (["sec-fetch-site": "same-origin", "origin": "https://proxied.example"], 404), ([:], 404),
  ])
  func onlyOurOwnPagesMayWrite(_ headers: [String: String], _ status: Int) async throws {
    let answer = try await bench.serving {
      try await $0.send(
        WireRequest(
          "POST", "/api/v1/clips/none/reactions", headers: Self.json.merging(headers) { $1 },
          body: Data(#"{"reaction": "heart"}"#.utf8)))
    }
    #expect(answer.status == status)
  }

  @Test func theConfiguredOriginIsComparedWhole() async throws {
    for (origin, status) in [
      ("https://a.example", 404), ("http://a.example", 403), ("https://127.0.0.1", 403),
    ] {
      let answer = try await bench.serving(origin: "https://a.example") {
        try await $0.send(
          WireRequest(
            "POST", "/api/v1/clips/none/reactions", headers: Self.json.merging(["origin": origin]) { $1 },
            body: Data(#"{"reaction": "heart"}"#.utf8)))
      }
      #expect(answer.status == status)
    }
  }

  @Test func readingIsOpenToLinksOfOtherSites() async throws {
    let answer = try await bench.serving {
      try await $0.send(WireRequest("GET", "/api/v1/feed", headers: ["sec-fetch-site": "cross-site"]))
    }
    #expect(answer.status == 200)
    #expect(answer.headers["set-cookie"] == nil)
  }

  @Test(arguments: ["Bearer", "Basic abc", "Bearer a b", "Bearer g1.none", "Bearer x"])
  func aTokenThatIsNoneIsSaidSo(_ text: String) async throws {
    let answer = try await bench.serving {
      try await $0.send(WireRequest("GET", "/api/v1/feed", headers: ["authorization": text]))
    }
    #expect(answer.status == 401)
  }
}
