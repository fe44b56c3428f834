public import Platform

extension Uploads: ViewerErasing {
  /// The rows stay for a while without what was said in them, since some of them name parts in a storage that
  /// has to be told; the sweep removes those, the bytes and then the rows. What the account uploaded while it
  /// was a guest stands in its list, and goes with it; its author is that of all guests, so nobody else
  /// deletes it.
  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    let account = UploadOwner.account(viewer).description
    let asGuest = try transaction.query(
      "SELECT clip_id FROM uploads WHERE owner = ? AND account <> ? AND owns_clip = 1 AND clip_id IS NOT NULL",
      [.text(viewer), .text(account)])
    for (condition, value) in [("account = ?", account), ("owner = ?", viewer)] {
      try transaction.execute(
        """
        UPDATE uploads SET state = 'ended', account = '', details = '{}', idempotency_key = NULL, creator = NULL,
            creator_key = NULL, clip_id = NULL, owner = NULL,
            failure_code = NULL, failure_detail = NULL, language = NULL, expires_at_ms = ?
        WHERE \(condition)
        """, [.integer(time.nowMs), .text(value)])
    }
    for row in asGuest { try clips.delete(try row.text("clip_id"), in: transaction) }
  }
}
