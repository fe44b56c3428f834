import Contract
import NIOCore
import Platform
import Testing

@testable import Gateway
@testable import PlatformTesting

@Suite struct FirstPagesTests {
  @Test func failuresAreNotKept() async throws {
    let pages = FirstPages("feed", changes: FeedChanges(), cache: nil) { _, _ in
      throw AppError(.unavailable)
    }
    for _ in 0..<2 { await #expect(throws: AppError.self) { try await pages.page(5) } }
  }

  /// Pages that say in whose language they are, and how often one was made.
  private func pages(_ time: TestTime = TestTime()) -> (pages: FirstPages, made: Shared<Int>) {
    let made = Shared(0)
    let pages = FirstPages("for you", changes: FeedChanges(), cache: nil, time: time) { limit, language in
      made.with { $0 += 1 }
      return EncodedFeedPage(items: [], nextCursor: "\(limit) \(language ?? "any")")
    }
    return (pages, made)
  }

  @Test func eachLanguageHasOneOfItsOwn() async throws {
    let (pages, made) = pages()
    for _ in 0..<2 {
      for (limit, language) in [(5, nil), (5, "de"), (5, "en"), (6, "de")] as [(Int, String?)] {
        let page = try await pages.page(limit, in: language)
        let text = String(decoding: page.plain.readableBytesView, as: UTF8.self)
        #expect(text.contains(#""next_cursor":"\#(limit) \#(language ?? "any")""#))
      }
    }
    #expect(made.with { $0 } == 4)
  }

  @Test func onlySoManyAreKept() async throws {
    let time = TestTime()
    let (pages, made) = pages(time)
    let asked = FirstPages.most + 10
    for _ in 0..<2 {
      for limit in 0..<asked { _ = try await pages.page(limit, in: "de") }
    }
    #expect(made.with { $0 } == asked + 10)
    // Those that are old make room.
    time.advance(ms: FirstPages.keptMs)
    for _ in 0..<2 { _ = try await pages.page(asked, in: "de") }
    #expect(made.with { $0 } == asked + 11)
  }
}
