import CoreTesting
import Prefetch
import Testing

/// The web client has the core's numbers by the core's names.
@Suite struct ClientValuesTests {
  @Test func ofDownloads() throws {
    let values = try ClientValues.numbers("REASON", in: "core/core.js")
    #expect(values == ClientValues.numbers(of: Prefetch.FailureReason.self))
  }
}
