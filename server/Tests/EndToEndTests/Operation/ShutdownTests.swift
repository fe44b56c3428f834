import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

extension Program {
  /// The port on which it says that it serves.
  func port(after text: String = "Clipfeed is running: http://127.0.0.1:") throws -> Int {
    let output = try wait(for: text)
    let found = try #require(output.range(of: text))
    let digits = output[found.upperBound...].prefix(while: \.isNumber)
    return try #require(Int(digits))
  }
}

@Suite(.serialized) struct ShutdownTests {
  @Test func aServerThatIsToldToStopSaysSoFirstAndThenFinishesWhatItBegan() async throws {
    let bench = try await TestInstance()
    let clip = try await bench.publishBare("one")
    let server = try Program([
      "serve", "--port", "0", "--workers", "0", "--drain-seconds", "600", "--data",
      bench.instance.folder.path,
    ])
    let transport = SocketTransport(port: try server.port())
    try await eventually("it never is ready") {
      try await transport.send(WireRequest("GET", "/readyz")).status == 200
    }
    let begun = try OpenSocket(port: transport.port)
    let body = #"{"text": "finished"}"#
    try begun.send(
      """
      POST /api/v1/clips/\(clip)/comments HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r
      Idempotency-Key: 0123456789\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body.prefix(5))
      """)
    kill(server.process.processIdentifier, SIGTERM)
    // While it drains it answers, and says that nobody is to be sent here any more.
    try await eventually("it never says that it stops") {
      let answer = try await transport.send(WireRequest("GET", "/readyz"))
      return answer.status == 503 && String(decoding: answer.body, as: UTF8.self).contains("stopping")
    }
    #expect(try await transport.send(WireRequest("GET", "/api/v1/feed")).status == 200)
    // Who does not want to wait says so again.
    kill(server.process.processIdentifier, SIGTERM)
    try await eventually("it takes connections for ever") { (try? OpenSocket(port: transport.port)) == nil }
    try begun.send(String(body.dropFirst(5)))
    #expect(try await begun.readToEnd().hasPrefix("HTTP/1.1 201 "))
    let (status, output) = server.end()
    #expect(status == 0 && output.contains("Clipfeed has stopped."), "\(output)")
  }

  @Test func whatAProcessLogsAndCountsHoldsNoSecret() async throws {
    let bench = try await TestInstance()
    let server = try Program(
      [
        "serve", "--port", "0", "--workers", "0", "--metrics-port", "0", "--log-format", "json", "--data",
        bench.instance.folder.path,
      ], environment: ["CLIPFEED_LOG": "info"])
    // Whichever comes first.
    var output = try server.wait(for: "\"}\n")
    let (web, metrics) = ("running: http://127.0.0.1:", "Metrics: http://127.0.0.1:")
    while !(output.contains(web) && output.contains(metrics)) { output += try server.wait(for: "\n") }
    func port(_ mark: String) throws -> Int {
      let found = try #require(output.range(of: mark))
      return try #require(Int(output[found.upperBound...].prefix(while: \.isNumber)))
    }
    let transport = SocketTransport(port: try port(web))
    for target in [
      "/api/v1/uploads/s3cret-upload", "/sealed/clip/9999999999-s3cret/x.mp4", "/api/v1/feed?cursor=s3cret",
      "/s3cret?s3cret",
    ] {
      _ = try await transport.send(
        WireRequest("GET", target, headers: ["cookie": "clipfeed_guest=s3cret", "x-request-id": "known-1"]))
    }
    let page = try await SocketTransport(port: try port(metrics)).send(WireRequest("GET", "/metrics"))
    #expect(page.status == 200)
    #expect(page.headers["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
    let text = String(decoding: page.body, as: UTF8.self)
    #expect(MetricsPageReader(text).faults.isEmpty, "\(MetricsPageReader(text).faults)")
    #expect(text.contains(#"clipfeed_source_up{source="jobs"} 1"#))
    #expect(text.contains(#"clipfeed_database_duration_seconds_count{kind="read"}"#))
    // Nobody who comes to the service itself is told.
    #expect(try await transport.send(WireRequest("GET", "/metrics")).status == 404)
    kill(server.process.processIdentifier, SIGTERM)
    let (status, rest) = server.end()
    #expect(status == 0)
    output += rest
    #expect(!output.contains("s3cret") && !text.contains("s3cret"))
    let entries = output.split(separator: "\n").filter { $0.hasPrefix("{") }.compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String]
    }
    let requests = entries.filter { $0["message"] == "request" && $0["request"] == "known-1" }
    #expect(
      requests.map { $0["route"] } == [
        "/api/v1/uploads/{id}", "/sealed/{id}/{seal}/{name}", "/api/v1/feed", "site",
      ])
    #expect(requests.map { $0["status"] } == ["404", "404", "400", "404"] || requests.count == 4)
    #expect(requests.allSatisfy { Double($0["duration_ms"] ?? "") != nil })
  }
}
