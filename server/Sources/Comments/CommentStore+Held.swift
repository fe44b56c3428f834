public import Contract
internal import Platform

/// Comments that wait for whoever made the clip.
///
/// For everybody else one that waits is a removed one: whatever reads comments leaves it out by the condition
/// that it has anyway. Here are the few who see it all the same: whoever wrote it, and for whom it waits.
extension CommentStore {
  /// Of a comment that was just written.
  func hold(
    _ id: String, _ hold: Hold, on clipID: String, for creator: String, of writer: String?,
    replyTo: String?, under parent: String?, in transaction: any Transaction
  ) throws {
    try transaction.execute(
      """
      INSERT INTO held_comments (comment_id, clip_id, author_id, writer_viewer_id, parent_id, reply_to, reason, word)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(id), .text(clipID), .text(creator), SQLValue(writer), SQLValue(parent), SQLValue(replyTo),
        .text(hold.reason.rawValue), SQLValue(hold.word),
      ])
  }

  func isHeld(_ id: String, in transaction: any Transaction) throws -> Bool {
    try !transaction.query("SELECT 1 AS n FROM held_comments WHERE comment_id = ?", [.text(id)]).isEmpty
  }

  /// Whether it waits, and the viewer is one of the two who see it.
  func isHeld(_ id: String, for viewer: String, in transaction: any Transaction) throws -> Bool {
    try !transaction.query(
      "SELECT 1 AS n FROM held_comments WHERE comment_id = ? AND (author_id = ? OR writer_viewer_id = ?)",
      [.text(id), .text(viewer), .text(viewer)]
    ).isEmpty
  }

  /// The viewer's own under a clip or a comment, the newest first: at most ten, and that is plenty.
  func ownHeld(
    on clipID: String, under parent: String? = nil, of viewer: String, limit: Int,
    in transaction: any Transaction
  ) throws -> [Row] {
    let ids = try transaction.query(
      """
      SELECT comment_id FROM held_comments
      WHERE writer_viewer_id = ? AND clip_id = ? AND \(parent == nil ? "parent_id IS NULL" : "parent_id = ?")
      ORDER BY comment_id DESC LIMIT ?
      """,
      [.text(viewer), .text(clipID)] + (parent.map { [.text($0)] } ?? [])
        + [SQLValue(max(0, min(limit, 10)))]
    ).map { try $0.text("comment_id") }
    return try rows(ids, in: transaction)
  }

  /// In the order of the ids.
  private func rows(_ ids: [String], in transaction: any Transaction) throws -> [Row] {
    guard !ids.isEmpty else { return [] }
    let list = SQLList(ids)
    let rows = try transaction.query(Self.select + "WHERE m.id IN \(list.marks)", list.values)
    let known = Dictionary(try rows.map { (try $0.text("id"), $0) }) { first, _ in first }
    return ids.compactMap { known[$0] }
  }

  // MARK: For whoever made the clips

  /// Under all clips that bear the account's name, the newest first. What is under a clip that nobody sees,
  /// or of somebody from whom the account is kept apart, is left out. Throws `invalid_cursor`.
  public func held(for account: String, cursor: String?, limit: Int) async throws -> HeldCommentPage {
    let codec = CursorCodec(keys: cursorKeys, list: "held comments/\(account)")
    let start = try cursor.map {
      guard case .words(let words) = try codec.place(of: $0) else { throw AppError(.invalidCursor) }
      return words
    }
    return try await database.read { transaction in
      let found = try waiting(limit, for: account, behind: start, in: transaction)
      let all = try waiting(Limits.heldComments, for: account, behind: nil, in: transaction)
      let rows = try rows(found.items.map { try $0.text("comment_id") }, in: transaction)
      let comments = try rows.reduce(into: [:]) { $0[try $1.text("id")] = try Self.plain($1, to: account) }
      return HeldCommentPage(
        items: try found.items.compactMap { item in
          guard let comment = comments[try item.text("comment_id")] else { return nil }
          return HeldComment(
            comment: comment, reason: HeldReason(rawValue: try item.text("reason")) ?? .word,
            word: item.optionalText("word"))
        }, nextCursor: found.next.map { codec.token($0) }, held: all.items.count)
    }
  }

  /// `next`: where the next page goes on, if there is one.
  private func waiting(
    _ limit: Int, for account: String, behind start: String?, in transaction: any Transaction
  ) throws -> (items: [Row], next: String?) {
    let isPicky = try blocking.hasAnyBlock(account, in: transaction)
    var isSeen: [String: Bool] = [:]
    var found: [Row] = []
    var place = start
    var looked = 0
    let width = limit + 1
    while found.count <= limit, looked < Self.looked {
      var some = try transaction.query(
        """
        SELECT h.comment_id, h.clip_id, h.reason, h.word, m.author_id AS writer_id
        FROM held_comments h JOIN comments m ON m.id = h.comment_id
        WHERE h.author_id = ? \(place == nil ? "" : "AND h.comment_id < ?") ORDER BY h.comment_id DESC LIMIT ?
        """, [.text(account)] + (place.map { [.text($0)] } ?? []) + [SQLValue(width)])
      guard let last = some.last else { return (Array(found.prefix(limit)), nil) }
      let isLast = some.count < width
      looked += some.count
      place = try last.text("comment_id")
      if isPicky {
        let writers = Set(some.compactMap { $0.optionalText("writer_id") }).sorted()
        let strangers = try blocking.blocked(from: account, among: writers, in: transaction)
        some.removeAll { row in row.optionalText("writer_id").map(strangers.contains) ?? false }
      }
      for row in some {
        let clip = try row.text("clip_id")
        let seen = try isSeen[clip] ?? isVisible(clip, in: transaction)
        isSeen[clip] = seen
        if seen { found.append(row) }
      }
      if isLast, found.count <= limit { return (found, nil) }
    }
    let items = Array(found.prefix(limit))
    return (items, found.count > limit ? try items.last?.text("comment_id") : place)
  }

  private func isVisible(_ clipID: String, in transaction: any Transaction) throws -> Bool {
    do {
      _ = try clips.author(ofVisible: clipID, in: transaction)
      return true
    } catch let error as AppError where error.code == .clipNotFound {
      return false
    }
  }

  /// From now on it stands under its clip as if it was written just now: the newest, counted, and told to
  /// whom it concerns. Twice is once. Throws `comment_not_found`, also where the comment above it is gone,
  /// and `author_blocked`.
  public func approve(_ id: String, by account: String) async throws -> ClipComment {
    try await write(else: .commentNotFound) { transaction in
      guard let row = try row(id, in: transaction) else { throw AppError(.commentNotFound) }
      let clip = try row.text("clip_id")
      let creator = try visibleCreator(of: clip, in: transaction)
      guard creator == account else { throw AppError(.commentNotFound) }
      try transaction.lock("comments of \(clip)")
      let held = try transaction.query(
        "DELETE FROM held_comments WHERE comment_id = ? AND author_id = ? RETURNING reply_to",
        [.text(id), .text(account)])
      guard let held = held.first else {
        // It stands already, or is gone.
        return try shown(requireRow(id, to: account, in: transaction), to: account, in: transaction)
      }
      let writer = row.optionalText("writer_id") ?? row.optionalText("guest_viewer_id")
      let parent = row.optionalText("parent_id")
      if let author = row.optionalText("writer_id") {
        try blocking.requireNotBlocked(account, author, else: .commentNotFound, in: transaction)
      }
      guard try isShown(parent, in: transaction) else { throw AppError(.commentNotFound) }
      try transaction.execute(
        """
        UPDATE comments SET removed_at_ms = NULL, created_at_ms = ?,
            number = (SELECT COALESCE(MAX(number), 0) + 1 FROM comments WHERE clip_id = ?)
        WHERE id = ?
        """, [.integer(time.nowMs), .text(clip), .text(id)])
      try recount(clip, parent, by: 1, in: transaction)
      if let writer {
        let people = try [held.optionalText("reply_to"), parent].compactMap { $0 }.compactMap {
          try self.writer(of: $0, in: transaction)
        }
        try tell(
          of: id, try row.text("text"), on: clip, of: creator, by: writer, answering: people, in: transaction)
      }
      guard let shown = try self.row(id, in: transaction) else { throw AppError(.internalError) }
      return try self.shown(shown, to: account, in: transaction)
    }
  }

  private func visibleCreator(of clipID: String, in transaction: any Transaction) throws -> String {
    do {
      return try clips.author(ofVisible: clipID, in: transaction)
    } catch let error as AppError where error.code == .clipNotFound {
      throw AppError(.commentNotFound)
    }
  }

  /// Nil: it is gone, or a guest's who is not known.
  private func writer(of id: String, in transaction: any Transaction) throws -> String? {
    guard let row = try row(id, in: transaction), row.optionalInteger("removed_at_ms") == nil else {
      return nil
    }
    return row.optionalText("writer_id")
  }

  // MARK: What goes

  /// With its text. False: it did not wait.
  func forgetHeld(_ id: String, in transaction: any Transaction) throws -> Bool {
    try forgetHeld(where: "comment_id", is: id, in: transaction) > 0
  }

  /// Answers that wait below a comment that goes.
  func forgetHeldReplies(to id: String, in transaction: any Transaction) throws {
    _ = try forgetHeld(where: "parent_id", is: id, in: transaction)
  }

  private func forgetHeld(
    where column: String, is id: String, in transaction: any Transaction
  ) throws -> Int {
    let gone = try transaction.query(
      "DELETE FROM held_comments WHERE \(column) = ? RETURNING comment_id", [.text(id)]
    ).map { try $0.text("comment_id") }
    for comment in gone {
      try transaction.execute("UPDATE comments SET text = '' WHERE id = ?", [.text(comment)])
    }
    return gone.count
  }

  /// Whatever names this account or guest.
  func eraseFilters(_ viewer: String, in transaction: any Transaction) throws {
    try transaction.execute("DELETE FROM comment_filters WHERE author_id = ?", [.text(viewer)])
    for column in ["author_id", "writer_viewer_id"] {
      try transaction.execute("DELETE FROM held_comments WHERE \(column) = ?", [.text(viewer)])
    }
  }
}
