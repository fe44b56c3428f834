import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import Gateway
@testable import ServerTesting

/// Pages of other origins: those that the operator lists, and all others.
@Suite struct CrossOriginTests {
  private let bench: TestInstance
  private static let listed = "https://app.example"

  init() async throws { bench = try await TestInstance() }

  private func serving(
    _ origins: [String] = [listed], _ body: @escaping @Sendable (SocketTransport) async throws -> Void
  ) async throws {
    try await bench.serving(
      allowedOrigins: origins, accounts: try await bench.instance.accounts(hashing: CountingPasswords()), body
    )
  }

  private static func question(_ method: String, from origin: String = listed) -> [String: String] {
    [
      "origin": origin, "access-control-request-method": method,
      "access-control-request-headers": "content-type",
    ]
  }

  @Test func aBrowserThatAsksIsToldWhatARouteTakes() async throws {
    try await serving { socket async throws in
      for (target, methods, header) in [
        ("/api/v1/clips/x/comments", "GET, HEAD, POST", "Idempotency-Key"),
        ("/api/v1/authors/x/block", "PUT, DELETE", "Authorization"),
        ("/api/v1/uploads/x", "GET, HEAD, PATCH, DELETE, OPTIONS", "Upload-Offset"),
        ("/api/v1/live", "GET", "Last-Event-ID"),
      ] {
        let answer = try await socket.answer("OPTIONS", target, nil, Self.question("POST"))
        #expect(answer.status == 204, "\(target)")
        let headers = answer.response.headers
        #expect(headers["access-control-allow-origin"] == Self.listed)
        #expect(headers["access-control-allow-credentials"] == "true")
        #expect(headers["access-control-allow-methods"] == methods)
        #expect(headers["access-control-allow-headers"]?.contains(header) == true, "\(target)")
        #expect(headers["access-control-allow-headers"]?.contains("Content-Type") == true)
        #expect(headers["vary"]?.contains("Origin") == true)
      }
    }
  }

  @Test(arguments: [
    "https://app.example.evil.example", "http://app.example", "https://app.example:8443",
    "https://APP.example",
    "https://evil.example", "null", "https://app.example/", "*", "",
  ])
  func nobodyElseMay(_ origin: String) async throws {
    let clip = try await bench.publishBare("clip")
    try await serving { socket async throws in
      let question = try await socket.answer(
        "OPTIONS", "/api/v1/clips/\(clip)/like", nil, Self.question("PUT", from: origin))
      #expect(question.status == 405)
      let reading = try await socket.answer("GET", "/api/v1/feed", nil, ["origin": origin])
      #expect(reading.status == 200)
      for answer in [question.response, reading.response] {
        #expect(answer.headers.keys.filter { $0.hasPrefix("access-control") } == [])
        // A cache that keeps this must not give it to a listed page.
        #expect(answer.headers["vary"]?.contains("Origin") == true)
      }
      for site in ["cross-site", "same-site"] {
        let writing = try await socket.answer(
          "PUT", "/api/v1/clips/\(clip)/like", nil, ["origin": origin, "sec-fetch-site": site])
        #expect(writing.code == "cross_site_refused")
      }
    }
  }

  @Test func aListedPageReadsAndWritesAndSeesRefusalsToo() async throws {
    let clip = try await bench.publishBare("clip")
    try await serving { socket async throws in
      for site in ["cross-site", "same-site"] {
        let headers = ["origin": Self.listed, "sec-fetch-site": site]
        for (method, target, status) in [
          ("GET", "/api/v1/feed", 200), ("PUT", "/api/v1/clips/\(clip)/like", 200),
          ("PUT", "/api/v1/clips/none/like", 404), ("GET", "/api/v1/account", 401),
          ("GET", "/api/v1/nowhere", 404),
        ] {
          let answer = try await socket.answer(method, target, nil, headers)
          #expect(answer.status == status, "\(target)")
          let isOurs = target != "/api/v1/nowhere"
          #expect(answer.response.headers["access-control-allow-origin"] == (isOurs ? Self.listed : nil))
          let shown = answer.response.headers["access-control-expose-headers"] ?? ""
          #expect(!isOurs || (shown.contains("Retry-After") && shown.contains("Upload-Offset")))
          #expect(!shown.contains("Set-Cookie"))
        }
      }
    }
  }

  @Test func withoutAListNothingVariesByOrigin() async throws {
    try await serving([]) { socket async throws in
      let answer = try await socket.answer("GET", "/api/v1/feed", nil, ["origin": Self.listed])
      #expect(answer.response.headers["vary"] == "Accept-Encoding")
      #expect(answer.response.headers["access-control-allow-origin"] == nil)
      #expect(try await socket.answer("OPTIONS", "/api/v1/feed", nil, Self.question("GET")).status == 405)
    }
  }

  @Test func whatIsEverybodysIsForEveryPage() async throws {
    let clip = try await bench.publishBare("clip")
    let file = bench.folder.appendingPathComponent("bytes")
    try Data("bytes".utf8).write(to: file)
    let media = try await bench.instance.media.put(fileAt: file, ext: "mp4")
    try await bench.instance.put(media, into: clip)
    try await serving { socket async throws in
      for target in [
        "/media/\(media)", "/openapi.json", "/oembed?url=http%3A%2F%2F127.0.0.1%2Fc%2F\(clip)",
      ] {
        let answer = try await socket.answer("GET", target, nil, ["origin": "https://evil.example"])
        #expect(answer.status == 200, "\(target)")
        #expect(answer.response.headers["access-control-allow-origin"] == "*", "\(target)")
        #expect(answer.response.headers["access-control-allow-credentials"] == nil)
      }
    }
  }
}
