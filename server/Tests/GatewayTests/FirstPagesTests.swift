import Contract
import Platform
import Testing

@testable import Gateway

@Suite struct FirstPagesTests {
  @Test func failuresAreNotKept() async throws {
    let pages = FirstPages("feed", changes: FeedChanges(), cache: nil) { _ in throw AppError(.unavailable) }
    for _ in 0..<2 { await #expect(throws: AppError.self) { try await pages.page(5) } }
  }
}
