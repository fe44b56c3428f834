import Contract
import Foundation
import Testing

@testable import ServerTesting

/// Text whose comparison takes time quadratic in its length, as it comes to a server.
@Suite struct StackedMarksTests {
  /// So many that every comparison with it would take a second.
  private static let heap = "a" + String(repeating: "\u{316}\u{301}", count: 15_000)

  @Test func whoSendsSuchAHeadIsAnsweredAsOneWhoSendsNothingThatIsKnown() async throws {
    let bench = try await TestInstance()
    try await bench.serving { transport async throws in
      for (name, status) in [
        ("Authorization", 401), ("X-Forwarded-Proto", 200), ("Accept-Encoding", 200), ("Cookie", 200),
      ] {
        let answer = try await transport.send(
          WireRequest("GET", Route.feed.path(), headers: [name: Self.heap]))
        #expect(answer.status == status, "\(name)")
      }
      let answer = try await transport.send(
        WireRequest("GET", "/c/" + Route.encoded("a" + String(repeating: "\u{316}\u{301}", count: 3000))))
      #expect(answer.status == 404)
    }
  }
}
