import Contract
import CoreMetrics
import Foundation
import Platform
import Testing

@testable import Measuring
@testable import PlatformTesting

@Suite struct MetricsTests {
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
    try MetricsPageReader.expectGood(text)
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
    try MetricsPageReader.expectGood(text)
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
      contentsOf: Repository.file("docs/operate.md"), encoding: .utf8)
    for description in MetricDescription.all where description.name.hasPrefix("clipfeed_") {
      #expect(manual.contains("`\(description.name)`"), "\(description.name)")
    }
  }
}
