public import Contract
public import Platform

/// What a viewer has marked, newest first. A cursor belongs to one list of one viewer.
extension SocialStore {
  /// Marks that are looked at with one statement, at most.
  private static let widest = 256
  /// Marks that are looked at for one page that anybody may ask for, however few of their clips can be seen.
  /// A page that is short then says where to go on.
  static let looked = 2048

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

  /// Clips that somebody likes, as others are shown them: public ones alone, since the link of an unlisted
  /// one is not theirs to pass on. Whether they are shown at all is for whoever asks to look at first.
  /// `viewer`: nil for somebody of whom nothing is known. Throws `invalid_cursor`.
  public func publicLikes(
    of person: String, cursor: String?, limit: Int, for viewer: String?
  ) async throws -> EncodedFeedPage {
    let found = try await found(
      .likes, of: person, in: "public likes/\(person)", cursor, limit, looked: Self.looked
    ) { [telling] in
      try telling.encoded($0, likedBy: person, for: viewer, in: $1)
    }
    return EncodedFeedPage(items: found.items, nextCursor: found.cursor)
  }

  func authors(
    _ marks: MarkTable, of viewer: String, _ cursor: String?, _ limit: Int, isWithGuests: Bool = false
  ) async throws -> AuthorPage {
    try await page(marks, of: viewer, in: Self.list(marks, viewer), cursor, limit) { ids, transaction in
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
    try await page(marks, of: viewer, in: Self.list(marks, viewer), cursor, limit) { [telling] in
      try telling.clips($0, for: viewer, in: $1)
    }
  }

  /// What cursors of somebody's own list belong to.
  private static func list(_ marks: MarkTable, _ viewer: String) -> String { "\(marks.table)/\(viewer)" }

  private func page<Item: Codable & Sendable & Equatable>(
    _ marks: MarkTable, of viewer: String, in list: String, _ cursor: String?, _ limit: Int,
    _ items: @escaping @Sendable ([String], any Transaction) throws -> [String: Item]
  ) async throws -> Page<Item> {
    let found = try await found(marks, of: viewer, in: list, cursor, limit, looked: .max, items)
    return Page(items: found.items, nextCursor: found.cursor)
  }

  /// `list`: what its cursors belong to. `most`: how many marks are looked at.
  private func found<Item: Sendable>(
    _ marks: MarkTable, of viewer: String, in list: String, _ cursor: String?, _ limit: Int,
    looked most: Int, _ items: @escaping @Sendable ([String], any Transaction) throws -> [String: Item]
  ) async throws -> (items: [Item], cursor: String?) {
    let codec = CursorCodec(keys: cursorKeys, list: list)
    let start: String? = try cursor.map {
      guard case .words(let place) = try codec.place(of: $0) else { throw AppError(.invalidCursor) }
      return place
    }
    let (found, rest) = try await database.read { transaction in
      var found: [(item: Item, place: String)] = []
      var place = start
      var (width, looked) = (limit + 1, 0)
      // What cannot be seen any more leaves room, which the next ones take.
      while found.count <= limit, looked < most {
        let some = try marks.page(of: viewer, below: place, limit: width, in: transaction)
        place = some.last?.place
        guard place != nil else { break }
        let byID = try items(some.map(\.subject), transaction)
        found += some.compactMap { mark in byID[mark.subject].map { ($0, mark.place) } }
        looked += some.count
        // Fewer than asked for: that was the end.
        if some.count < width {
          place = nil
          break
        }
        width = min(width * 2, Self.widest)
      }
      return (found, place)
    }
    let shown = found.prefix(limit)
    let next = found.count > limit ? shown.last?.place : rest
    return (shown.map(\.item), next.map { codec.token($0) })
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
