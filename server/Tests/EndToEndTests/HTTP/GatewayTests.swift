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
@testable import Gateway
@testable import HTTPServer
@testable import ServerTesting

@Suite(.everyEngine) struct GatewayTests {
  @Test(arguments: [
    ("GET", "/nothing", 404, "route_not_found"), ("GET", "/api/v1/nothing", 404, "route_not_found"),
    ("POST", "/nothing", 404, "route_not_found"), ("POST", "/api/v1/feed", 405, "method_not_allowed"),
    ("DELETE", "/media/x.mp4", 405, "method_not_allowed"),
    ("GET", "/api/v1/clips/none", 404, "clip_not_found"),
    ("GET", "/media/x.mp4", 404, "media_not_found"),
    ("GET", "/media/..%2fclipfeed.sqlite", 404, "media_not_found"),
    ("GET", "/%ff%fe", 400, "request_refused"), ("GET", "/a%00b", 400, "request_refused"),
  ])
  func everyErrorIsAProblem(_ method: String, _ target: String, _ status: Int, _ code: String) async throws {
    let answer = try await TestInstance().serving { try await $0.send(WireRequest(method, target)) }
    #expect(answer.status == status)
    #expect(answer.headers["content-type"] == Problem.contentType)
    let problem = try WireCoding.decode(Problem.self, from: answer.body)
    #expect(problem.code == code)
    #expect(problem.requestId == answer.headers["x-request-id"])
    if status == 405 { #expect(answer.headers["allow"] == "GET, HEAD") }
  }

  @Test func aHarmlessRequestIdIsKeptAndAnyOtherReplaced() async throws {
    try await TestInstance().serving { transport async throws in
      let kept = try await transport.send(
        WireRequest("GET", "/healthz", headers: ["x-request-id": "abc-123"]))
      #expect(kept.headers["x-request-id"] == "abc-123")
      let other = try await transport.send(WireRequest("GET", "/healthz", headers: ["x-request-id": "a b{}"]))
      #expect(other.headers["x-request-id"]?.count == 36)
    }
  }

  @Test func readinessNamesEachPart() async throws {
    let bench = try await TestInstance()
    try await bench.serving { transport async throws in
      let client = Client(transport: transport)
      #expect(
        try await client.ready()
          == Health(status: "ok", checks: ["database": "ok", "disk": "ok", "storage": "ok"]))
      try FileManager.default.removeItem(at: bench.instance.folder.appendingPathComponent("media/incoming"))
      let answer = try await transport.send(WireRequest("GET", "/readyz"))
      #expect(answer.status == 503)
      #expect(String(decoding: answer.body, as: UTF8.self).contains(#""storage":"failed""#))
    }
  }
}

@Suite struct MediaDeliveryTests {
  static let content = Data(
    (0..<700_000).map { (place: Int) -> UInt8 in UInt8(truncatingIfNeeded: place * 31 + place / 256) })

  /// A server with one blob of 700,000 bytes.
  private func withBlob(_ body: @escaping @Sendable (SocketTransport, String) async throws -> Void)
    async throws
  {
    let bench = try await TestInstance()
    let name = try await bench.instance.media.put(Self.content, ext: "mp4", in: bench.folder)
    try await bench.instance.publish(name)
    try await bench.serving { try await body($0, "/media/\(name)") }
  }

  @Test(arguments: [
    ("bytes=0-99", 0..<100), ("bytes=699990-", 699_990..<700_000), ("bytes=-10", 699_990..<700_000),
    ("bytes=0-9223372036854775807", 0..<700_000), ("bytes=0-99999999999999999999", 0..<700_000),
    ("bytes=5-9007199254740991", 5..<700_000), ("bytes=-9223372036854775807", 0..<700_000),
    ("bytes=0-999999999", 0..<700_000), ("bytes=-999999999", 0..<700_000), ("bytes=5-5", 5..<6),
    ("bytes=100000-599999", 100_000..<600_000),
  ])
  func aRangeGivesExactlyItsBytes(_ header: String, _ range: Range<Int>) async throws {
    try await withBlob { transport, url async throws in
      let answer = try await transport.send(WireRequest("GET", url, headers: ["range": header]))
      #expect(answer.status == 206)
      #expect(answer.body == Self.content[range])
      #expect(answer.headers["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/700000")
      #expect(answer.headers["content-length"] == "\(range.count)")
    }
  }

  @Test(arguments: [
    "bytes=700000-", "bytes=-0", "bytes=99999999999999999999-", "bytes=9223372036854775807-",
    "bytes=9223372036854775806-9223372036854775807",
  ])
  func aRangeBehindTheEndIs416WithTheSize(_ header: String) async throws {
    try await withBlob { transport, url async throws in
      let answer = try await transport.send(WireRequest("GET", url, headers: ["range": header]))
      #expect(answer.status == 416)
      #expect(answer.headers["content-range"] == "bytes */700000")
    }
  }

  @Test(arguments: [
    "bytes=5-4", "bytes=a-b", "bytes=", "bytes=-", "items=0-1", "bytes=0-1,5-6", "bytes=--5", "bytes=1-2-3",
    "bytes=\u{301}0-1", "bytes=٠-٩",
  ])
  func aRangeThatIsNotOneGivesTheWholeFile(_ header: String) async throws {
    try await withBlob { transport, url async throws in
      let answer = try await transport.send(WireRequest("GET", url, headers: ["range": header]))
      #expect(answer.status == 200)
      #expect(answer.body == Self.content)
    }
  }

  @Test func validatorsAndHeadersLetAnyCacheKeepItForEver() async throws {
    try await withBlob { transport, url async throws in
      let head = try await transport.send(WireRequest("HEAD", url, headers: ["range": "bytes=0-1"]))
      #expect(head.status == 200)
      #expect(head.body.isEmpty)
      #expect(head.headers["content-length"] == "700000")
      #expect(head.headers["cache-control"] == "public, max-age=31536000, immutable")
      #expect(head.headers["content-type"] == "video/mp4")
      #expect(head.headers["accept-ranges"] == "bytes")
      #expect(head.headers["x-content-type-options"] == "nosniff")
      let tag = try #require(head.headers["etag"])
      let same = try await transport.send(
        WireRequest("GET", url, headers: ["if-none-match": "\"x\", W/\(tag)"]))
      #expect(same.status == 304)
      #expect(same.body.isEmpty)
      let range = ["range": "bytes=0-9", "if-range": tag]
      #expect(try await transport.send(WireRequest("GET", url, headers: range)).status == 206)
      let old = ["range": "bytes=0-9", "if-range": "\"old\""]
      #expect(try await transport.send(WireRequest("GET", url, headers: old)).status == 200)
    }
  }

  @Test func sourcesAndOtherFilesAreNeverDelivered() async throws {
    let bench = try await TestInstance()
    let name = try await bench.instance.sources.put(Data("secret".utf8), ext: "bin", in: bench.folder)
    try await bench.serving { transport async throws in
      for path in [
        "/media/\(name)", "/media/\(name.hash)", "/media/../clipfeed.sqlite", "/media//etc/passwd",
      ] {
        #expect(try await transport.send(WireRequest("GET", path)).status == 404, "\(path)")
      }
    }
  }
}

@Suite struct StaticSiteTests {
  private func withSite(_ body: @escaping @Sendable (SocketTransport, URL) async throws -> Void) async throws
  {
    let bench = try await TestInstance()
    let web = bench.folder.appendingPathComponent("web")
    try FileManager.default.createDirectory(
      at: web.appendingPathComponent("app"), withIntermediateDirectories: true)
    try Data("<!doctype html>\(String(repeating: "<p>hello", count: 400))".utf8)
      .write(to: web.appendingPathComponent("index.html"))
    try Data("export {}".utf8).write(to: web.appendingPathComponent("app/main.js"))
    try Data("secret".utf8).write(to: bench.folder.appendingPathComponent("secret.js"))
    try Data("secret".utf8).write(to: web.appendingPathComponent(".env.js"))
    try FileManager.default.createSymbolicLink(
      atPath: web.appendingPathComponent("leak.js").path, withDestinationPath: "../secret.js")
    try await bench.serving(web: web.path) { try await body($0, web) }
  }

  @Test func thePageIsCompressedOnRequestAndGuardedByAPolicy() async throws {
    try await withSite { transport, _ async throws in
      let plain = try await transport.send(WireRequest("GET", "/"))
      #expect(plain.headers["content-encoding"] == nil)
      #expect(
        plain.headers["content-security-policy"]?.contains("script-src 'self' 'wasm-unsafe-eval'") == true)
      let packed = try await transport.send(WireRequest("GET", "/", headers: ["accept-encoding": "br, gzip"]))
      #expect(packed.headers["content-encoding"] == "gzip")
      #expect(packed.body.starts(with: [0x1F, 0x8B]))
      #expect(packed.body.count < plain.body.count / 4)
      #expect(packed.headers["etag"] != plain.headers["etag"])
      let refused = ["accept-encoding": "gzip;q=0"]
      #expect(try await transport.send(WireRequest("GET", "/", headers: refused)).body == plain.body)
    }
  }

  @Test func anUnchangedFileIs304AndAChangedOneIsNew() async throws {
    try await withSite { transport, web async throws in
      let first = try await transport.send(WireRequest("GET", "/app/main.js"))
      #expect(first.headers["content-type"] == "text/javascript; charset=utf-8")
      #expect(first.headers["cache-control"] == "no-cache")
      let known = ["if-none-match": try #require(first.headers["etag"])]
      #expect(try await transport.send(WireRequest("GET", "/app/main.js", headers: known)).status == 304)
      try Data("export const changed = 1".utf8).write(to: web.appendingPathComponent("app/main.js"))
      let second = try await transport.send(WireRequest("GET", "/app/main.js", headers: known))
      #expect(second.status == 200)
      #expect(String(decoding: second.body, as: UTF8.self) == "export const changed = 1")
    }
  }

  @Test(arguments: [
    "/../secret.js", "/app/../../secret.js", "/%2e%2e/secret.js", "/..%2fsecret.js", "/leak.js", "/.env.js",
    "/app", "/app/", "/..\\secret.js", "//etc/passwd", "/app/%2e%2e/%2e%2e/secret.js",
  ])
  func nothingOutsideTheFolderIsEverServed(_ path: String) async throws {
    try await withSite { transport, _ async throws in
      let answer = try await transport.send(WireRequest("GET", path))
      #expect(answer.status == 404)
      #expect(!String(decoding: answer.body, as: UTF8.self).contains("secret\n"))
    }
  }
}
