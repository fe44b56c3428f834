public import Contract
internal import Platform

/// Which comments wait until whoever made the clip has looked, and who may write there at all
/// (docs/design/comment-filters.md).
extension CommentStore {
  static let filtersMigration = Migration(
    "0055_comment_filters",
    [
      // `words`: a line each. No row: everything stands at once.
      """
      CREATE TABLE comment_filters (
          author_id TEXT PRIMARY KEY, words TEXT NOT NULL, holds_links BIGINT NOT NULL, followers_only BIGINT NOT NULL)
      """,
      // What waits is removed for whoever reads, and has a row here. `author_id`: for whom it waits;
      // `reply_to`: which comment or reply was answered.
      """
      CREATE TABLE held_comments (
          comment_id TEXT PRIMARY KEY, clip_id TEXT NOT NULL REFERENCES clips (id) ON DELETE CASCADE,
          author_id TEXT NOT NULL, writer_viewer_id TEXT, parent_id TEXT, reply_to TEXT, reason TEXT NOT NULL, word TEXT)
      """,
      "CREATE INDEX held_comments_of_clip ON held_comments (clip_id)",
      "CREATE INDEX held_comments_in_order ON held_comments (author_id, comment_id)",
      "CREATE INDEX held_comments_of_writer ON held_comments (writer_viewer_id, clip_id, comment_id)",
      "CREATE INDEX held_comments_in_thread ON held_comments (parent_id) WHERE parent_id IS NOT NULL",
    ])

  public func filters(of account: String) async throws -> CommentFilters {
    try await database.read { try filters(of: account, in: $0) ?? CommentFilters() }
  }

  /// In the place of those that there were, for what is written from now on. Each word is kept once, and none
  /// that says nothing.
  public func change(_ new: CommentFilters, of account: String) async throws -> CommentFilters {
    let filters = Self.clean(new)
    try await database.write { transaction in
      try transaction.execute(
        """
        INSERT INTO comment_filters (author_id, words, holds_links, followers_only) VALUES (?, ?, ?, ?)
        ON CONFLICT (author_id) DO UPDATE SET words = excluded.words, holds_links = excluded.holds_links,
            followers_only = excluded.followers_only
        """,
        [
          .text(account), .text(filters.words.joined(separator: "\n")), .integer(filters.holdLinks ? 1 : 0),
          .integer(filters.followersOnly ? 1 : 0),
        ])
    }
    return filters
  }

  static func clean(_ filters: CommentFilters) -> CommentFilters {
    var known: Set<[UInt8]> = []
    var clean = filters
    clean.words = filters.words.prefix(Limits.filterWords).map(PlainText.line).filter { word in
      WordFilter.key(of: word).map { known.insert($0).inserted } ?? false
    }
    return clean
  }

  /// Nil: the account has none.
  func filters(of account: String, in transaction: any Transaction) throws -> CommentFilters? {
    try transaction.query("SELECT * FROM comment_filters WHERE author_id = ?", [.text(account)]).first.map {
      CommentFilters(
        words: try $0.text("words").split(atByte: UInt8(ascii: "\n")).map(String.init),
        holdLinks: try $0.integer("holds_links") == 1, followersOnly: try $0.integer("followers_only") == 1)
    }
  }

  /// Why a comment waits.
  struct Hold: Sendable, Equatable {
    var reason: HeldReason
    var word: String?
  }

  /// For whom a comment would wait, and their filters. `creator`: nil for one's own clip, where nothing is
  /// caught. Throws `links_not_yet`, `clip_not_found` and `author_blocked`.
  func looked(
    _ text: String, on clipID: String, by writer: String?, isGuest: Bool
  ) async throws -> (creator: Creator?, filters: CommentFilters?) {
    try await database.read { transaction in
      let creator = try requireVisible(clipID, to: writer, in: transaction)
      try siteRules.requireNoLinks(in: text, of: writer, isGuest: isGuest, at: time, in: transaction)
      guard creator != writer else { return (nil, nil) }
      let hasName = try !withNames([creator], in: transaction).isEmpty
      return (Creator(hasName: hasName), try filters(of: creator, in: transaction))
    }
  }

  struct Creator: Sendable {
    /// Guests share one name, and nobody could let in what waits for that.
    var hasName: Bool
  }

  /// Nil: it stands at once. NB: before the transaction that writes, since looking takes a moment. Throws
  /// `text_refused` for what would have to wait where nobody can let it in.
  func hold(of text: String, by filters: CommentFilters?, for creator: Creator) throws -> Hold? {
    if let filters {
      if let index = WordFilter(filters.words).first(in: text) {
        return Hold(reason: .word, word: filters.words[index])
      }
      if filters.holdLinks, WrittenLinks.areIn(text) { return Hold(reason: .link) }
    }
    guard siteRules.isHeld(text) else { return nil }
    guard creator.hasName else { throw AppError(.textRefused, field: "text") }
    return Hold(reason: .site)
  }

  /// Throws `comments_for_followers`.
  func requireFollower(
    _ writer: String?, of creator: String, in transaction: any Transaction
  ) throws {
    let isFollower =
      try writer.map { try follows.followed(by: $0, among: [creator], in: transaction).contains(creator) }
      ?? false
    guard isFollower else { throw AppError(.commentsForFollowers) }
  }
}
