public import Contract
public import Platform

/// What accounts hear of, in a list that stays.
///
/// A row says where to look and when something happened there last; who did it, and what, is read where it
/// is kept, each time that the list is read. So a like that was taken back, a comment that is gone and
/// somebody who is blocked by now are in no list, whatever was written down before.
///
/// It decides what is told as one, what is new to whoever looks, and what an account wants to hear of. It
/// refuses to know what a clip, a comment or a follow is (`NotifiedThings`), and how devices are reached.
public struct NotificationStore: Sendable {
  public static let migrations = [
    Migration(
      "0049_notifications",
      [
        // `about` says what is told as one, and what is one however often it is said. The account is first in
        // the key, so that its list lies in one place however tables are distributed.
        """
        CREATE TABLE notifications (
            account TEXT NOT NULL, about TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, clip_id TEXT,
            comment_id TEXT, at_ms BIGINT NOT NULL, PRIMARY KEY (account, about))
        """,
        "CREATE UNIQUE INDEX notifications_in_order ON notifications (account, at_ms, id)",
        // How far the list was seen, and what its account wants to hear of otherwise than everybody.
        """
        CREATE TABLE notification_readers (account TEXT PRIMARY KEY, seen_ms BIGINT NOT NULL, switches TEXT NOT NULL)
        """,
      ]),
    Migration("0069_announced_clips", Announcements.table),
  ]

  /// A group that is new to its account anyway moves up once in so long: those who like one clip at the same
  /// time wait for one another at its row, and not at each like.
  static let quietMs: Int64 = 2000
  static let dayMs: Int64 = 86_400_000

  let database: any Database
  let time: any TimeSource
  let cursorKeys: TokenKeys
  let things: any NotifiedThings
  let blocking: any BlockChecking

  public init(
    database: any Database, time: any TimeSource, cursorKeys: TokenKeys, things: any NotifiedThings,
    blocking: any BlockChecking
  ) {
    self.database = database
    self.time = time
    self.cursorKeys = cursorKeys
    self.things = things
    self.blocking = blocking
  }

  /// Something that happened.
  public enum News: Sendable, Equatable {
    case liked(clip: String)
    case likedComment(String, clip: String)
    /// `kind`: what it is to the account, one of `LiveEvent.ofComments`.
    case commented(String, clip: String, kind: String)
    case followed
    case published(clip: String)
    case failed(clip: String)
    /// A moderator decided something about the account, or answered (`isAnswer`).
    case decided(String, clip: String?, isAnswer: Bool)
    /// Made from words, as a draft; `clip`: nil: none came of it.
    case generated(String, clip: String?)
    /// Since it took nothing.
    case switchedOff(webhook: String)
    /// Somebody whom the account follows has a new clip. `group`: the first of that day.
    case newClip(String, group: String)
  }

  /// In the transaction of what happened. `actor`: who did it; nil: nobody. Guests who share a name have no
  /// list, and what nameless people like, follow and write under one's clips is not told, or it would hide
  /// who has a name; what they answer is. False: nothing was written down.
  @discardableResult
  public func note(
    _ news: News, to account: String, by actor: String? = nil, in transaction: any Transaction
  ) throws -> Bool {
    guard actor != account else { return false }
    let people = SQLList([account] + (actor.map { [$0] } ?? []))
    let named = try transaction.query(
      "SELECT id FROM authors WHERE id IN \(people.marks) AND handle <> ?",
      people.values + [.text(Author.guestHandle)]
    ).map { try $0.text("id") }
    guard named.contains(account) else { return false }
    let row = Entry(news, at: time.nowMs)
    if row.needsName, let actor, !named.contains(actor) { return false }
    return try write(row, to: account, in: transaction)
  }

  private func write(_ row: Entry, to account: String, in transaction: any Transaction) throws -> Bool {
    let now = time.nowMs
    if row.isGroup {
      let known = try transaction.query(
        "SELECT at_ms FROM notifications WHERE account = ? AND about = ?", [.text(account), .text(row.about)]
      ).first
      if let atMs = try known?.integer("at_ms"), now - atMs < Self.quietMs,
        try atMs > reader(account, in: transaction).seenMs
      {
        return true
      }
    }
    let moves = row.isGroup ? "DO UPDATE SET at_ms = excluded.at_ms, id = excluded.id" : "DO NOTHING"
    let written = try transaction.execute(
      """
      INSERT INTO notifications (account, about, id, kind, clip_id, comment_id, at_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account, about) \(moves)
      """,
      [
        .text(account), .text(row.about), .text(Identifier.make(at: time)), .text(row.kind),
        SQLValue(row.clipID), SQLValue(row.commentID), .integer(now),
      ])
    guard written == 1 else { return false }
    try removeOldest(of: account, in: transaction)
    return true
  }

  /// What is more than an account keeps.
  func removeOldest(of account: String, in transaction: any Transaction) throws {
    try transaction.execute(
      """
      DELETE FROM notifications WHERE account = ? AND about IN
          (SELECT about FROM notifications WHERE account = ? ORDER BY at_ms DESC, id DESC LIMIT 100 OFFSET ?)
      """, [.text(account), .text(account), SQLValue(Limits.notifications)])
  }

  // MARK: What is seen

  /// How many entries are new, `Limits.unseenNotifications` at most.
  public func unseen(of account: String) async throws -> UnseenCount {
    try await database.read { try unseen(of: account, in: $0) }
  }

  /// `mark`: of the page that was seen. What happened behind it stays new.
  public func markSeen(upTo mark: String, by account: String) async throws -> UnseenCount {
    // NB: a mark of the future would hide what is still to come.
    let ms = min(SafeInteger.read(mark).map(Int64.init) ?? 0, time.nowMs)
    return try await database.write { transaction in
      try transaction.execute(
        """
        INSERT INTO notification_readers (account, seen_ms, switches) VALUES (?, ?, '')
        ON CONFLICT (account) DO UPDATE SET seen_ms = excluded.seen_ms
        WHERE notification_readers.seen_ms < excluded.seen_ms
        """, [.text(account), .integer(ms)])
      return try unseen(of: account, in: transaction)
    }
  }

  func unseen(of account: String, in transaction: any Transaction) throws -> UnseenCount {
    let reader = try reader(account, in: transaction)
    // NB: left out here, or many that are not told would hide those that are.
    let off = NotificationKind.listed.filter { !reader.switches.isOn(.list, $0) }
    let list = off.isEmpty ? nil : SQLList(off)
    let rows = try transaction.query(
      """
      SELECT * FROM notifications
      WHERE account = ? AND at_ms > ? \(list.map { "AND kind NOT IN \($0.marks)" } ?? "")
      ORDER BY at_ms DESC, id DESC LIMIT ?
      """,
      [.text(account), .integer(reader.seenMs)] + (list?.values ?? [])
        + [SQLValue(Limits.unseenNotifications)])
    guard !rows.isEmpty else { return UnseenCount(unseen: 0) }
    let shown = try entries(rows, of: account, reader, in: transaction)
    return UnseenCount(unseen: shown.count { $0.entry.isNew })
  }

  struct Reader {
    var seenMs: Int64
    var switches: Switches
  }

  func reader(_ account: String, in transaction: any Transaction) throws -> Reader {
    let row = try transaction.query(
      "SELECT seen_ms, switches FROM notification_readers WHERE account = ?", [.text(account)]
    ).first
    return Reader(
      seenMs: try row?.integer("seen_ms") ?? 0, switches: Switches(stored: try row?.text("switches") ?? ""))
  }
}

extension NotificationStore: ViewerMerging, ViewerErasing {
  /// A guest has no list, but may have said what is told on its devices; what the account said goes before.
  public func merge(_ guest: String, into account: String, in transaction: any Transaction) throws {
    try transaction.execute(
      """
      INSERT INTO notification_readers (account, seen_ms, switches)
      SELECT CAST(? AS TEXT), seen_ms, switches FROM notification_readers WHERE account = ?
      ON CONFLICT (account) DO NOTHING
      """, [.text(account), .text(guest)])
    try transaction.execute(
      "UPDATE announced_clips SET author_id = ? WHERE author_id = ?", [.text(account), .text(guest)])
    try erase(guest, in: transaction)
  }

  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    try transaction.execute("DELETE FROM notifications WHERE account = ?", [.text(viewer)])
    try transaction.execute("DELETE FROM notification_readers WHERE account = ?", [.text(viewer)])
    try transaction.execute("DELETE FROM announced_clips WHERE author_id = ?", [.text(viewer)])
  }
}
