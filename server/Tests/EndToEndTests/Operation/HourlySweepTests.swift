import Platform
import Testing

@testable import Composition
@testable import Maintenance
@testable import PlatformTesting
@testable import ServerTesting

/// When what nothing refers to is looked for.
@Suite(.everyEngine) struct HourlySweepTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: 1_700_000_000_000)

  init() async throws { bench = try await TestInstance() }

  private func isDue() async throws -> Bool {
    try await HourlySweep(database: bench.instance.database, time: clock, sweep: {}).isDue()
  }

  @Test func oneOfAllWhoAskWithinAnHourDoesIt() async throws {
    #expect(try await isDue())
    #expect(try await isDue() == false)
    // Another machine's clock.
    clock.advance(ms: -5000)
    #expect(try await isDue() == false)
    clock.advance(ms: 5000 + BlobSweep.graceMs)
    #expect(try await isDue())
  }

  /// A clock that was ahead once would keep everybody from it until that time comes.
  @Test(arguments: [Int64(1_800_000_000_000), .max, .min])
  func aTimeThatCannotBeKeepsNobodyFromIt(_ sweptMs: Int64) async throws {
    try await bench.instance.database.write {
      try Settings.set("swept_at_ms", to: "\(sweptMs)", in: $0)
    }
    #expect(try await isDue())
    #expect(try await isDue() == false)
  }
}
