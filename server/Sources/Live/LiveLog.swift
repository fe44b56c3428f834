internal import Contract
internal import Foundation
public import Platform

/// What accounts are to hear of: a log for each, the account first in the key, ids sorting by time, kept for
/// some days.
///
/// Ids are made before their transactions end. So one may become visible after a later one; whoever reads
/// looks back to `settledMs`, however long a transaction takes.
public struct LiveLog: Sendable {
  /// How far the clocks of servers may be apart.
  public static let clocksMs: Int64 = 10_000
  /// Under which transactions say that an event is on its way.
  private static let mark = "live events"
  public static let retentionMs: Int64 = 3 * 86_400_000

  public static let migrations = [
    Migration(
      "0018_live_events",
      [
        """
        CREATE TABLE live_events (
            account TEXT NOT NULL, id TEXT NOT NULL, about TEXT NOT NULL, kind TEXT NOT NULL, actor_id TEXT NOT NULL,
            clip_id TEXT, created_at_ms BIGINT NOT NULL, PRIMARY KEY (account, id))
        """,
        "CREATE UNIQUE INDEX live_events_once ON live_events (account, about)",
        "CREATE INDEX live_events_of_actor ON live_events (actor_id)",
        "CREATE INDEX live_events_age ON live_events (created_at_ms)",
      ]),
    // What an event is about beside a clip: a message's id, a reaction.
    Migration("0029_live_subjects", ["ALTER TABLE live_events ADD COLUMN subject TEXT"]),
  ]

  private let database: any Database
  private let time: any TimeSource

  public init(database: any Database, time: any TimeSource) {
    self.database = database
    self.time = time
  }

  /// False: it was there, or is none.
  func append(to account: String, _ notice: LiveNotice, in transaction: any Transaction) throws -> Bool {
    guard notice.actorID != account else { return false }
    // NB: before the id is made, which is thus of the marked second or a later one.
    try transaction.mark(Self.mark, time.nowMs / 1000)
    return try transaction.execute(
      """
      INSERT INTO live_events (account, id, about, kind, actor_id, clip_id, created_at_ms, subject)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account, about) DO NOTHING
      """,
      [
        .text(account), .text(Identifier.make(at: time)),
        .text(
          "\(notice.kind)/\(notice.clipID ?? "")/\(notice.actorID)\(notice.mark.map { "/\($0)" } ?? "")"),
        .text(notice.kind), .text(notice.actorID), SQLValue(notice.clipID), .integer(time.nowMs),
        SQLValue(notice.subject),
      ]) == 1
  }

  /// Every event of before this instant is visible to whoever reads from now on, or will never be.
  func settledMs() async throws -> Int64 {
    let nowMs = time.nowMs
    let lowest = try await database.write { try $0.lowestMark(Self.mark) }
    return min(nowMs, lowest.map { $0 * 1000 } ?? nowMs) - Self.clocksMs
  }

  /// In the order of their ids: those behind `id`, or from an instant on.
  func events(of account: String, from start: LiveStart, limit: Int) async throws -> [LiveEvent] {
    let (comparison, bound) =
      switch start {
      case .behind(let id): (">", id)
      case .at(let ms): (">=", LiveStart.firstID(at: ms))
      }
    let rows = try await database.read {
      try $0.query(
        """
        SELECT e.id, e.kind, e.actor_id, e.created_at_ms, e.clip_id, e.subject, a.id AS author_id, a.handle, a.name, a.picture
        FROM live_events e LEFT JOIN authors a ON a.id = e.actor_id
        WHERE e.account = ? AND e.id \(comparison) ? ORDER BY e.id LIMIT ?
        """, [.text(account), .text(bound), SQLValue(limit)])
    }
    return try rows.map { row in
      var actor: Author?
      if let id = row.optionalText("author_id") {
        actor = try row.author(id)
      }
      let (kind, subject) = (try row.text("kind"), row.optionalText("subject"))
      // Who writes is answered by that id, also without an account.
      if kind == LiveEvent.message, actor == nil { actor = .guest(try row.text("actor_id")) }
      return LiveEvent(
        id: try row.text("id"), kind: kind,
        createdAt: Date(timeIntervalSince1970: Double(try row.integer("created_at_ms")) / 1000), actor: actor,
        clipId: row.optionalText("clip_id"), messageId: kind == LiveEvent.message ? subject : nil,
        reaction: kind == LiveEvent.reaction ? subject : nil,
        commentId: LiveEvent.ofComments.contains(kind) ? subject : nil)
    }
  }

  /// Which of these accounts have any event from this instant on.
  func changed(_ accounts: [String], from ms: Int64) async throws -> Set<String> {
    var changed: Set<String> = []
    for start in stride(from: 0, to: accounts.count, by: Self.accountsOfAQuery) {
      let some = accounts[start..<min(start + Self.accountsOfAQuery, accounts.count)]
      let marks = some.map { _ in "?" }.joined(separator: ", ")
      let rows = try await database.read {
        try $0.query(
          "SELECT DISTINCT account FROM live_events WHERE account IN (\(marks)) AND id >= ?",
          some.map(SQLValue.text) + [.text(LiveStart.firstID(at: ms))])
      }
      for row in rows { changed.insert(try row.text("account")) }
    }
    return changed
  }

  static let accountsOfAQuery = 200
  static let rowsOfASweep = 1000

  /// Removes what is older than `retentionMs`, in small transactions. Counts what was removed.
  @discardableResult
  public func sweep() async throws -> Int {
    let limit = time.nowMs - Self.retentionMs
    var total = 0
    while true {
      let removed = try await database.write {
        try $0.execute(
          """
          DELETE FROM live_events WHERE (account, id) IN
              (SELECT account, id FROM live_events WHERE created_at_ms < ? LIMIT \(Self.rowsOfASweep))
          """, [.integer(limit)])
      }
      total += removed
      if removed < Self.rowsOfASweep { return total }
    }
  }
}

/// Where a reading starts.
enum LiveStart: Sendable {
  case behind(String)
  case at(Int64)

  /// Not above any id of this millisecond.
  static func firstID(at ms: Int64) -> String {
    let digits = String(max(0, ms), radix: 16)
    let padded = String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    return "\(padded.prefix(8))-\(padded.dropFirst(8))"
  }

  /// When an id was made; nil for what is none.
  static func ms(of id: String) -> Int64? {
    Int64(id.prefix(13).replacing(byte: UInt8(ascii: "-"), with: ""), radix: 16)
  }
}

extension LiveLog: ViewerMerging, ViewerErasing {
  public func merge(_ guest: String, into account: String, in transaction: any Transaction) throws {
    // NB: written anew rather than changed: the account is what rows are distributed by.
    try transaction.execute(
      """
      INSERT INTO live_events (account, id, about, kind, actor_id, clip_id, created_at_ms, subject)
      SELECT CAST(? AS TEXT), id, about, kind, actor_id, clip_id, created_at_ms, subject FROM live_events
      WHERE account = ? AND actor_id <> ? ON CONFLICT DO NOTHING
      """, [.text(account), .text(guest), .text(account)])
    try transaction.execute("DELETE FROM live_events WHERE account = ?", [.text(guest)])
    // What the guest did to the account's own clips was done by oneself.
    try transaction.execute(
      "DELETE FROM live_events WHERE account = ? AND actor_id = ?", [.text(account), .text(guest)])
    try transaction.execute(
      "UPDATE live_events SET actor_id = ? WHERE actor_id = ?", [.text(account), .text(guest)])
  }

  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    try transaction.execute("DELETE FROM live_events WHERE account = ?", [.text(viewer)])
    try transaction.execute("DELETE FROM live_events WHERE actor_id = ?", [.text(viewer)])
  }
}
