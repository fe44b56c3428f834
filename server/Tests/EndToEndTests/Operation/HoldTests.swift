import Foundation
import Platform
import Testing

@testable import Composition
@testable import Measuring
@testable import PlatformTesting
@testable import ServerTesting

/// What is told of whatever holds up everybody. The only clock in it is a lower end: a busy machine makes
/// things later, never earlier.
@Suite struct HoldTests {
  private static let hold = 0.06

  private func samples(_ registry: MetricRegistry) -> [String: Double] {
    MetricsPageReader(registry.text()).samples
  }

  @Test(.everyEngine) func aTransactionThatHoldsTheWriterIsTimedByItself() async throws {
    let bench = try await TestInstance()
    let registry = MetricRegistry()
    let database = ObservedDatabase(bench.instance.database, observer: DatabaseMetrics(registry))
    try await database.write { transaction in
      _ = try transaction.query("SELECT 1 AS one")
      Thread.sleep(forTimeInterval: Self.hold)
    }
    let told = samples(registry)
    #expect(told[#"clipfeed_database_held_max_seconds{kind="write"}"#] ?? 0 >= Self.hold)
    #expect(told[#"clipfeed_database_held_seconds_bucket{kind="write",le="0.05"}"#] == 0)
    #expect(told[#"clipfeed_database_held_seconds_count{kind="write"}"#] == 1)
    _ = try await database.read { try $0.query("SELECT 1 AS one").count }
    let later = samples(registry)
    #expect(later[#"clipfeed_database_held_max_seconds{kind="write"}"#] == 0, "it is told once")
    #expect(later[#"clipfeed_database_held_seconds_count{kind="read"}"#] == 1)
  }
}
