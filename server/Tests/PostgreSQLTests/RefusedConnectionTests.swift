import Platform
import Testing

@testable import PostgreSQL

@Suite struct RefusedConnectionTests {
  @Test func whoIsRefusedIsToldWhatWasDemanded() async throws {
    // Another machine as far as its address says, which is where nobody listens.
    let address = try PostgreSQLAddress("postgres://ann@192.0.2.1:1/x?connect_timeout=2")
    let error = await #expect(throws: AppError.self) { try await PostgreSQLDatabase.reach(address) }
    #expect(error?.detail?.contains("sslmode is verify-full unless the address says") == true)
  }
}
