public import Contract
internal import Foundation
public import Platform

/// The clips under which comments stand.
public protocol CommentedClips: Sendable {
  /// The id of the clip's author. Throws `clip_not_found` if there is no such clip, or if nobody can see it.
  func author(ofVisible clipID: String, in transaction: any Transaction) throws -> String
}

/// Who is told of reactions to their clips.
public protocol ReactionNotices: Sendable {
  func reacted(
    _ reaction: Reaction, to clipID: String, of author: String, by viewer: String,
    in transaction: any Transaction) throws
}

/// Comments and reactions, of accounts and of guests. What tells a repeated request from a new one is its
/// idempotency key, since a guest whose first answer was lost may be another guest by now.
///
/// A comment and the change of the number that its clip shows are written in one transaction (`Counters`), so
/// it is exact however many write at once. The comments of one clip are written one after the other, so that
/// they become visible in the order of their numbers and a cursor skips none.
public struct CommentStore: Sendable {
  public static let migrations = [
    Migration(
      "0004_comments",
      [
        // A removed comment leaves its row without the text: a late repetition must not bring it back.
        """
        CREATE TABLE comments (
            id TEXT PRIMARY KEY, number BIGINT NOT NULL UNIQUE,
            clip_id TEXT NOT NULL REFERENCES clips (id) ON DELETE CASCADE, text TEXT NOT NULL,
            idempotency_key TEXT NOT NULL, created_at_ms BIGINT NOT NULL, removed_at_ms BIGINT,
            UNIQUE (clip_id, idempotency_key))
        """,
        "CREATE INDEX comments_of_clip ON comments (clip_id, number)",
        """
        CREATE TABLE reactions (
            clip_id TEXT NOT NULL REFERENCES clips (id) ON DELETE CASCADE, reaction TEXT NOT NULL,
            total BIGINT NOT NULL, PRIMARY KEY (clip_id, reaction))
        """,
      ]),
    Migration(
      "0014_comment_authors",
      [
        // The account that wrote it; null: a guest.
        "ALTER TABLE comments ADD COLUMN author_id TEXT",
        "CREATE INDEX comments_of_author ON comments (author_id)",
      ]),
    // Numbers count within a clip, so that writers of different clips do not wait for each other, and the
    // clip comes first in every key: the table can be spread by it over many servers.
    Migration(
      "0017_comments_by_clip",
      [
        """
        CREATE TABLE comments_by_clip (
            clip_id TEXT NOT NULL REFERENCES clips (id) ON DELETE CASCADE, number BIGINT NOT NULL,
            id TEXT NOT NULL, text TEXT NOT NULL, idempotency_key TEXT NOT NULL, created_at_ms BIGINT NOT NULL,
            removed_at_ms BIGINT, author_id TEXT, PRIMARY KEY (clip_id, number), UNIQUE (clip_id, idempotency_key))
        """,
        """
        INSERT INTO comments_by_clip (clip_id, number, id, text, idempotency_key, created_at_ms, removed_at_ms, author_id)
        SELECT clip_id, number, id, text, idempotency_key, created_at_ms, removed_at_ms, author_id FROM comments
        """,
        "DROP TABLE comments",
        "ALTER TABLE comments_by_clip RENAME TO comments",
        "CREATE INDEX comments_by_id ON comments (id)",
        "CREATE INDEX comments_of_author ON comments (author_id)",
        "CREATE INDEX comments_by_age ON comments (created_at_ms)",
      ]),
    // For a day: what a repeated request is known by.
    Migration(
      "0021_reaction_keys",
      [
        """
        CREATE TABLE reaction_keys (
            clip_id TEXT NOT NULL REFERENCES clips (id) ON DELETE CASCADE, idempotency_key TEXT NOT NULL,
            reaction TEXT NOT NULL, created_at_ms BIGINT NOT NULL, PRIMARY KEY (clip_id, idempotency_key))
        """,
        "CREATE INDEX reaction_keys_by_age ON reaction_keys (created_at_ms)",
      ]),
  ]

  private static let select = """
    SELECT m.id, m.number, m.clip_id, m.text, m.created_at_ms, m.removed_at_ms, a.id AS author_id, a.handle, a.name
    FROM comments m LEFT JOIN authors a ON a.id = m.author_id\u{20}
    """

  private let database: any Database
  private let time: any TimeSource
  private let clips: any CommentedClips
  private let cursorKeys: TokenKeys
  private let state: Commenting
  private let blocking: any BlockChecking
  private let notices: (any ReactionNotices)?
  private let noting: (any ActionNoting)?

  /// `state` says whether comments and reactions of guests are taken now.
  public init(
    database: any Database, time: any TimeSource, clips: any CommentedClips, cursorKeys: TokenKeys,
    state: Commenting, blocking: any BlockChecking, notices: (any ReactionNotices)? = nil,
    noting: (any ActionNoting)? = nil
  ) {
    self.database = database
    self.time = time
    self.clips = clips
    self.cursorKeys = cursorKeys
    self.state = state
    self.blocking = blocking
    self.notices = notices
    self.noting = noting
  }

  /// Newest first, without those of whom the viewer is kept apart from. Throws `clip_not_found`,
  /// `author_blocked`, and `invalid_cursor` for a cursor of anything but this clip's comments.
  public func page(
    of clipID: String, cursor: String?, limit: Int, for viewer: String? = nil
  ) async throws -> CommentPage {
    let cursors = CursorCodec(keys: cursorKeys, list: "comments/\(clipID)")
    let start = try cursors.start(of: cursor)
    let found = try await database.read { transaction in
      try requireVisible(clipID, to: viewer, in: transaction)
      let picky = try viewer.flatMap {
        try blocking.hasAnyBlock($0, in: transaction) ? $0 : nil
      }
      return try find(limit + 1, on: clipID, below: start, for: picky, in: transaction)
    }
    var page = try cursors.page(of: found.shown, limit: limit, by: "number", Self.comment)
    if page.nextCursor == nil { page.nextCursor = found.rest.map { cursors.token(number: $0) } }
    return page
  }

  /// At most `count` of them. `rest`: nothing was found that far, and the next page goes on there; nil: there
  /// is nothing more, or the last row tells where. `picky`: who is kept apart from somebody.
  private func find(
    _ count: Int, on clipID: String, below start: Int64, for picky: String?,
    in transaction: any Transaction
  ) throws -> (shown: [Row], rest: Int64?) {
    var shown: [Row] = []
    var before = start
    var width = count
    var looked = 0
    // What is left out leaves room, which the next ones take.
    while shown.count < count {
      let some = try transaction.query(
        Self.select
          + "WHERE m.clip_id = ? AND m.removed_at_ms IS NULL AND m.number < ? ORDER BY m.number DESC LIMIT ?",
        [.text(clipID), .integer(before), SQLValue(width)])
      let strangers = try picky.map {
        try blocking.blocked(
          from: $0, among: Set(some.compactMap { $0.optionalText("author_id") }).sorted(), in: transaction)
      }
      shown += some.filter { row in
        row.optionalText("author_id").map { strangers?.contains($0) != true } ?? true
      }
      guard picky != nil, some.count == width, let last = some.last else { break }
      before = try last.integer("number")
      looked += some.count
      if looked >= Self.looked, shown.count < count { return (shown, before) }
      width = min(width * 2, Self.widest)
    }
    return (Array(shown.prefix(count)), nil)
  }

  /// Comments that are looked at for one page, however many somebody wrote whom the viewer does not see; a
  /// page that is short then says where to go on.
  static let looked = 2048

  /// Comments that are looked at with one statement, at most.
  private static let widest = 256

  /// The same key again answers with the same comment. Throws `comment_empty`, `comment_too_long`,
  /// `comments_off`, `clip_not_found`, `author_blocked`, `idempotency_key_reused`, and `comment_removed` for
  /// a repetition too late. `author`: the account that writes; nil: a guest, who is `guest` if known.
  /// `isLearned`: false if whoever writes wants no traces left.
  public func add(
    _ text: String, to clipID: String, by author: String? = nil, guest: String? = nil,
    idempotencyKey: String, isLearned: Bool = true
  ) async throws -> ClipComment {
    try requireOpen(to: author)
    let text = try commentText.checked(text)
    return try await write { transaction in
      try requireVisible(clipID, to: author ?? guest, in: transaction)
      try transaction.lock("comments of \(clipID)")
      if let known = try find(idempotencyKey, on: clipID, in: transaction) {
        guard known.optionalInteger("removed_at_ms") == nil else { throw AppError(.commentRemoved) }
        guard try known.text("text") == text else { throw AppError(.idempotencyKeyReused) }
        return try Self.comment(known)
      }
      try transaction.execute(
        """
        INSERT INTO comments (id, number, clip_id, text, idempotency_key, created_at_ms, author_id)
        VALUES (?, (SELECT COALESCE(MAX(number), 0) + 1 FROM comments WHERE clip_id = ?), ?, ?, ?, ?, ?)
        """,
        [
          .text(Identifier.make(at: time)), .text(clipID), .text(clipID), .text(text), .text(idempotencyKey),
          .integer(time.nowMs), SQLValue(author),
        ])
      try count(1, on: clipID, in: transaction)
      if isLearned, let viewer = author ?? guest {
        try noting?.noted(.comment, on: clipID, by: viewer, in: transaction)
      }
      guard let made = try find(idempotencyKey, on: clipID, in: transaction) else {
        throw AppError(.internalError)
      }
      return try Self.comment(made)
    }
  }

  /// For a day the same key again is the same reaction. Throws `comments_off`, `clip_not_found`,
  /// `author_blocked`, and `idempotency_key_reused` if it was another.
  public func react(
    _ reaction: Reaction, to clipID: String, by author: String? = nil, guest: String? = nil,
    idempotencyKey: String? = nil
  ) async throws -> ReactionCount {
    try requireOpen(to: author)
    return try await write { transaction in
      let creator = try requireVisible(clipID, to: author ?? guest, in: transaction)
      if try isNew(reaction, on: clipID, idempotencyKey, in: transaction) {
        try Counters.clips.add([.init(clipID, Counted(reaction), by: 1)], at: time, in: transaction)
        if let viewer = author ?? guest {
          try notices?.reacted(reaction, to: clipID, of: creator, by: viewer, in: transaction)
        }
      }
      let count = try Counters.clips.count(Counted(reaction), of: clipID, in: transaction)
      return ReactionCount(reaction: reaction, count: count)
    }
  }

  private func isNew(
    _ reaction: Reaction, on clipID: String, _ key: String?, in transaction: any Transaction
  ) throws -> Bool {
    guard let key else { return true }
    let isNew = try transaction.execute(
      """
      INSERT INTO reaction_keys (clip_id, idempotency_key, reaction, created_at_ms) VALUES (?, ?, ?, ?)
      ON CONFLICT (clip_id, idempotency_key) DO NOTHING
      """, [.text(clipID), .text(key), .text(reaction.rawValue), .integer(time.nowMs)])
    if isNew == 1 { return true }
    let known = try transaction.query(
      "SELECT reaction FROM reaction_keys WHERE clip_id = ? AND idempotency_key = ?",
      [.text(clipID), .text(key)])
    guard try known.first?.text("reaction") == reaction.rawValue else {
      throw AppError(.idempotencyKeyReused)
    }
    return false
  }

  private static let keyLifeMs: Int64 = 86_400_000

  /// Forgets keys of reactions that nobody will repeat any more.
  public func sweep() async throws {
    try await database.write {
      try $0.execute(
        "DELETE FROM reaction_keys WHERE created_at_ms < ?", [.integer(time.nowMs - Self.keyLifeMs)])
    }
  }

  /// Answers whose clip it is. Throws `clip_not_found` also to whom its author has blocked, and
  /// `author_blocked` to who has blocked the author.
  @discardableResult
  private func requireVisible(
    _ clipID: String, to viewer: String?, in transaction: any Transaction
  ) throws -> String {
    let author = try clips.author(ofVisible: clipID, in: transaction)
    if let viewer { try blocking.requireNotBlocked(viewer, author, else: .clipNotFound, in: transaction) }
    return author
  }

  /// The clip may go in the middle, and what is written refers to it.
  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws -> Value {
    do {
      return try await database.write(body)
    } catch let error as ConstraintViolation where error.rule == .reference {
      throw AppError(.clipNotFound)
    }
  }

  // MARK: For the operator

  /// The newest comments of the instance, or of one clip.
  public func newest(_ limit: Int, on clipID: String? = nil) async throws -> [(
    clipID: String, comment: ClipComment
  )] {
    try await database.read {
      try $0.query(
        Self.select
          + """
          WHERE m.removed_at_ms IS NULL \(clipID == nil ? "" : "AND m.clip_id = ?")
          ORDER BY m.created_at_ms DESC, m.id DESC LIMIT ?
          """,
        (clipID.map { [.text($0)] } ?? []) + [SQLValue(limit)]
      ).map { (try $0.text("clip_id"), try Self.comment($0)) }
    }
  }

  /// The text is erased. Throws `comment_not_found`.
  public func remove(_ id: String) async throws {
    try await database.write { transaction in
      let row = try transaction.query(
        "SELECT clip_id FROM comments WHERE id = ? AND removed_at_ms IS NULL", [.text(id)]
      ).first
      // Of two that remove it at once one finds it.
      guard let row,
        try transaction.execute(
          "UPDATE comments SET text = '', removed_at_ms = ? WHERE id = ? AND removed_at_ms IS NULL",
          [.integer(time.nowMs), .text(id)]) == 1
      else { throw AppError(.commentNotFound, "There is no comment \(id).") }
      try count(-1, on: try row.text("clip_id"), in: transaction)
    }
  }

  private func count(_ change: Int, on clipID: String, in transaction: any Transaction) throws {
    try Counters.clips.add([.init(clipID, .comments, by: change)], at: time, in: transaction)
  }

  private func requireOpen(to author: String?) throws {
    guard state == .open || author != nil else {
      throw AppError(.commentsOff, "Commenting needs an account here.")
    }
  }

  private func find(_ key: String, on clipID: String, in transaction: any Transaction) throws -> Row? {
    try transaction.query(
      Self.select + "WHERE m.clip_id = ? AND m.idempotency_key = ?",
      [.text(clipID), .text(key)]
    ).first
  }

  private static func comment(_ row: Row) throws -> ClipComment {
    let author = try row.optionalText("author_id").map {
      Author(id: $0, handle: try row.text("handle"), name: try row.text("name"))
    }
    return ClipComment(
      id: try row.text("id"), author: author, text: try row.text("text"),
      createdAt: Date(timeIntervalSince1970: Double(try row.integer("created_at_ms")) / 1000))
  }
}

extension CommentStore: ViewerErasing {
  /// The texts are erased, as by `remove`.
  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    // What was removed before is not counted any more.
    let shown = try transaction.query(
      """
      UPDATE comments SET text = '', author_id = NULL, removed_at_ms = ?
      WHERE author_id = ? AND removed_at_ms IS NULL RETURNING clip_id
      """, [.integer(time.nowMs), .text(viewer)])
    for row in shown { try count(-1, on: try row.text("clip_id"), in: transaction) }
    try transaction.execute(
      "UPDATE comments SET text = '', author_id = NULL WHERE author_id = ?", [.text(viewer)])
  }
}

/// What a comment may say.
let commentText = WrittenText(
  length: Limits.commentLength, scalars: Limits.commentScalars, empty: .commentEmpty, tooLong: .commentTooLong
)
