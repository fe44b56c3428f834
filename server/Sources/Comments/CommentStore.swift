public import Contract
internal import Foundation
public import Platform

/// The clips under which comments stand.
public protocol CommentedClips: Sendable {
  /// The id of the clip's author. Throws `clip_not_found` if there is no such clip, or if nobody can see it.
  func author(ofVisible clipID: String, in transaction: any Transaction) throws -> String
  /// Throws `clip_for_adults` for one that the viewer is not shown. Nil: nobody of whom something is known.
  func requireShown(_ clipID: String, to viewer: String?, in transaction: any Transaction) throws
  /// Whether the clip is the viewer's, an account's or a guest's, whoever can see it.
  func owns(_ clipID: String, _ viewer: String, in transaction: any Transaction) throws -> Bool
}

/// Who is told of reactions to their clips.
public protocol ReactionNotices: Sendable {
  func reacted(
    _ reaction: Reaction, to clipID: String, of author: String, by viewer: String,
    in transaction: any Transaction) throws
}

/// Who is told of comments.
public protocol CommentNotices: ReactionNotices {
  /// `kind`: what the comment is to the account, one of `LiveEvent.ofComments`.
  func wrote(
    _ commentID: String, on clipID: String, to account: String, by writer: String, as kind: String,
    in transaction: any Transaction) throws
  /// Somebody likes a comment of the account.
  func liked(
    _ commentID: String, on clipID: String, of account: String, by viewer: String,
    in transaction: any Transaction) throws
}

/// Comments with their replies, likes and pins, and reactions; of accounts and of guests. What tells a
/// repeated request from a new one is its idempotency key, since a guest whose first answer was lost may be
/// another guest by now.
///
/// A comment and the change of the number that its clip shows are written in one transaction (`Counters`), so
/// it is exact however many write at once. The comments of one clip are written one after the other, so that
/// they become visible in the order of their numbers and a cursor skips none.
///
/// It refuses to know what a clip is, who is whose friend, and how anybody is told. A guest's comment has its
/// writer beside it, who may delete it, and whom nobody else is told of.
public struct CommentStore: Sendable {
  let database: any Database
  let time: any TimeSource
  let clips: any CommentedClips
  let cursorKeys: TokenKeys
  private let state: Commenting
  let blocking: any BlockChecking
  let follows: any FollowReading
  let siteRules: SiteRules
  let notices: (any CommentNotices)?
  let noting: (any ActionNoting)?

  /// `state` says whether comments and reactions of guests are taken now.
  public init(
    database: any Database, time: any TimeSource, clips: any CommentedClips, cursorKeys: TokenKeys,
    state: Commenting, blocking: any BlockChecking, follows: any FollowReading,
    siteRules: SiteRules = SiteRules(), notices: (any CommentNotices)? = nil,
    noting: (any ActionNoting)? = nil
  ) {
    self.database = database
    self.time = time
    self.clips = clips
    self.cursorKeys = cursorKeys
    self.state = state
    self.blocking = blocking
    self.follows = follows
    self.siteRules = siteRules
    self.notices = notices
    self.noting = noting
  }

  func requireOpen(to author: String?) throws {
    guard state == .open || author != nil else {
      throw AppError(.commentsOff, "Commenting needs an account here.")
    }
  }

  /// Answers whose clip it is. Throws `clip_not_found` also to whom its author has blocked, and
  /// `author_blocked` to who has blocked the author; `clip_for_adults` to who is in restricted mode.
  @discardableResult
  func requireVisible(
    _ clipID: String, to viewer: String?, in transaction: any Transaction
  ) throws -> String {
    let author = try clips.author(ofVisible: clipID, in: transaction)
    if let viewer { try blocking.requireNotBlocked(viewer, author, else: .clipNotFound, in: transaction) }
    try clips.requireShown(clipID, to: viewer, in: transaction)
    return author
  }

  /// The clip may go in the middle, and what is written refers to it: then there is nothing there, as
  /// `missing` says.
  func write<Value: Sendable>(
    else missing: ErrorCode = .clipNotFound,
    _ body: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws -> Value {
    do {
      return try await database.write(body)
    } catch let error as ConstraintViolation where error.rule == .reference {
      throw AppError(missing)
    }
  }

  func count(_ change: Int, on clipID: String, in transaction: any Transaction) throws {
    try Counters.clips.add([.init(clipID, .comments, by: change)], at: time, in: transaction)
  }

  // MARK: Rows

  static let select = """
    SELECT m.id, m.number, m.clip_id, m.parent_id, m.text, m.created_at_ms, m.removed_at_ms, m.likes, m.guest_viewer_id,
        m.author_id AS writer_id, a.id AS author_id, a.handle, a.name, a.picture
    FROM comments m LEFT JOIN authors a ON a.id = m.author_id\u{20}
    """

  /// One that is removed as well.
  func row(_ id: String, in transaction: any Transaction) throws -> Row? {
    try transaction.query(Self.select + "WHERE m.id = ?", [.text(id)]).first
  }

  /// One that the viewer can see. Throws `comment_not_found`, also where its clip or the comment above it
  /// cannot be seen, and `author_blocked` to who has blocked the author of one of them.
  func requireRow(_ id: String, to viewer: String?, in transaction: any Transaction) throws -> Row {
    guard let row = try row(id, in: transaction), row.optionalInteger("removed_at_ms") == nil else {
      throw AppError(.commentNotFound)
    }
    do {
      try requireVisible(try row.text("clip_id"), to: viewer, in: transaction)
    } catch let error as AppError where [.clipNotFound, .clipForAdults].contains(error.code) {
      throw AppError(.commentNotFound)
    }
    guard let viewer else { return row }
    var people = [row.optionalText("writer_id")]
    if let parent = row.optionalText("parent_id") {
      people.append(
        try transaction.query("SELECT author_id FROM comments WHERE id = ?", [.text(parent)]).first?
          .optionalText("author_id"))
    }
    for person in people.compactMap({ $0 }) {
      try blocking.requireNotBlocked(viewer, person, else: .commentNotFound, in: transaction)
    }
    return row
  }

  /// As the viewer is shown comments of one clip. `pinned`: which of them stands first there.
  func shown(
    _ rows: [Row], of clipID: String, pinned: String?, to viewer: String?, in transaction: any Transaction
  ) throws -> [ClipComment] {
    let ids = try rows.map { try $0.text("id") }
    let counts = try Counters.comments.counts(of: ids, in: transaction)
    let liked = try viewer.map { try self.liked(ids, of: clipID, by: $0, in: transaction) } ?? []
    return try rows.map { row in
      var comment = try Self.plain(row, to: viewer)
      comment.replies = counts[comment.id]?[.replies] ?? 0
      comment.likes = counts[comment.id]?[.likes] ?? 0
      comment.liked = liked.contains(comment.id)
      comment.pinned = comment.id == pinned
      return comment
    }
  }

  /// Without what is counted. NB: of removed ones only those are shown that wait, and to whom they are.
  static func plain(_ row: Row, to viewer: String?) throws -> ClipComment {
    let author = try row.optionalText("author_id").map(row.author)
    return ClipComment(
      id: try row.text("id"), author: author, text: try row.text("text"),
      createdAt: Date(timeIntervalSince1970: Double(try row.integer("created_at_ms")) / 1000),
      clipId: try row.text("clip_id"), parentId: row.optionalText("parent_id"),
      own: isOwn(row, of: viewer), held: row.optionalInteger("removed_at_ms") == nil ? nil : true)
  }

  /// One comment, as the viewer is shown it.
  func shown(_ row: Row, to viewer: String?, in transaction: any Transaction) throws -> ClipComment {
    let clip = try row.text("clip_id")
    let pinned = try pinned(on: clip, in: transaction)
    guard
      let comment = try shown([row], of: clip, pinned: pinned, to: viewer, in: transaction).first
    else { throw AppError(.internalError) }
    return comment
  }

  static func isOwn(_ row: Row, of viewer: String?) -> Bool {
    guard let viewer else { return false }
    return row.optionalText("writer_id") == viewer || row.optionalText("guest_viewer_id") == viewer
  }
}

/// What a comment may say.
let commentText = WrittenText(
  length: Limits.commentLength, scalars: Limits.commentScalars, empty: .commentEmpty, tooLong: .commentTooLong
)
