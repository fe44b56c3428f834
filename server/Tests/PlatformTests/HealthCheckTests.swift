import Contract
import Testing

@testable import Platform
@testable import PlatformTesting

@Suite struct HealthCheckTests {
  @Test func aPartThatHangsIsNoAnswerInTimeAndHoldsNothingUp() async throws {
    let checks = HealthChecks(patience: .milliseconds(50))
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let hanging: @Sendable () async throws -> Void = { for await _ in gate {} }
    #expect(await checks.result(of: "storage", hanging) == .slow)
    // It is not asked a second time while the first call hangs.
    #expect(await checks.result(of: "storage") { Issue.record("asked again") } == .slow)
    open.finish()
    try await eventually("it never recovers") { await checks.result(of: "storage") {} == .good }
    #expect(await checks.result(of: "storage") { throw AppError(.storageFull) } != .good)
  }
}
