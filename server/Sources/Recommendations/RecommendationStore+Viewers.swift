public import Platform

extension RecommendationStore: ViewerMerging {
  /// What the guest liked, the account likes; what the guest wanted less of, the account does. Whether it may
  /// be learned from is the account's to say, unless it never said anything. If not, what either of them
  /// taught is forgotten.
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
    try eraseRows(of: guest, from: ["dismissals", "personalisation"], in: transaction)
    guard try isPersonalised(account, in: transaction) else {
      for viewer in [guest, account] { try forget(viewer, in: transaction) }
      return
    }
    // NB: what the guest took back stays the guest's, or whoever reads it late would forget the account.
    try transaction.execute(
      "UPDATE ranking_events SET viewer_id = ? WHERE viewer_id = ? AND kind <> ?",
      [.text(account), .text(guest), .text(EventLog.Kind.forget.rawValue)])
    try transaction.execute(
      "UPDATE shown_clips SET viewer_id = ? WHERE viewer_id = ?", [.text(account), .text(guest)])
    try log.append(EventLog.Entry(.merge, subject: guest), by: account, in: transaction)
  }
}

extension RecommendationStore: ViewerErasing {
  /// Processes take the viewer out of what they have learned when they look for who left (`LogReader`).
  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    try eraseRows(
      of: viewer, from: ["ranking_events", "shown_clips", "dismissals", "personalisation"], in: transaction)
    try transaction.execute("DELETE FROM ranking_events WHERE subject = ?", [.text(viewer)])
    try state.snapshots.erase(in: transaction)
  }

  private func eraseRows(
    of viewer: String, from tables: [String], in transaction: any Transaction
  ) throws {
    for table in tables {
      try transaction.execute("DELETE FROM \(table) WHERE viewer_id = ?", [.text(viewer)])
    }
  }
}
