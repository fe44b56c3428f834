import Contract
import Foundation
import Testing

@testable import Composition
@testable import Gateway
@testable import PlatformTesting
@testable import ServerTesting

/// Who sent a wrong request learns what of it is wrong. The whole table is that of the OpenAPI document
/// (`WireTests/test_bad_input.py`); these are its kinds.
@Suite struct ErrorFieldTests {
  private struct Row: CustomTestStringConvertible {
    let method: String
    let target: String
    var headers: [String: String] = [:]
    var body: String?
    let code: String
    let field: String?
    var testDescription: String { "\(method) \(target) \(body?.prefix(40) ?? "") \(headers)" }
  }

  private static let key = ["idempotency-key": "0123456789", "content-type": "application/json"]
  private static let hash = String(repeating: "a", count: 64)

  private static let rows: [Row] = [
    Row(method: "GET", target: "/api/v1/feed?limit=51", code: "invalid_parameter", field: "limit"),
    Row(method: "GET", target: "/api/v1/feed?cursor=%20", code: "invalid_cursor", field: "cursor"),
    Row(method: "GET", target: "/api/v1/feed?cursor=AAAA", code: "invalid_cursor", field: "cursor"),
    Row(
      method: "POST", target: "/api/v1/uploads", headers: ["content-type": "application/json"], body: "{}",
      code: "invalid_idempotency_key", field: "Idempotency-Key"),
    Row(
      method: "POST", target: "/api/v1/uploads", headers: key, body: "{", code: "request_refused", field: nil),
    Row(
      method: "POST", target: "/api/v1/uploads", headers: key,
      body: #"{"size_bytes":9,"sha256":"\#(hash)","type":"video/mp4","details":{"tags":["a",7]}}"#,
      code: "request_refused", field: "details.tags[1]"),
    Row(
      method: "POST", target: "/api/v1/uploads", headers: key,
      body: #"{"size_bytes":9,"sha256":"\#(hash)","type":"","details":{"cover_ms":-1}}"#,
      code: "invalid_parameter", field: "details.cover_ms"),
    Row(
      method: "POST", target: "/api/v1/uploads", headers: key,
      body: #"{"size_bytes":9,"type":"","details":{}}"#, code: "request_refused", field: "sha256"),
    Row(
      method: "POST", target: "/api/v1/uploads", headers: ["tus-resumable": "1.0.0"], code: "request_refused",
      field: "Upload-Length"),
    Row(
      method: "POST", target: "/api/v1/uploads",
      headers: ["tus-resumable": "1.0.0", "upload-length": "many"],
      code: "request_refused", field: "Upload-Length"),
    Row(
      method: "PATCH", target: "/api/v1/uploads/x",
      headers: ["content-type": "application/offset+octet-stream", "upload-offset": "-1"], body: "",
      code: "request_refused", field: "Upload-Offset"),
    Row(
      method: "POST", target: "/api/v1/clips/x/reactions", headers: key,
      body: #"{"reaction":"heart","reaction":"fire"}"#, code: "request_refused", field: "reaction"),
    Row(
      method: "POST", target: "/api/v1/clips/x/reactions", headers: ["content-type": "text/plain"],
      body: #"{"reaction":"heart"}"#, code: "content_type_unsupported", field: "Content-Type"),
    Row(
      method: "PUT", target: "/api/v1/uploads/x/captions/en", headers: ["content-type": "image/png"],
      body: "x",
      code: "content_type_unsupported", field: "Content-Type"),
  ]

  @Test(arguments: rows)
  private func aProblemNamesWhatIsWrong(_ row: Row) async throws {
    try await TestInstance().serving { transport async throws in
      let answer = try await transport.send(
        WireRequest(row.method, row.target, headers: row.headers, body: row.body.map { Data($0.utf8) }))
      let problem = try WireCoding.decode(Problem.self, from: answer.body)
      #expect(problem.code == row.code)
      #expect(problem.field == row.field)
      #expect((400..<500).contains(answer.status))
    }
  }

  @Test func aLoadThatIsTooMuchSaysWhenToComeBack() async throws {
    // It stands still: nothing is allowed again for time that the test takes.
    try await TestInstance().serving(time: TestTime()) { transport async throws in
      let body = Data(#"{"reaction":"heart"}"#.utf8)
      var last: WireResponse?
      repeat {
        last = try await transport.send(
          WireRequest("POST", Route.reactions.path("x"), headers: Self.key, body: body))
      } while last?.status == 404
      #expect(last?.status == 429)
      #expect(last?.headers["retry-after"].flatMap { Int($0) } ?? 0 > 0)
    }
  }

  @Test func theDocumentIsServedAndKept() async throws {
    try await TestInstance().serving { transport async throws in
      let first = try await transport.send(WireRequest("GET", Route.openAPI.path()))
      #expect(first.status == 200)
      #expect(String(decoding: first.body.prefix(19), as: UTF8.self) == #"{"openapi":"3.1.0","#)
      let tag = try #require(first.headers["etag"])
      let again = try await transport.send(
        WireRequest("GET", Route.openAPI.path(), headers: ["if-none-match": tag]))
      #expect(again.status == 304 && again.body.isEmpty)
    }
  }
}
