public import Contract
public import Platform

/// The clips and authors that people have to do with.
public protocol SocialClips: Sendable {
  /// The id of the clip's author. Throws `clip_not_found` if there is no such clip, or if nobody but its
  /// owner can see it.
  func author(ofVisible clipID: String, in transaction: any Transaction) throws -> String
  func hasAuthor(_ id: String, in transaction: any Transaction) throws -> Bool
}

/// Tells of clips as they are shown to a viewer.
public protocol ClipTelling: Sendable {
  /// Those of these clips that others than their owners can see, by id.
  func clips(
    _ ids: [String], for viewer: String?, in transaction: any Transaction
  ) throws -> [String: Clip]
  /// Those of these clips, which somebody likes, that others are shown there, by id.
  func encoded(
    _ ids: [String], likedBy person: String, for viewer: String?, in transaction: any Transaction
  ) throws -> [String: EncodedClip]
}

/// Lets authors hear of what others did. Called in the transaction of what it tells of, and only when
/// something changed.
public protocol SocialNotices: Sendable {
  func liked(
    _ clipID: String, of author: String, by viewer: String, in transaction: any Transaction) throws
  func followed(_ author: String, by viewer: String, in transaction: any Transaction) throws
}

/// Who has written to whom: a guest has no face to block, but may be blocked by whom they wrote to.
public protocol CorrespondenceReading: Sendable {
  func haveWritten(_ one: String, _ other: String, in transaction: any Transaction) throws -> Bool
}

/// Likes, bookmarks, follows and shares, by viewer: an account's or a guest's id.
///
/// What is done twice is done once: the row decides, and only what changed a row is counted, in the same
/// transaction. The counts themselves are `Counters`, so however many like a clip at once, none waits for
/// another.
public struct SocialStore: Sendable {
  public static let migrations =
    [
      Migration(
        "0015_social",
        MarkTable.statements("likes", of: "clip_id") + MarkTable.statements("bookmarks", of: "clip_id")
          + MarkTable.statements("follows", of: "author_id") + [
            "CREATE INDEX follows_of_author ON follows (author_id)",
            """
            CREATE TABLE shares (
                clip_id TEXT NOT NULL, idempotency_key TEXT NOT NULL, viewer_id TEXT NOT NULL,
                created_at_ms BIGINT NOT NULL, PRIMARY KEY (clip_id, idempotency_key))
            """,
            "CREATE INDEX shares_of_viewer ON shares (viewer_id)",
          ]),
      Migration(
        "0020_follows_of_author",
        [
          // Whether one viewer follows an author may be looked for from either end; from this one it must not
          // take longer the more the author has followers.
          "DROP INDEX follows_of_author",
          "CREATE INDEX follows_of_author ON follows (author_id, viewer_id)",
        ]),
      Migration(
        "0050_likes_of_clip",
        [
          // Who likes a clip and who follows an author, newest first.
          "CREATE INDEX likes_of_clip ON likes (clip_id, created_at_ms)",
          "CREATE INDEX follows_of_author_in_order ON follows (author_id, created_at_ms)",
        ]),
    ] + Blocks.migrations

  let database: any Database
  let time: any TimeSource
  let cursorKeys: TokenKeys
  private let clips: any SocialClips
  let telling: any ClipTelling
  private let notices: (any SocialNotices)?
  private let noting: (any ActionNoting)?
  let correspondence: (any CorrespondenceReading)?

  public init(
    database: any Database, time: any TimeSource, cursorKeys: TokenKeys, clips: any SocialClips,
    telling: any ClipTelling, notices: (any SocialNotices)? = nil, noting: (any ActionNoting)? = nil,
    correspondence: (any CorrespondenceReading)? = nil
  ) {
    self.database = database
    self.time = time
    self.cursorKeys = cursorKeys
    self.clips = clips
    self.telling = telling
    self.notices = notices
    self.noting = noting
    self.correspondence = correspondence
  }

  // MARK: Clips

  /// Throws `clip_not_found` and `author_blocked`, as all of these do; one who liked a clip can take that
  /// back whatever became of it. `isLearned`: false if whoever asks wants no traces left.
  public func like(
    _ clipID: String, by viewer: String, isLearned: Bool = true
  ) async throws -> LikeState {
    try await database.write { transaction in
      let author = try author(of: clipID, for: viewer, in: transaction)
      if try MarkTable.likes.add(clipID, of: viewer, at: time, in: transaction) {
        try count(1, .likes, on: clipID, in: transaction)
        try notices?.liked(clipID, of: author, by: viewer, in: transaction)
        if isLearned { try noting?.noted(.like, on: clipID, by: viewer, in: transaction) }
      }
      return try likeState(true, clipID, in: transaction)
    }
  }

  public func unlike(_ clipID: String, by viewer: String) async throws -> LikeState {
    try await database.write { transaction in
      if try MarkTable.likes.remove(clipID, of: viewer, in: transaction) {
        try count(-1, .likes, on: clipID, in: transaction)
        try noting?.noted(.unlike, on: clipID, by: viewer, in: transaction)
      } else {
        _ = try author(of: clipID, for: viewer, in: transaction)
      }
      return try likeState(false, clipID, in: transaction)
    }
  }

  public func bookmark(
    _ clipID: String, by viewer: String, isLearned: Bool = true
  ) async throws -> BookmarkState {
    try await database.write { transaction in
      _ = try author(of: clipID, for: viewer, in: transaction)
      if try MarkTable.bookmarks.add(clipID, of: viewer, at: time, in: transaction) {
        try count([.init(clipID, .bookmarks, by: 1)], of: .reach, in: transaction)
        if isLearned { try noting?.noted(.bookmark, on: clipID, by: viewer, in: transaction) }
      }
      return BookmarkState(bookmarked: true)
    }
  }

  public func unbookmark(_ clipID: String, by viewer: String) async throws -> BookmarkState {
    try await database.write { transaction in
      if try MarkTable.bookmarks.remove(clipID, of: viewer, in: transaction) {
        try count([.init(clipID, .bookmarks, by: -1)], of: .reach, in: transaction)
      } else {
        _ = try author(of: clipID, for: viewer, in: transaction)
      }
      return BookmarkState(bookmarked: false)
    }
  }

  /// The same key again is the same share, whoever sends it: somebody whose first answer was lost may have
  /// become another guest since.
  public func share(
    _ clipID: String, by viewer: String, idempotencyKey: String, isLearned: Bool = true
  ) async throws -> ShareCount {
    try await database.write { transaction in
      _ = try author(of: clipID, for: viewer, in: transaction)
      let added = try transaction.execute(
        """
        INSERT INTO shares (clip_id, idempotency_key, viewer_id, created_at_ms) VALUES (?, ?, ?, ?)
        ON CONFLICT (clip_id, idempotency_key) DO NOTHING
        """, [.text(clipID), .text(idempotencyKey), .text(viewer), .integer(time.nowMs)])
      if added == 1 {
        try count(1, .shares, on: clipID, in: transaction)
        if isLearned { try noting?.noted(.share, on: clipID, by: viewer, in: transaction) }
      }
      return ShareCount(shares: try Counters.clips.count(.shares, of: clipID, in: transaction))
    }
  }

  private func author(
    of clipID: String, for viewer: String, in transaction: any Transaction
  ) throws -> String {
    let author = try clips.author(ofVisible: clipID, in: transaction)
    try Blocks().requireNotBlocked(viewer, author, else: .clipNotFound, in: transaction)
    return author
  }

  // MARK: Authors

  /// Throws `author_not_found`, `author_blocked` and `follow_oneself`.
  public func follow(
    _ author: String, by viewer: String, isLearned: Bool = true
  ) async throws -> FollowState {
    guard author != viewer else { throw AppError(.followOneself) }
    return try await database.write { transaction in
      try transaction.lock(between: author, and: viewer)
      try requireAuthor(author, in: transaction)
      try Blocks().requireNotBlocked(viewer, author, else: .authorNotFound, in: transaction)
      if try MarkTable.follows.add(author, of: viewer, at: time, in: transaction) {
        try count(1, onAuthor: author, in: transaction)
        try notices?.followed(author, by: viewer, in: transaction)
        if isLearned { try noting?.followed(author, by: viewer, in: transaction) }
      }
      return try followState(true, author, in: transaction)
    }
  }

  /// Throws `author_not_found`.
  public func unfollow(_ author: String, by viewer: String) async throws -> FollowState {
    try await database.write { transaction in
      if try MarkTable.follows.remove(author, of: viewer, in: transaction) {
        try count(-1, onAuthor: author, in: transaction)
      } else {
        try requireAuthor(author, in: transaction)
        try Blocks().requireNotBlocked(viewer, author, else: .authorNotFound, in: transaction)
      }
      return try followState(false, author, in: transaction)
    }
  }

  func requireAuthor(_ id: String, in transaction: any Transaction) throws {
    guard try clips.hasAuthor(id, in: transaction) else { throw AppError(.authorNotFound) }
  }

  private func likeState(
    _ liked: Bool, _ clipID: String, in transaction: any Transaction
  ) throws -> LikeState {
    LikeState(liked: liked, likes: try Counters.clips.count(.likes, of: clipID, in: transaction))
  }

  private func followState(
    _ following: Bool, _ author: String, in transaction: any Transaction
  ) throws -> FollowState {
    FollowState(
      following: following, followers: try Counters.authors.count(.followers, of: author, in: transaction))
  }

  func count(
    _ change: Int, _ counter: Counted, on clipID: String, in transaction: any Transaction
  ) throws {
    try Counters.clips.add([.init(clipID, counter, by: change)], at: time, in: transaction)
  }

  func count(_ change: Int, onAuthor author: String, in transaction: any Transaction) throws {
    try Counters.authors.add([.init(author, .followers, by: change)], at: time, in: transaction)
  }

  func count(_ changes: [Counters.Change], of counters: Counters, in transaction: any Transaction) throws {
    try counters.add(changes, at: time, in: transaction)
  }
}
