public import Contract
public import Platform

/// What a viewer has marked, newest first. A cursor belongs to one list of one viewer.
extension SocialStore {
  /// Marks that are looked at with one statement, at most.
  private static let widest = 256

  /// Clips that cannot be seen any more are left out. Throws `invalid_cursor`.
  public func likes(of viewer: String, cursor: String?, limit: Int) async throws -> FeedPage {
    try await clips(MarkTable.likes, of: viewer, cursor, limit)
  }

  public func bookmarks(of viewer: String, cursor: String?, limit: Int) async throws -> FeedPage {
    try await clips(MarkTable.bookmarks, of: viewer, cursor, limit)
  }

  public func following(of viewer: String, cursor: String?, limit: Int) async throws -> AuthorPage {
    try await authors(MarkTable.follows, of: viewer, cursor, limit)
  }

  func authors(
    _ marks: MarkTable, of viewer: String, _ cursor: String?, _ limit: Int, isWithGuests: Bool = false
  ) async throws -> AuthorPage {
    try await page(marks, of: viewer, cursor, limit) { ids, transaction in
      let list = SQLList(ids)
      let rows = try transaction.query(
        "SELECT id, handle, name, picture FROM authors WHERE id IN \(list.marks)", list.values)
      let found = try rows.reduce(into: [String: Author]()) { authors, row in
        let id = try row.text("id")
        authors[id] = try row.author(id)
      }
      guard isWithGuests else { return found }
      return found.merging(ids.map { ($0, Author.guest($0)) }) { known, _ in known }
    }
  }

  private func clips(
    _ marks: MarkTable, of viewer: String, _ cursor: String?, _ limit: Int
  ) async throws -> FeedPage {
    try await page(marks, of: viewer, cursor, limit) { [telling] in
      try telling.clips($0, for: viewer, in: $1)
    }
  }

  private func page<Item: Codable & Sendable & Equatable>(
    _ marks: MarkTable, of viewer: String, _ cursor: String?, _ limit: Int,
    _ items: @escaping @Sendable ([String], any Transaction) throws -> [String: Item]
  ) async throws -> Page<Item> {
    let codec = CursorCodec(keys: cursorKeys, list: "\(marks.table)/\(viewer)")
    let start: String? = try cursor.map {
      guard case .words(let place) = try codec.place(of: $0) else { throw AppError(.invalidCursor) }
      return place
    }
    let found = try await database.read { transaction in
      var found: [(item: Item, place: String)] = []
      var place = start
      var width = limit + 1
      // What cannot be seen any more leaves room, which the next ones take.
      while found.count <= limit {
        let some = try marks.page(of: viewer, below: place, limit: width, in: transaction)
        guard let last = some.last else { break }
        let byID = try items(some.map(\.subject), transaction)
        found += some.compactMap { mark in byID[mark.subject].map { ($0, mark.place) } }
        place = last.place
        if some.count < width { break }
        width = min(width * 2, Self.widest)
      }
      return found
    }
    let shown = found.prefix(limit)
    let next = found.count > limit ? shown.last.map { codec.token($0.place) } : nil
    return Page(items: shown.map(\.item), nextCursor: next)
  }
}

extension SocialStore: ViewerMerging {
  public func merge(_ guest: String, into account: String, in transaction: any Transaction) throws {
    let both = try MarkTable.likes.merge(guest, into: account, in: transaction)
    try count(both.map { .init($0, .likes, by: -1) }, of: .clips, in: transaction)
    let saved = try MarkTable.bookmarks.merge(guest, into: account, in: transaction)
    try count(saved.map { .init($0, .bookmarks, by: -1) }, of: .reach, in: transaction)
    var less = try MarkTable.follows.merge(guest, into: account, in: transaction)
    // The guest may have followed who it turns out to be.
    if try MarkTable.follows.remove(account, of: account, in: transaction) { less.append(account) }
    try count(less.map { .init($0, .followers, by: -1) }, of: .authors, in: transaction)
    try mergeBlocks(guest, into: account, in: transaction)
    try transaction.execute(
      "UPDATE shares SET viewer_id = ? WHERE viewer_id = ?", [.text(account), .text(guest)])
  }
}

extension SocialStore: ViewerErasing {
  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    let liked = try MarkTable.likes.removeAll(of: viewer, in: transaction)
    try count(liked.map { .init($0, .likes, by: -1) }, of: .clips, in: transaction)
    let saved = try MarkTable.bookmarks.removeAll(of: viewer, in: transaction)
    try count(saved.map { .init($0, .bookmarks, by: -1) }, of: .reach, in: transaction)
    let followed = try MarkTable.follows.removeAll(of: viewer, in: transaction)
    try count(followed.map { .init($0, .followers, by: -1) }, of: .authors, in: transaction)
    // Whoever followed the account that goes follows nobody with its id.
    try transaction.execute("DELETE FROM follows WHERE author_id = ?", [.text(viewer)])
    try eraseBlocks(viewer, in: transaction)
    // A share stays counted, like the view of a clip: it happened. It is nobody's any more.
    try transaction.execute("UPDATE shares SET viewer_id = '' WHERE viewer_id = ?", [.text(viewer)])
  }
}
