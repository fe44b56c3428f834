internal import Contract
internal import Foundation
internal import Platform

/// What owners of accounts are told of, and the messages about it that are still to be sent.
struct NoticeStore: Sendable {
  static let migration = Migration(
    "0027_account_notices",
    [
      """
      CREATE TABLE account_notices (
          account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, id TEXT NOT NULL, kind TEXT NOT NULL,
          device TEXT, provider TEXT, times BIGINT NOT NULL, at_ms BIGINT NOT NULL, PRIMARY KEY (account_id, id))
      """,
      "CREATE INDEX account_notices_by_time ON account_notices (at_ms)",
      // With all that a message says: its notice may have made room for newer ones when it is sent at last.
      """
      CREATE TABLE notice_mails (
          account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, id TEXT NOT NULL, address TEXT NOT NULL,
          kind TEXT NOT NULL, device TEXT, provider TEXT, at_ms BIGINT NOT NULL, tries BIGINT NOT NULL,
          due_at_ms BIGINT NOT NULL, PRIMARY KEY (account_id, id))
      """,
      "CREATE INDEX notice_mails_by_time ON notice_mails (due_at_ms)",
    ])

  /// Notices of a kind within a day; what comes on top joins the newest, and is written to nobody. Whoever
  /// signs in a thousand times neither fills a mailbox nor pushes out what else happened.
  static let ofAKindInADay = 10
  static let dayMs: Int64 = 86_400_000

  struct Notice: Sendable, Equatable {
    var kind: AccountNotice.Kind
    var device: String?
    var provider: String?
  }

  let time: any TimeSource

  /// `addresses`: who is written to as well.
  func add(
    _ notice: Notice, to account: String, addresses: [String], in transaction: any Transaction
  ) throws {
    let now = time.nowMs
    let today = try transaction.query(
      """
      SELECT id, times FROM account_notices WHERE account_id = ? AND kind = ? AND at_ms > ?
      ORDER BY id DESC LIMIT ?
      """,
      [
        .text(account), .text(notice.kind.rawValue), .integer(now - Self.dayMs), SQLValue(Self.ofAKindInADay),
      ])
    var times: Int64 = 1
    if today.count == Self.ofAKindInADay, let newest = today.first {
      times = min(try newest.integer("times"), Int64(Int32.max) - 1) + 1
      try transaction.execute(
        "DELETE FROM account_notices WHERE account_id = ? AND id = ?",
        [.text(account), .text(try newest.text("id"))])
    } else {
      try write(notice, to: account, addresses: addresses, in: transaction)
    }
    try transaction.execute(
      """
      INSERT INTO account_notices (account_id, id, kind, device, provider, times, at_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(account), .text(Identifier.make(at: time)), .text(notice.kind.rawValue),
        SQLValue(notice.device), SQLValue(notice.provider), .integer(times), .integer(now),
      ])
    try transaction.execute(
      """
      DELETE FROM account_notices WHERE account_id = ? AND id <=
          (SELECT id FROM account_notices WHERE account_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)
      """, [.text(account), .text(account), SQLValue(Limits.notices)])
  }

  func has(
    _ kind: AccountNotice.Kind, since sinceMs: Int64, of account: String, in transaction: any Transaction
  )
    throws -> Bool
  {
    try !transaction.query(
      "SELECT 1 AS n FROM account_notices WHERE account_id = ? AND kind = ? AND at_ms > ? LIMIT 1",
      [.text(account), .text(kind.rawValue), .integer(sinceMs)]
    ).isEmpty
  }

  /// Newest first, as many as asked for and one more where there is one. `place`: the id of the last one
  /// before.
  func list(
    of account: String, below place: String?, limit: Int, in transaction: any Transaction
  ) throws -> [AccountNotice] {
    // Above every id, which begins with a hexadecimal digit.
    try transaction.query(
      """
      SELECT * FROM account_notices WHERE account_id = ? AND id < ? AND at_ms >= ? ORDER BY id DESC LIMIT ?
      """,
      [.text(account), .text(place ?? "~"), .integer(time.nowMs - Limits.noticeLifeMs), SQLValue(limit + 1)]
    ).map { row in
      AccountNotice(
        id: try row.text("id"), kind: try row.text("kind"),
        createdAt: Date(timeIntervalSince1970: Double(try row.integer("at_ms")) / 1000),
        device: row.optionalText("device"), provider: row.optionalText("provider"),
        times: Int(clamping: try row.integer("times")))
    }
  }

  /// Rows of one transaction of the sweep: others wait for it.
  private static let sweptAtOnce = 1000

  /// True if there may be more that is too old.
  func forget(in transaction: any Transaction) throws -> Bool {
    try transaction.execute(
      """
      DELETE FROM account_notices WHERE (account_id, id) IN
          (SELECT account_id, id FROM account_notices WHERE at_ms < ? LIMIT ?)
      """, [.integer(time.nowMs - Limits.noticeLifeMs), SQLValue(Self.sweptAtOnce)]) == Self.sweptAtOnce
  }

  // MARK: Messages

  struct Due: Sendable {
    var id: String
    var account: String
    var address: String
    var notice: Notice
    var atMs: Int64
  }

  /// Nearly three days. A mail program that takes none for so long never will.
  static let mailTries: Int64 = 12
  private static let firstWaitMs: Int64 = 60_000

  private func write(
    _ notice: Notice, to account: String, addresses: [String], in transaction: any Transaction
  ) throws {
    for address in addresses {
      try transaction.execute(
        """
        INSERT INTO notice_mails (account_id, id, address, kind, device, provider, at_ms, tries, due_at_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)
        """,
        [
          .text(account), .text(Identifier.make(at: time)), .text(address), .text(notice.kind.rawValue),
          SQLValue(notice.device), SQLValue(notice.provider), .integer(time.nowMs), .integer(time.nowMs),
        ])
    }
  }

  /// One that is due, which counts as tried; nil: there is none. Another process gets another one.
  func takeMail(in transaction: any Transaction) throws -> Due? {
    let now = time.nowMs
    let row = try transaction.query(
      "SELECT * FROM notice_mails WHERE due_at_ms <= ? ORDER BY due_at_ms LIMIT 1", [.integer(now)],
      locking: .skip
    ).first
    guard let row else { return nil }
    let (id, account, tries) = (try row.text("id"), try row.text("account_id"), try row.integer("tries"))
    // What is tried for the last time now is not tried again, whatever becomes of it.
    if tries >= Self.mailTries - 1 {
      try removeMail(id, of: account, in: transaction)
    } else {
      try transaction.execute(
        "UPDATE notice_mails SET tries = tries + 1, due_at_ms = ? WHERE account_id = ? AND id = ?",
        [.integer(now + Self.firstWaitMs << max(0, min(tries, 11))), .text(account), .text(id)])
    }
    // Of a newer version, which sends it.
    guard let kind = AccountNotice.Kind(rawValue: try row.text("kind")) else {
      return try takeMail(in: transaction)
    }
    return Due(
      id: id, account: account, address: try row.text("address"),
      notice: Notice(kind: kind, device: row.optionalText("device"), provider: row.optionalText("provider")),
      atMs: try row.integer("at_ms"))
  }

  func removeMail(_ id: String, of account: String, in transaction: any Transaction) throws {
    try transaction.execute(
      "DELETE FROM notice_mails WHERE account_id = ? AND id = ?", [.text(account), .text(id)])
  }
}
