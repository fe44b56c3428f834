import CoreMetrics
import Foundation
import Hummingbird
import NIOCore
import Platform
import Synchronization
import Testing

@testable import HTTPServer
@testable import Measuring
@testable import PlatformTesting

/// What is told of whatever holds up everybody. The only clock in it is a lower end: a busy machine makes
/// things later, never earlier.
@Suite struct HoldTests {
  private static let hold = 0.06

  private func samples(_ registry: MetricRegistry) -> [String: Double] {
    MetricsPageReader(registry.text()).samples
  }

  @Test func aLoopThatIsHeldIsLateBySoMuch() async throws {
    let registry = MetricRegistry()
    let group = EventLoopGroupProvider.singleton.eventLoopGroup
    let watch = LoopDelays(registry).watch(group)
    defer { watch.end() }
    try await eventually("it ticks") { samples(registry)["clipfeed_loop_delay_seconds_count"] ?? 0 > 2 }
    try await group.next().submit { Thread.sleep(forTimeInterval: Self.hold) }.get()
    // Whenever it began, one tick at least was due before the rest of it.
    let highest = Mutex(0.0)
    try await eventually("it is seen") {
      let now = samples(registry)["clipfeed_loop_delay_max_seconds"] ?? 0
      return highest.withLock { highest in
        highest = max(highest, now)
        return highest > Self.hold / 2
      }
    }
  }

  @Test func aLoopIsLookedAtNoMoreWhenTheWatchIsOver() async throws {
    let registry = MetricRegistry()
    let group = EventLoopGroupProvider.singleton.eventLoopGroup
    let watch = LoopDelays(registry).watch(group)
    watch.end()
    func count() -> Double { samples(registry)["clipfeed_loop_delay_seconds_count"] ?? 0 }
    func past() async throws {
      for loop in group.makeIterator() {
        try await loop.scheduleTask(in: LoopDelays.interval * 20) {}.futureResult.get()
      }
    }
    // What was on its way when the watch ended, and nothing behind it.
    try await past()
    let last = count()
    #expect(last >= Double(group.makeIterator().reduce(0) { count, _ in count + 1 }))
    try await past()
    #expect(count() == last)
  }

  @Test func thePeakIsTheHighestAndBeginsAnewWhenItWasTold() {
    let registry = MetricRegistry([MetricDescription("p", "Peak.", isPeak: true)])
    let recorder = Recorder(label: "p", aggregate: false, factory: registry)
    for value in [1.0, 7.5, 2] { recorder.record(value) }
    #expect(samples(registry)["p"] == 7.5)
    #expect(samples(registry)["p"] == 0)
    recorder.record(3.0)
    #expect(samples(registry)["p"] == 3)
  }
}
