import Contract
import Platform
import Testing

@testable import Gateway

@Suite struct FirstPagesTests {
  @Test func failuresAreNotKept() async throws {
    struct Broken: FeedReading {
      func text(cursor: String?, limit: Int, for viewer: String?) async throws -> EncodedFeedPage {
        throw AppError(.unavailable)
      }
      func clip(id: String, forOwner isOwner: Bool, for viewer: String?) async throws -> Clip {
        throw AppError(.unavailable)
      }
      func tagged(_ name: String, cursor: String?, limit: Int) async throws -> TaggedClips {
        throw AppError(.unavailable)
      }
    }
    let pages = FirstPages(feed: Broken(), changes: FeedChanges(), cache: nil)
    for _ in 0..<2 { await #expect(throws: AppError.self) { try await pages.page(5) } }
  }
}
