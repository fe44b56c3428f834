public import Platform

extension RecommendationStore: ViewerMerging {
  /// What the guest liked, the account likes; what the guest wanted less of, the account does. Whether it may
  /// be learned from is the account's to say, unless it never said anything.
  public func merge(_ guest: String, into account: String, in transaction: any Transaction) throws {
    try transaction.execute(
      """
      INSERT INTO personalisation (viewer_id, is_on)
      SELECT CAST(? AS TEXT), is_on FROM personalisation WHERE viewer_id = ?
      ON CONFLICT (viewer_id) DO NOTHING
      """, [.text(account), .text(guest)])
    try transaction.execute(
      """
      INSERT INTO dismissals (viewer_id, kind, subject, at_ms)
      SELECT CAST(? AS TEXT), kind, subject, at_ms FROM dismissals WHERE viewer_id = ?
      ON CONFLICT (viewer_id, kind, subject) DO NOTHING
      """, [.text(account), .text(guest)])
    try transaction.execute(
      "UPDATE ranking_events SET viewer_id = ? WHERE viewer_id = ?", [.text(account), .text(guest)])
    try transaction.execute(
      "UPDATE shown_clips SET viewer_id = ? WHERE viewer_id = ?", [.text(account), .text(guest)])
    try eraseRows(of: guest, in: transaction)
    if try isPersonalised(account, in: transaction) {
      try log.append(EventLog.Entry(.merge, subject: guest), by: account, in: transaction)
    }
  }
}

extension RecommendationStore: ViewerErasing {
  /// Processes take the viewer out of what they have learned when they look for who left (`LogReader`).
  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    try eraseRows(of: viewer, in: transaction)
    try transaction.execute("DELETE FROM ranking_events WHERE subject = ?", [.text(viewer)])
    try state.snapshots.erase(in: transaction)
  }

  private func eraseRows(of viewer: String, in transaction: any Transaction) throws {
    for table in ["ranking_events", "shown_clips", "dismissals", "personalisation"] {
      try transaction.execute("DELETE FROM \(table) WHERE viewer_id = ?", [.text(viewer)])
    }
  }
}
