public import Contract
public import Platform

/// Who has blocked whom. A row is one viewer's wish; what follows from it holds for both.
public struct Blocks: BlockChecking {
  static let marks = MarkTable(table: "blocks", subject: "author_id")

  static let migrations = [
    Migration(
      "0021_blocks",
      MarkTable.statements("blocks", of: "author_id")
        // From the other end, for whoever was blocked.
        + ["CREATE UNIQUE INDEX blocks_of_author ON blocks (author_id, viewer_id)"])
  ]

  public init() {}

  public func hasAnyBlock(_ viewer: String, in transaction: any Transaction) throws -> Bool {
    try !transaction.query(
      """
      SELECT 1 AS n WHERE EXISTS (SELECT 1 FROM blocks WHERE viewer_id = ?)
      OR EXISTS (SELECT 1 FROM blocks WHERE author_id = ?)
      """, [.text(viewer), .text(viewer)]
    ).isEmpty
  }

  public func blocked(
    from viewer: String, among authors: [String], in transaction: any Transaction
  ) throws -> Set<String> {
    guard !authors.isEmpty else { return [] }
    let list = SQLList(authors)
    let rows = try transaction.query(
      """
      SELECT author_id AS id FROM blocks WHERE viewer_id = ? AND author_id IN \(list.marks)
      UNION ALL
      SELECT viewer_id FROM blocks WHERE author_id = ? AND viewer_id IN \(list.marks)
      """, [.text(viewer)] + list.values + [.text(viewer)] + list.values)
    return Set(try rows.map { try $0.text("id") })
  }

  public func requireNotBlocked(
    _ viewer: String, _ author: String, else missing: ErrorCode, in transaction: any Transaction
  ) throws {
    let rows = try transaction.query(
      """
      SELECT viewer_id FROM blocks WHERE viewer_id = ? AND author_id = ?
      UNION ALL
      SELECT viewer_id FROM blocks WHERE viewer_id = ? AND author_id = ?
      """, [.text(viewer), .text(author), .text(author), .text(viewer)])
    guard !rows.isEmpty else { return }
    let isOwn = try rows.contains { try $0.text("viewer_id") == viewer }
    throw AppError(isOwn ? .authorBlocked : missing)
  }
}

extension SocialStore {
  /// What the two followed of each other ends. Throws `author_not_found` and `block_oneself`.
  public func block(_ author: String, by viewer: String) async throws -> BlockState {
    guard author != viewer else { throw AppError(.blockOneself) }
    return try await database.write { transaction in
      try transaction.lock(between: author, and: viewer)
      try requireBlockable(author, by: viewer, in: transaction)
      if try Blocks.marks.add(author, of: viewer, at: time, in: transaction) {
        try part(viewer, author, in: transaction)
        try part(author, viewer, in: transaction)
      }
      return BlockState(blocked: true)
    }
  }

  /// Throws `author_not_found`. What ended does not come back.
  public func unblock(_ author: String, by viewer: String) async throws -> BlockState {
    try await database.write { transaction in
      if try !Blocks.marks.remove(author, of: viewer, in: transaction) {
        try requireBlockable(author, by: viewer, in: transaction)
      }
      return BlockState(blocked: false)
    }
  }

  public func blocks(of viewer: String, cursor: String?, limit: Int) async throws -> AuthorPage {
    try await authors(Blocks.marks, of: viewer, cursor, limit, isWithGuests: true)
  }

  /// An author, or a guest who has written to the viewer.
  private func requireBlockable(
    _ author: String, by viewer: String, in transaction: any Transaction
  ) throws {
    if try correspondence?.haveWritten(author, viewer, in: transaction) == true { return }
    try requireAuthor(author, in: transaction)
  }

  private func part(_ viewer: String, _ author: String, in transaction: any Transaction) throws {
    guard try MarkTable.follows.remove(author, of: viewer, in: transaction) else { return }
    try count(-1, onAuthor: author, in: transaction)
  }

  /// The guest's blocks are the account's now, and what either followed may lie across one.
  func mergeBlocks(_ guest: String, into account: String, in transaction: any Transaction) throws {
    _ = try Blocks.marks.merge(guest, into: account, in: transaction)
    // Whoever had blocked the guest has blocked the account.
    try transaction.execute(
      """
      DELETE FROM blocks WHERE author_id = ? AND viewer_id IN (SELECT viewer_id FROM blocks WHERE author_id = ?)
      """, [.text(guest), .text(account)])
    try transaction.execute(
      "UPDATE blocks SET author_id = ? WHERE author_id = ?", [.text(account), .text(guest)])
    // The guest may have blocked who it turns out to be.
    _ = try Blocks.marks.remove(account, of: account, in: transaction)
    guard try Blocks().hasAnyBlock(account, in: transaction) else { return }
    let left = try transaction.query(
      """
      DELETE FROM follows WHERE viewer_id = ? AND (author_id IN (SELECT author_id FROM blocks WHERE viewer_id = ?)
      OR author_id IN (SELECT viewer_id FROM blocks WHERE author_id = ?)) RETURNING author_id
      """, [.text(account), .text(account), .text(account)])
    try count(
      try left.map { .init(try $0.text("author_id"), .followers, by: -1) }, of: .authors, in: transaction)
    let lost = try transaction.execute(
      """
      DELETE FROM follows WHERE author_id = ?
          AND (viewer_id IN (SELECT author_id FROM blocks WHERE viewer_id = ?)
              OR viewer_id IN (SELECT viewer_id FROM blocks WHERE author_id = ?))
      """, [.text(account), .text(account), .text(account)])
    if lost > 0 {
      try count([.init(account, .followers, by: -lost)], of: .authors, in: transaction)
    }
  }

  func eraseBlocks(_ viewer: String, in transaction: any Transaction) throws {
    _ = try Blocks.marks.removeAll(of: viewer, in: transaction)
    try transaction.execute("DELETE FROM blocks WHERE author_id = ?", [.text(viewer)])
  }
}

extension SocialStore: ClipForgetting {
  /// Likes and bookmarks are kept by viewer, so this looks at all of them: once for many clips, and beside
  /// writers.
  public func forget(clips: [String], in database: any Database) async throws {
    let list = SQLList(clips)
    for marks in [MarkTable.likes, MarkTable.bookmarks] {
      let found = try await database.read { transaction in
        try transaction.allowLongStatements()
        return try transaction.query(
          "SELECT viewer_id, clip_id FROM \(marks.table) WHERE clip_id IN \(list.marks)", list.values
        ).map { (viewer: try $0.text("viewer_id"), clip: try $0.text("clip_id")) }
      }
      var rest = found[...]
      while !rest.isEmpty {
        let some = Array(rest.prefix(500))
        rest = rest.dropFirst(some.count)
        try await database.write { transaction in
          for mark in some { _ = try marks.remove(mark.clip, of: mark.viewer, in: transaction) }
        }
      }
    }
    try await database.write {
      try $0.execute("DELETE FROM shares WHERE clip_id IN \(list.marks)", list.values)
    }
  }
}
