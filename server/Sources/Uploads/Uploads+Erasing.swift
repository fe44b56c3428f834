public import Platform

extension Uploads: ViewerErasing {
  /// The rows stay for a while without what was said in them, since some of them name parts in a storage that has to be
  /// told; the sweep removes those, the bytes and then the rows.
  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    try transaction.execute(
      """
      UPDATE uploads SET state = 'ended', account = '', details = '{}', idempotency_key = NULL, creator = NULL,
          creator_key = NULL, clip_id = NULL,
          failure_code = NULL, failure_detail = NULL, expires_at_ms = ?
      WHERE account = ?
      """, [.integer(time.nowMs), .text(UploadOwner.account(viewer).description)])
  }
}
