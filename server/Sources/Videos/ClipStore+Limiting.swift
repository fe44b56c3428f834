public import Platform

/// Clips that are not for everybody, or not put before everybody.
///
/// Who says that a clip is for adults counts apart, its creator or moderators: what one of them takes back
/// leaves what the other says. What is limited in its reach stays public wherever people go to it.
extension ClipStore {
  public static let limitMigrations = [
    Migration(
      "0059_limited_clips",
      [
        // Who says that it is for adults alone: 1 its creator, 2 moderators, 3 both, 0 nobody.
        "ALTER TABLE clips ADD COLUMN for_adults BIGINT NOT NULL DEFAULT 0",
        // 1: moderators have it put before nobody who did not go to it.
        "ALTER TABLE clips ADD COLUMN reach_limited BIGINT NOT NULL DEFAULT 0",
        // With the new columns, for the reason that they have all others.
        "DROP INDEX clips_in_feed",
        """
        CREATE INDEX clips_in_feed ON clips (published_number, id, state, visibility, for_adults, reach_limited)
        WHERE state = 'ready' AND visibility = 'public'
        """,
        "DROP INDEX clips_of_author",
        """
        CREATE INDEX clips_of_author ON clips (author_id, published_number, id, state, visibility, for_adults)
        WHERE state = 'ready' AND visibility = 'public'
        """,
      ])
  ]

  /// As its creator says.
  func mark(_ clipID: String, forAdults isForAdults: Bool, in transaction: any Transaction) throws {
    try transaction.lock(clipID)
    try changes.execute(
      "UPDATE clips SET for_adults = (for_adults & 2) | \(isForAdults ? 1 : 0) WHERE id = ?",
      [.text(clipID)], in: transaction)
  }

  /// As moderators say. False: they say so already, or there is no such clip, or its owner has deleted it.
  public func limitAge(of clipID: String, in transaction: any Transaction) throws -> Bool {
    try transaction.lock(clipID)
    return try changes.execute(
      """
      UPDATE clips SET for_adults = for_adults | 2
      WHERE id = ? AND (for_adults & 2) = 0 AND removed_visibility IS NULL
      """, [.text(clipID)], in: transaction) == 1
  }

  /// What its creator says stays.
  public func liftAgeLimit(of clipID: String, in transaction: any Transaction) throws {
    try transaction.lock(clipID)
    try changes.execute(
      "UPDATE clips SET for_adults = for_adults & 1 WHERE id = ?", [.text(clipID)], in: transaction)
  }

  /// False: as for `limitAge`.
  public func limitReach(of clipID: String, in transaction: any Transaction) throws -> Bool {
    try transaction.lock(clipID)
    let changed = try changes.execute(
      """
      UPDATE clips SET reach_limited = 1
      WHERE id = ? AND reach_limited = 0 AND removed_visibility IS NULL
      """, [.text(clipID)], in: transaction)
    try indexing?.clipChanged(clipID, in: transaction)
    return changed == 1
  }

  /// It takes its old place in the feed, where those find it who have passed it meanwhile.
  public func liftReachLimit(of clipID: String, in transaction: any Transaction) throws {
    try transaction.lock(clipID)
    try changes.execute(
      "UPDATE clips SET reach_limited = 0, returned_at_ms = ? WHERE id = ? AND reach_limited = 1",
      [.integer(time.nowMs), .text(clipID)], in: transaction)
    try indexing?.clipChanged(clipID, in: transaction)
  }
}
