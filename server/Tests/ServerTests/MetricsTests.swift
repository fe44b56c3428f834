import Contract
import CoreMetrics
import Foundation
import Hummingbird
import Logging
import Platform
import PostgreSQL
import Synchronization
import Testing

@testable import Composition
@testable import Gateway
@testable import Measuring

/// What Prometheus demands of a page of metrics (text format 0.0.4), and what promtool warns of.
struct MetricsPageReader {
  private(set) var kinds: [String: String] = [:]
  private(set) var samples: [String: Double] = [:]
  private(set) var faults: [String] = []

  init(_ text: String) {
    var (current, helped): (String?, Set<String>) = (nil, [])
    if !text.hasSuffix("\n") { faults.append("the last line does not end") }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
      if line.hasPrefix("# HELP ") {
        if !helped.insert(words[2]).inserted { faults.append("help twice: \(line)") }
        if words.count < 4 || words[3].isEmpty { faults.append("no help: \(line)") }
      } else if line.hasPrefix("# TYPE ") {
        current = words[2]
        if kinds.updateValue(words[3], forKey: words[2]) != nil { faults.append("type twice: \(line)") }
        if (words[3] == "counter") != words[2].hasSuffix("_total") {
          faults.append("name of a counter: \(line)")
        }
      } else {
        read(String(line), current)
      }
    }
    faults += Set(kinds.keys).symmetricDifference(helped).map { "help and type do not match: \($0)" }
    checkHistograms()
  }

  private mutating func read(_ line: String, _ current: String?) {
    let label = #"[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*""#
    let form = "^([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{\(label)(?:,\(label))*\\})? (-?[0-9.e+-]+|NaN|[+-]Inf)$"
    guard let match = line.range(of: form, options: .regularExpression),
      match == line.startIndex..<line.endIndex,
      let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...])
    else { return faults.append("no sample: \(line)") }
    let series = String(line[..<space])
    let name = String(series.prefix { $0 != "{" })
    let isPart =
      kinds[current ?? ""] == "histogram"
      && ["_bucket", "_sum", "_count"].contains { name == (current ?? "") + $0 }
    if name != current && !isPart { faults.append("stands under another name: \(line)") }
    if samples.updateValue(value, forKey: series) != nil { faults.append("twice: \(line)") }
  }

  private mutating func checkHistograms() {
    for (series, count) in samples
    where kinds.contains(where: { $0.value == "histogram" && series.hasPrefix($0.key + "_count") }) {
      let bucket = series.replacingOccurrences(of: "_count", with: "_bucket")
      let all = bucket.hasSuffix("}") ? bucket.dropLast() + #",le="+Inf"}"# : bucket + #"{le="+Inf"}"#
      if samples[String(all)] != count { faults.append("the last bucket is not the count: \(series)") }
    }
  }
}

@Suite struct MetricsTests {
  private func promtool(_ text: String) throws -> (status: Int32, output: String)? {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/promtool") else { return nil }
    let (input, output) = (Pipe(), Pipe())
    let process = try ChildProgram(
      "/usr/bin/promtool", ["check", "metrics"], input: input, output: output, error: output)
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: said, as: UTF8.self))
  }

  private func expectGood(_ text: String) throws {
    #expect(MetricsPageReader(text).faults.isEmpty, "\(MetricsPageReader(text).faults)")
    if let (status, output) = try promtool(text) { #expect(status == 0, "\(output)") }
  }

  @Test func whatIsCountedIsToldAsPrometheusReadsIt() throws {
    let registry = MetricRegistry([
      MetricDescription("a_total", #"With "quotes", \ and a"# + "\nnew line."),
      MetricDescription("b_seconds", "Times.", bounds: [0.1, 1]),
      MetricDescription("c", "Now."),
    ])
    let wild = "wild \"label\" \\ with\nlines and 👩‍👩‍👧"
    CoreMetrics.Counter(label: "a_total", dimensions: [("route", wild)], factory: registry).increment(by: 3)
    CoreMetrics.Counter(label: "a_total", dimensions: [("route", wild)], factory: registry).increment(by: 4)
    let timer = Timer(
      label: "b_seconds", dimensions: [("x", "y")], preferredDisplayUnit: .seconds, factory: registry)
    for milliseconds in [50, 100, 500, 5000] { timer.recordMilliseconds(milliseconds) }
    let gauge = Meter(label: "c", factory: registry)
    gauge.set(5)
    gauge.decrement(by: 7.5)
    let text = registry.text()
    try expectGood(text)
    let page = MetricsPageReader(text)
    #expect(page.samples.first { $0.key.hasPrefix("a_total") }?.value == 7)
    #expect(page.samples[#"b_seconds_bucket{x="y",le="0.1"}"#] == 2)
    #expect(page.samples[#"b_seconds_bucket{x="y",le="1"}"#] == 3)
    #expect(page.samples[#"b_seconds_bucket{x="y",le="+Inf"}"#] == 4)
    #expect(page.samples[#"b_seconds_sum{x="y"}"#] == 5.65)
    #expect(page.samples["c"] == -2.5)
  }

  @Test func wildLabelsDoNotFillMemory() throws {
    let registry = MetricRegistry()
    for number in 0..<5000 {
      CoreMetrics.Counter(
        label: "clipfeed_rate_limited_total", dimensions: [("class", "\(number)")], factory: registry
      )
      .increment()
    }
    let page = MetricsPageReader(registry.text())
    #expect(page.samples.count == MetricRegistry.seriesOfAName + 1)
    #expect(page.samples[#"clipfeed_rate_limited_total{class="other"}"#] == 4000)
    #expect(page.samples.values.reduce(0, +) == 5000)
  }

  @Test func countsOfManyThreadsAreExact() async {
    let registry = MetricRegistry()
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask {
          for _ in 0..<100 {
            CoreMetrics.Counter(label: "clipfeed_live_events_total", factory: registry).increment()
          }
        }
      }
    }
    #expect(MetricsPageReader(registry.text()).samples["clipfeed_live_events_total"] == 10_000)
  }

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
    try expectGood(text)
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
    #expect(!text.lowercased().contains("secret"))
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
    try expectGood(text)
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

  @Test func aSourceThatHangsIsSaidToAndHoldsNothingUp() async throws {
    let registry = MetricRegistry()
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let exporter = MetricExporter(
      registry,
      sources: [
        MetricSource("hangs") {
          for await _ in gate {}
          return []
        },
        MetricSource("works") { [MetricSample("clipfeed_cache_up", [], 1)] },
        MetricSource("fails") { throw AppError(.unavailable) },
      ])
    let text = await exporter.text()
    open.finish()
    try expectGood(text)
    let samples = MetricsPageReader(text).samples
    #expect(samples[#"clipfeed_source_up{source="hangs"}"#] == 0)
    #expect(samples[#"clipfeed_source_up{source="works"}"#] == 1)
    #expect(samples[#"clipfeed_source_up{source="fails"}"#] == 0)
    #expect(samples["clipfeed_cache_up"] == 1)
    #expect(samples["process_resident_memory_bytes"] ?? 0 > 1_000_000)
    #expect(samples["process_open_fds"] ?? 0 > 2)
    #expect(samples["process_start_time_seconds"] ?? 0 > 1_600_000_000)
  }

  @Test func theManualNamesEveryMetric() throws {
    let manual = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../docs/operate.md").standardizedFileURL, encoding: .utf8)
    for description in MetricDescription.all where description.name.hasPrefix("clipfeed_") {
      #expect(manual.contains("`\(description.name)`"), "\(description.name)")
    }
  }
}

@Suite struct LogTests {
  private func lines(_ format: LogLines.Format, _ say: (Logger) -> Void) -> [String] {
    let held = Mutex<[String]>([])
    say(
      Logger(label: "test") { label in
        LogLines(label, format: format, level: .info) { line in held.withLock { $0.append(line) } }
      })
    return held.withLock { $0 }
  }

  @Test func aLineOfJSONIsOneObjectWhateverIsSaid() throws {
    let wild = "a \"quote\" \\ a\nline\r\t\u{1}\u{2028}👩‍👩‍👧"
    let lines = lines(.json) { $0.warning("\(wild)", metadata: ["request": "abc-1", "time": "\(wild)"]) }
    #expect(lines.count == 1 && !lines[0].contains("\n"))
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: String])
    #expect(object["message"] == wild)
    #expect(object["time_"] == wild)
    #expect(object["level"] == "warning")
    #expect(object["request"] == "abc-1")
    #expect(lines.allSatisfy { $0.contains(#""label":"test""#) })
  }

  @Test func aLineOfTextIsOneLine() {
    #expect(!lines(.text) { $0.warning("a\nb", metadata: ["x": "c\nd"]) }[0].contains("\n"))
  }

  @Test(arguments: [
    ("GET /api/v1/feed?cursor=s3cret", "GET /api/v1/feed?…"),
    ("at redis://me:s3cret@host:1/0", "at redis://…@host:1/0"),
    ("/sealed/clip/123-s3cret/x.mp4", "/sealed/…/x.mp4"),
    ("/api/v1/uploads/s3cret/commit", "/api/v1/uploads/…/commit"),
    ("/api/v1/password-resets/s3cret", "/api/v1/password-resets/…"),
    ("Authorization: Bearer s3cret", "Authorization: Bearer …"),
    ("g1.01890a5d-ac96-774b-bcce-b302099a8057.5ec3e7", "…"), ("eyJhbGciOi.eyJzdWIiOi.s3cret-s3cret", "…"),
    (#"{"password":"s3cret","a":1}"#, #"{"password":"…","a":1}"#), ("password=s3cret&x=1", "password=…&x=1"),
    ("Cookie: clipfeed_guest=s3cret; a=b", "Cookie: …"),
    ("https://bucket/x.mp4?X-Amz-Signature=s3cret", "https://bucket/x.mp4?…"),
    ("is it here? yes", "is it here? yes"),
    ("the clip 01890a5d is 12.5 MB", "the clip 01890a5d is 12.5 MB"),
  ])
  func secretsAreCut(_ said: String, _ written: String) {
    let line = lines(.json) { $0.info("said", metadata: ["x": "\(said)"]) }[0]
    #expect(Redaction.clean(said) == written)
    #expect(!line.contains("s3cret") && !line.contains("5ec3e7"))
  }
}
