import Accounts
import Contract
import Foundation
import Platform
import Social
import Testing

@testable import Comments
@testable import Composition
@testable import ServerTesting

/// A clip under which somebody wrote thousands of comments whom the viewer does not see.
@Suite(.everyEngine) struct CrowdedCommentTests {
  @Test func aPageLooksAtSoManyCommentsAndSaysWhereToGoOn() async throws {
    let bench = try await TestInstance()
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    func sign(_ handle: String) async throws -> String {
      try await accounts.signUp(NewAccount(handle), guest: nil, client: "").account.id
    }
    let (viewer, loud, quiet) = (try await sign("viewer"), try await sign("loud"), try await sign("quiet"))
    let clip = try await bench.publishBare("clip")
    _ = try await bench.instance.social(.open).block(loud, by: viewer)
    let comments = try await bench.instance.comments(.open)
    let first = try await comments.add("first", to: clip, by: quiet, idempotencyKey: "the-first")
    let many = CommentStore.looked * 2
    try await bench.instance.database.write { transaction in
      for number in 2..<(2 + many) {
        try transaction.execute(
          """
          INSERT INTO comments (id, number, clip_id, text, idempotency_key, created_at_ms, author_id)
          VALUES (?, ?, ?, 'loud', ?, 0, ?)
          """,
          [.text("id\(number)"), SQLValue(number), .text(clip), .text("key\(number)"), .text(loud)])
      }
    }
    let last = try await comments.add("last", to: clip, by: quiet, idempotencyKey: "the-last")
    var cursor: String?
    var pages: [[String]] = []
    repeat {
      let page = try await comments.page(of: clip, cursor: cursor, limit: 10, for: viewer)
      pages.append(page.items.map(\.id))
      cursor = page.nextCursor
    } while cursor != nil && pages.count < 20
    // No page walked through all of them, and nothing was left out on the way.
    #expect(pages.count > 1)
    #expect(pages.flatMap { $0 } == [last.id, first.id])
    // Whoever sees them all has full pages.
    let full = try await comments.page(of: clip, cursor: nil, limit: 10, for: quiet)
    #expect(full.items.count == 10 && full.nextCursor != nil)
  }
}
