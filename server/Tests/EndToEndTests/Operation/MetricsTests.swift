import Contract
import Foundation
import Platform
import PostgreSQL
import Testing

@testable import Composition
@testable import Measuring
@testable import PlatformTesting
@testable import ServerTesting

@Suite struct MetricsTests {
  @Test func requestsAreCountedByTemplateAndNeverByWhatACallerWrote() async throws {
    let bench = try await TestInstance()
    try await bench.publishBare("one")
    let registry = MetricRegistry()
    try await bench.serving(metrics: registry) { transport async throws in
      for target in [
        "/api/v1/feed", "/api/v1/feed?limit=5", "/api/v1/clips/secret-1", "/nothing/secret-2",
        "/media/secret-3.mp4",
      ] {
        _ = try await transport.send(WireRequest("GET", target))
      }
      _ = try await transport.send(WireRequest("PROPFIND", "/api/v1/feed"))
      _ = try await transport.send(
        WireRequest(
          "POST", "/api/v1/clips/x/comments", headers: ["content-type": "text/plain"],
          body: Data("hello".utf8)))
    }
    let text = registry.text(with: ProcessNumbers.samples())
    try MetricsPageReader.expectGood(text)
    let samples = MetricsPageReader(text).samples
    func count(_ route: String, _ method: String, _ status: Int) -> Double? {
      samples[#"clipfeed_http_requests_total{route="\#(route)",method="\#(method)",status="\#(status)"}"#]
    }
    #expect(count("/api/v1/feed", "GET", 200) == 2)
    #expect(count("/api/v1/clips/{id}", "GET", 404) == 1)
    #expect(count("/media/{name}", "GET", 404) == 1)
    #expect(count("unknown", "GET", 404) == 1)
    #expect(count("/api/v1/feed", "other", 405) == 1)
    #expect(samples[#"clipfeed_http_request_duration_seconds_count{route="/api/v1/feed"}"#] == 3)
    #expect(samples[#"clipfeed_http_request_bytes_total{route="/api/v1/clips/{id}/comments"}"#] == 5)
    #expect(samples["clipfeed_feed_clips_total"] == 2)
    #expect(samples["clipfeed_http_requests_in_flight"] == 0)
    #expect(!text.lowercased().contains("secret-"))
  }

  @Test func transactionsAreTimedAndTheirErrorsCounted() async throws {
    struct Broken: Error {}
    let bench = try await TestInstance()
    let registry = MetricRegistry()
    let database = ObservedDatabase(bench.instance.database, observer: DatabaseMetrics(registry))
    _ = try await database.read { try $0.query("SELECT 1 AS one").count }
    try await database.write { _ = try $0.query("SELECT 1 AS one") }
    await #expect(throws: Broken.self) { try await database.write { _ in throw Broken() } }
    let samples = MetricsPageReader(registry.text()).samples
    #expect(samples[#"clipfeed_database_duration_seconds_count{kind="read"}"#] == 1)
    #expect(samples[#"clipfeed_database_wait_seconds_count{kind="write"}"#] == 2)
    #expect(samples[#"clipfeed_database_errors_total{kind="write"}"#] == 1)
    #expect(samples[#"clipfeed_database_in_use{kind="write"}"#] == 0)
    #expect(samples[#"clipfeed_database_waiting{kind="write"}"#] == 0)
  }

  @Test func whoWaitsForAWriterIsCountedAndSoAreConnections() async throws {
    let bench = try await TestInstance()
    let registry = MetricRegistry()
    let database = ObservedDatabase(bench.instance.database, observer: DatabaseMetrics(registry))
    func waiting() -> Double? {
      MetricsPageReader(registry.text()).samples[#"clipfeed_database_waiting{kind="write"}"#]
    }
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let end = DispatchSemaphore(value: 0)
    let first = Task {
      try await database.write { _ in
        begin.yield()
        end.wait()
      }
    }
    for await _ in begun { break }
    #expect(waiting() == 0)
    let second = Task { try await database.write { _ in } }
    try await eventually("nobody waits") { waiting() == 1 }
    end.signal()
    try await first.value
    try await second.value
    #expect(waiting() == 0)
    let samples = DatabaseConnections(usage: (3, 1, 0), limit: 8).samples
    let text = MetricRegistry().text(with: samples)
    try MetricsPageReader.expectGood(text)
    #expect(MetricsPageReader(text).samples[#"clipfeed_database_connections{state="idle"}"#] == 2)
    #expect(bench.instance.connections == nil)
    guard PostgresServer.isThere else { return }
    let shared = try await OnEveryDatabase.$current.withValue(.postgreSQL) { try await TestInstance() }
    _ = try await shared.instance.settings.value("x")
    let usage = try #require(shared.instance.connections?())
    #expect(
      (1...usage.limit).contains(usage.usage.connections)
        && usage.limit == PostgreSQLLimits.standardConnections)
  }
}
