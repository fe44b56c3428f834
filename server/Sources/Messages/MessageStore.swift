public import Contract
internal import Foundation
public import Platform

/// Clips that a message may be about.
public protocol MessagedClips: Sendable {
  /// The id of the clip's author. Throws `clip_not_found` if there is no such clip, or if nobody can see it.
  func author(ofVisible clipID: String, in transaction: any Transaction) throws -> String
}

/// Who is told of messages to them.
public protocol MessageNotices: Sendable {
  func wrote(
    _ messageID: String, to receiver: String, by sender: String, about clipID: String?,
    in transaction: any Transaction) throws
}

/// Conversations of two.
///
/// A message is kept once, by who gets it: that comes first in every key, so an inbox lies in one place. Of
/// each conversation both have a row: where it stands in their inbox, and how much of it they have not read.
///
/// What two write to each other is written one after the other (`lock(between:and:)`), so numbers become
/// visible in their order and a cursor skips none; and nothing is written past a block, which takes the same
/// lock.
public struct MessageStore: Sendable {
  public static let migrations = [
    Migration(
      "0028_messages",
      [
        // Numbers count within a conversation, both ways.
        """
        CREATE TABLE messages (
            receiver_id TEXT NOT NULL, sender_id TEXT NOT NULL, number BIGINT NOT NULL, id TEXT NOT NULL,
            text TEXT NOT NULL, clip_id TEXT, idempotency_key TEXT NOT NULL, created_at_ms BIGINT NOT NULL,
            PRIMARY KEY (receiver_id, sender_id, number), UNIQUE (receiver_id, sender_id, idempotency_key))
        """,
        "CREATE UNIQUE INDEX messages_by_id ON messages (receiver_id, sender_id, id)",
        // For a sender who leaves.
        "CREATE INDEX messages_of_sender ON messages (sender_id, receiver_id)",
        // `begun_at_ms`: when the owner wrote first; null: the other one did. No references: who is meant may
        // be a guest.
        """
        CREATE TABLE conversations (
            owner_id TEXT NOT NULL, peer_id TEXT NOT NULL, last_id TEXT NOT NULL, unread BIGINT NOT NULL,
            begun_at_ms BIGINT, PRIMARY KEY (owner_id, peer_id))
        """,
        "CREATE UNIQUE INDEX conversations_in_order ON conversations (owner_id, last_id)",
        "CREATE INDEX conversations_unread ON conversations (owner_id, unread)",
        "CREATE INDEX conversations_begun ON conversations (owner_id, begun_at_ms)",
        "CREATE INDEX conversations_of_peer ON conversations (peer_id)",
      ])
  ]

  let database: any Database
  let time: any TimeSource
  let cursorKeys: TokenKeys
  let clips: any MessagedClips
  let blocking: any BlockChecking
  let guests: Commenting
  let siteRules: SiteRules
  let notices: (any MessageNotices)?

  /// `guests`: whether they may write.
  public init(
    database: any Database, time: any TimeSource, cursorKeys: TokenKeys, clips: any MessagedClips,
    blocking: any BlockChecking, guests: Commenting, siteRules: SiteRules = SiteRules(),
    notices: (any MessageNotices)? = nil
  ) {
    self.database = database
    self.time = time
    self.cursorKeys = cursorKeys
    self.clips = clips
    self.blocking = blocking
    self.guests = guests
    self.siteRules = siteRules
    self.notices = notices
  }

  /// Whether there is a conversation of the two.
  public func haveWritten(_ one: String, _ other: String, in transaction: any Transaction) throws -> Bool {
    try !transaction.query(
      "SELECT 1 AS n FROM conversations WHERE owner_id = ? AND peer_id = ?", [.text(one), .text(other)]
    ).isEmpty
  }

  /// The faces of these people; who has none is a guest.
  func faces(of ids: [String], in transaction: any Transaction) throws -> [String: Author] {
    guard !ids.isEmpty else { return [:] }
    let list = SQLList(ids)
    let rows = try transaction.query(
      "SELECT id, handle, name, picture FROM authors WHERE id IN \(list.marks)", list.values)
    return try rows.reduce(into: Dictionary(ids.map { ($0, Author.guest($0)) }) { first, _ in first }) {
      let id = try $1.text("id")
      $0[id] = try $1.author(id)
    }
  }

  static func message(_ row: Row, for viewer: String) throws -> Message {
    Message(
      id: try row.text("id"), isOwn: try row.text("sender_id") == viewer, text: try row.text("text"),
      clipId: row.optionalText("clip_id"),
      createdAt: Date(timeIntervalSince1970: Double(try row.integer("created_at_ms")) / 1000))
  }
}

/// What a message may say.
let messageText = WrittenText(
  length: Limits.messageLength, scalars: Limits.messageScalars, empty: .messageEmpty, tooLong: .messageTooLong
)
