internal import Contract
internal import Foundation
internal import Platform

/// Uploads in the database: everything about them but their bytes, whose number the bytes themselves tell.
///
/// A row is written when an upload is made, when it shows a sign of life, and when it ends; never for a piece
/// of it.
struct UploadStore: Sendable {
  enum State: String, Sendable {
    case receiving, processing, refused, expired, ended
    /// Its clip was deleted, and can be had back until the upload expires.
    case removed
  }

  struct Row: Sendable {
    var id: String
    var account: String
    var sizeBytes: Int?
    var sha256: String?
    var mediaType: String
    /// Published without being asked, for protocols that know no such request.
    var publishesItself: Bool
    var state: State
    var details: ClipDetails
    var clipID: String?
    /// The clip was made for this upload, and is not somebody else's of the same content.
    var ownsClip = true
    var failureCode: String?
    var failureDetail: String?
    var expiresAtMs: Int64
    /// Where the parts of one lie that goes straight to the storage.
    var direct: DirectUpload?
    /// A commit has begun to join its parts, so that the storage may know it no more although nothing is
    /// lost.
    var isJoined = false
    /// Bytes that are there, or that a request was given room for. Never less than what lies on the disk.
    var heldBytes = 0
    /// In whose list it stands: an account's or a guest's id. Nil: of a guest who was not known.
    var owner: String?
    /// AI made it here, as its clip says.
    var isGenerated = false
    /// What a file said of AI of which this one was made, as its sender tells.
    var digitalSourceType: DigitalSourceType?
    /// What its sender reads, by which the clip's language is guessed where `details` have none.
    var language: String?
    var createdAtMs: Int64 = 0
  }

  static let migrations = [
    Migration(
      "0008_uploads",
      [
        """
        CREATE TABLE uploads (
            id TEXT PRIMARY KEY, account TEXT NOT NULL, idempotency_key TEXT UNIQUE, size_bytes BIGINT, sha256 TEXT,
            media_type TEXT NOT NULL, publishes_itself BIGINT NOT NULL, state TEXT NOT NULL, details TEXT NOT NULL,
            clip_id TEXT, failure_code TEXT, failure_detail TEXT,
            created_at_ms BIGINT NOT NULL, expires_at_ms BIGINT NOT NULL)
        """,
        "CREATE INDEX uploads_by_expiry ON uploads (state, expires_at_ms)",
        "CREATE INDEX uploads_of_account ON uploads (account, created_at_ms)",
      ]),
    Migration(
      "0012_clip_owners", ["ALTER TABLE uploads ADD COLUMN owns_clip BIGINT NOT NULL DEFAULT 1"]),
    Migration(
      "0013_direct_uploads",
      [
        "ALTER TABLE uploads ADD COLUMN direct_place TEXT",
        "ALTER TABLE uploads ADD COLUMN direct_id TEXT",
        "ALTER TABLE uploads ADD COLUMN direct_joined BIGINT NOT NULL DEFAULT 0",
        "CREATE INDEX uploads_by_direct ON uploads (direct_id)",
      ]),
    Migration(
      "0025_upload_shares",
      [
        // Whose idempotency key it is: nobody is given another's upload for knowing its key. A guest of the
        // time before is known by an address alone, which is not enough.
        "ALTER TABLE uploads ADD COLUMN creator TEXT",
        "ALTER TABLE uploads ADD COLUMN creator_key TEXT",
        """
        UPDATE uploads SET creator = substr(account, 9), creator_key = idempotency_key
        WHERE account LIKE 'account:%' AND idempotency_key IS NOT NULL
        """,
        "UPDATE uploads SET idempotency_key = NULL",
        "CREATE UNIQUE INDEX uploads_by_creator ON uploads (creator, creator_key)",
        "ALTER TABLE uploads ADD COLUMN held_bytes BIGINT NOT NULL DEFAULT 0",
        "UPDATE uploads SET held_bytes = COALESCE(size_bytes, 0) WHERE state = 'receiving'",
        // Addresses of guests are kept no more.
        "UPDATE uploads SET account = 'guest:' || id WHERE account LIKE 'guest:%'",
      ]),
    Migration(
      "0033_own_clips",
      [
        // In whose list it stands, and nothing about who may change it.
        "ALTER TABLE uploads ADD COLUMN owner TEXT",
        "UPDATE uploads SET owner = CASE WHEN account LIKE 'account:%' THEN substr(account, 9) ELSE creator END",
        "CREATE INDEX uploads_of_owner ON uploads (owner, created_at_ms, id)",
        "CREATE INDEX uploads_of_clip ON uploads (clip_id)",
      ]),
    Migration(
      "0061_generated_uploads",
      ["ALTER TABLE uploads ADD COLUMN ai_generated BIGINT NOT NULL DEFAULT 0"]),
    Migration(
      "0070_declared_sources",
      ["ALTER TABLE uploads ADD COLUMN digital_source_type TEXT"]),
    Migration(
      "0075_languages_of_uploads",
      ["ALTER TABLE uploads ADD COLUMN language TEXT"]),
  ]

  let time: any TimeSource

  func find(_ id: String, in transaction: any Transaction) throws -> Row? {
    try transaction.query("SELECT * FROM uploads WHERE id = ?", [.text(id)]).first.map(Self.row)
  }

  /// As it is until the transaction ends, whoever else wants to change it.
  func findToChange(_ id: String, in transaction: any Transaction) throws -> Row? {
    try transaction.query("SELECT * FROM uploads WHERE id = ?", [.text(id)], locking: .wait).first.map(
      Self.row)
  }

  func find(_ key: IdempotencyKey, in transaction: any Transaction) throws -> Row? {
    try transaction.query(
      "SELECT * FROM uploads WHERE creator = ? AND creator_key = ?", [.text(key.creator), .text(key.text)]
    ).first.map(Self.row)
  }

  func insert(_ row: Row, key: IdempotencyKey?, in transaction: any Transaction) throws {
    try transaction.execute(
      """
      INSERT INTO uploads (id, account, creator, creator_key, size_bytes, sha256, media_type, publishes_itself, state,
          details, created_at_ms, expires_at_ms, direct_place, direct_id, owner, ai_generated,
          digital_source_type, language)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(row.id), .text(row.account), SQLValue(key?.creator), SQLValue(key?.text),
        SQLValue(row.sizeBytes.map(Int64.init)),
        SQLValue(row.sha256), .text(row.mediaType), SQLValue(row.publishesItself ? 1 : 0),
        .text(row.state.rawValue), .text(try Self.json(row.details)), .integer(time.nowMs),
        .integer(row.expiresAtMs), SQLValue(row.direct?.place), SQLValue(row.direct?.id),
        SQLValue(row.owner), SQLValue(row.isGenerated ? 1 : 0), SQLValue(row.digitalSourceType?.rawValue),
        SQLValue(row.language),
      ])
  }

  /// What counts against the account's and the instance's share. `accounts`: the names that it had within
  /// that time. Those who ask in order to begin one do it one after the other.
  func load(of accounts: [String], sinceMs: Int64, in transaction: any Transaction) throws -> (
    open: Int, bytesOfDay: Int, openBytes: Int
  ) {
    let list = SQLList(accounts)
    let mine = try transaction.query(
      """
      SELECT COALESCE(SUM(COALESCE(size_bytes, held_bytes)), 0) AS bytes,
          COALESCE(SUM(CASE WHEN state = 'receiving' AND expires_at_ms >= ? THEN 1 ELSE 0 END), 0) AS open
      FROM uploads WHERE account IN \(list.marks) AND created_at_ms >= ?
      """, [.integer(time.nowMs)] + list.values + [.integer(sinceMs)])[0]
    return (
      Int(try mine.integer("open")), Int(try mine.integer("bytes")), try openBytes(in: transaction)
    )
  }

  /// Of all uploads that are open, or of all others than this.
  func openBytes(besides id: String = "", in transaction: any Transaction) throws -> Int {
    let share = UploadRules.declaredShare
    let all = try transaction.query(
      """
      SELECT COALESCE(SUM(CASE WHEN held_bytes > 0 THEN held_bytes ELSE COALESCE(size_bytes, 0) / \(share) END), 0) AS bytes
      FROM uploads WHERE state = 'receiving' AND expires_at_ms >= ? AND id <> ?
      """, [.integer(time.nowMs), .text(id)])[0]
    return Int(try all.integer("bytes"))
  }

  /// A sign of life, and how many bytes are there, or soon may be.
  func hold(
    _ bytes: Int, of id: String, until expiresAtMs: Int64, in transaction: any Transaction
  ) throws {
    try transaction.execute(
      "UPDATE uploads SET held_bytes = ?, expires_at_ms = ? WHERE id = ? AND state = 'receiving'",
      [SQLValue(bytes), .integer(expiresAtMs), .text(id)])
  }

  func declare(_ id: String, size: Int, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE uploads SET size_bytes = ? WHERE id = ? AND size_bytes IS NULL", [SQLValue(size), .text(id)])
  }

  func describe(_ id: String, _ details: ClipDetails, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE uploads SET details = ? WHERE id = ?", [.text(try Self.json(details)), .text(id)])
  }

  /// Out of `receiving`. False: somebody else was first.
  func end(
    _ id: String, as state: State, clip: String? = nil, owned: Bool = true, because error: AppError? = nil,
    in transaction: any Transaction
  ) throws -> Bool {
    try transaction.execute(
      """
      UPDATE uploads SET state = ?, clip_id = ?, owns_clip = ?, failure_code = ?, failure_detail = ?
      WHERE id = ? AND state = 'receiving'
      """,
      [
        .text(state.rawValue), SQLValue(clip), SQLValue(owned ? 1 : 0), SQLValue(error?.code.rawValue),
        SQLValue(error?.message),
        .text(id),
      ]) == 1
  }

  /// False: it is over already, or somebody went on with it.
  func expire(_ id: String, atMs nowMs: Int64, in transaction: any Transaction) throws -> Bool {
    try transaction.execute(
      "UPDATE uploads SET state = ? WHERE id = ? AND state = 'receiving' AND expires_at_ms < ?",
      [.text(State.expired.rawValue), .text(id), .integer(nowMs)]) == 1
  }

  func expired(atMs nowMs: Int64, in transaction: any Transaction) throws -> [Row] {
    try transaction.query(
      "SELECT * FROM uploads WHERE state = 'receiving' AND expires_at_ms < ?", [.integer(nowMs)]
    ).map(Self.row)
  }

  /// Those that publish themselves, and of which all bytes may be there: the bytes themselves know.
  func whole(expiringBeforeMs timeMs: Int64, in transaction: any Transaction) throws -> [Row] {
    try transaction.query(
      """
      SELECT * FROM uploads
      WHERE state = 'receiving' AND expires_at_ms < ? AND publishes_itself = 1 AND held_bytes >= size_bytes
      """, [.integer(timeMs)]
    ).map(Self.row)
  }

  func isReceiving(_ id: String, in transaction: any Transaction) throws -> Bool {
    try find(id, in: transaction)?.state == .receiving
  }

  /// Those that ended, or should have, before this instant. Not those with a clip of their own: their ids are
  /// all by which its owner is known.
  func forget(beforeMs: Int64, in transaction: any Transaction) throws {
    try transaction.execute(
      """
      DELETE FROM uploads
      WHERE state <> 'receiving' AND expires_at_ms < ? AND (clip_id IS NULL OR owns_clip = 0)
      """, [.integer(beforeMs)])
  }

  static func row(_ row: Platform.Row) throws -> Row {
    Row(
      id: try row.text("id"), account: try row.text("account"),
      sizeBytes: row.optionalInteger("size_bytes").map(Int.init), sha256: row.optionalText("sha256"),
      mediaType: try row.text("media_type"), publishesItself: try row.integer("publishes_itself") == 1,
      state: State(rawValue: try row.text("state")) ?? .ended,
      details: try WireCoding.decode(from: Data(try row.text("details").utf8)),
      clipID: row.optionalText("clip_id"), ownsClip: try row.integer("owns_clip") == 1,
      failureCode: row.optionalText("failure_code"),
      failureDetail: row.optionalText("failure_detail"), expiresAtMs: try row.integer("expires_at_ms"),
      direct: direct(row), isJoined: try row.integer("direct_joined") == 1,
      heldBytes: Int(try row.integer("held_bytes")), owner: row.optionalText("owner"),
      isGenerated: try row.integer("ai_generated") == 1,
      digitalSourceType: row.optionalText("digital_source_type").flatMap { DigitalSourceType(rawValue: $0) },
      language: row.optionalText("language"),
      createdAtMs: try row.integer("created_at_ms"))
  }

  private static func direct(_ row: Platform.Row) -> DirectUpload? {
    guard let place = row.optionalText("direct_place"), let id = row.optionalText("direct_id") else {
      return nil
    }
    return DirectUpload(place: place, id: id)
  }

  private static func json(_ details: ClipDetails) throws -> String {
    String(decoding: try WireCoding.encode(details), as: UTF8.self)
  }
}
