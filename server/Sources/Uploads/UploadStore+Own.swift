internal import Platform

/// What somebody has uploaded: rows whose bytes are there, of clips that were made for them.
extension UploadStore {
  struct Place: Sendable {
    let createdAtMs: Int64
    let id: String

    static let newest = Place(createdAtMs: .max, id: "")
  }

  /// Newest first. Of several uploads of one clip, such as one that was refused and brought again, the last
  /// stands for it.
  func own(of owner: String, below place: Place, limit: Int, in transaction: any Transaction) throws -> [Row]
  {
    try transaction.query(
      """
      SELECT * FROM uploads u
      WHERE owner = ? AND (created_at_ms, id) < (?, ?) AND owns_clip = 1
          AND (state IN ('processing', 'refused') OR state = 'removed' AND expires_at_ms >= ?)
          AND NOT EXISTS (
              SELECT 1 FROM uploads later
              WHERE later.clip_id = u.clip_id AND later.owns_clip = 1
                  AND (later.created_at_ms, later.id) > (u.created_at_ms, u.id))
      ORDER BY created_at_ms DESC, id DESC LIMIT ?
      """,
      [
        .text(owner), .integer(place.createdAtMs), .text(place.id), .integer(time.nowMs), SQLValue(limit),
      ]
    ).map(Self.row)
  }

  func owns(_ clipID: String, _ owner: String, in transaction: any Transaction) throws -> Bool {
    try !transaction.query(
      """
      SELECT 1 AS n FROM uploads
      WHERE clip_id = ? AND owner = ? AND owns_clip = 1 AND state IN ('processing', 'refused') LIMIT 1
      """, [.text(clipID), .text(owner)]
    ).isEmpty
  }

  /// With all others of the same clip; of one that is removed already it says until when anew.
  func remove(_ row: Row, until expiresAtMs: Int64, in transaction: any Transaction) throws {
    try transaction.execute(
      """
      UPDATE uploads SET state = 'removed', expires_at_ms = ?
      WHERE (id = ? OR clip_id = ?) AND owns_clip = 1 AND state IN ('processing', 'refused', 'removed')
      """, [.integer(expiresAtMs), .text(row.id), SQLValue(row.clipID)])
  }

  func restore(_ row: Row, in transaction: any Transaction) throws {
    try transaction.execute(
      """
      UPDATE uploads SET state = CASE WHEN failure_code IS NULL THEN 'processing' ELSE 'refused' END
      WHERE (id = ? OR clip_id = ?) AND owns_clip = 1 AND state = 'removed'
      """, [.text(row.id), SQLValue(row.clipID)])
  }

  /// Those that nobody can have back any more.
  func removed(beforeMs: Int64, in transaction: any Transaction) throws -> [String] {
    try transaction.query(
      "SELECT id FROM uploads WHERE state = 'removed' AND expires_at_ms < ? LIMIT 200", [.integer(beforeMs)]
    ).map { try $0.text("id") }
  }

  /// Nothing of what was said stays; that there was an upload is remembered for as long as of any that is
  /// over.
  func forgetRemoved(_ row: Row, in transaction: any Transaction) throws {
    try transaction.execute(
      """
      UPDATE uploads SET state = 'ended', details = '{}', clip_id = NULL, owner = NULL, failure_code = NULL,
          failure_detail = NULL, digital_source_type = NULL, language = NULL, expires_at_ms = ?
      WHERE (id = ? OR clip_id = ?) AND owns_clip = 1 AND state = 'removed'
      """, [.integer(time.nowMs), .text(row.id), SQLValue(row.clipID)])
  }
}
