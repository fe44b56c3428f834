public import Platform

/// The sound that a clip shares with others. Which clips sound alike is not for this module to say.
extension ClipStore {
  public static let soundMigrations = [
    Migration(
      "0071_sounds_of_clips",
      [
        // Nil: no other public clip is known to have it.
        "ALTER TABLE clips ADD COLUMN sound_id TEXT",
        // An id begins with when it was made: a sound's clips are in that order.
        "CREATE INDEX clips_of_sound ON clips (sound_id, id) WHERE sound_id IS NOT NULL",
        // Each clip of the time before is listened to, behind all other work.
        """
        INSERT INTO jobs (id, kind, job_key, payload, account, priority, state, attempts, run_at_ms, fencing, step,
                          progress_permille, created_at_ms, updated_at_ms)
        SELECT 'sound-' || id, 'sound', id, '', '', 1000000, 'queued', 0, 0, 0, '', 0, created_at_ms, created_at_ms
        FROM clips WHERE state = 'ready' AND visibility = 'public'
        """,
      ])
  ]

  /// Says which sound a clip has; nil: one that no other has. Nothing for a clip that is gone.
  public func setSound(_ soundID: String?, of clipID: String, in transaction: any Transaction) throws {
    try transaction.lock(clipID)
    // Whoever keeps what is known of clips by the feed's order looks at this one again.
    let changed = try changes.execute(
      """
      UPDATE clips SET sound_id = ?, returned_at_ms = CASE WHEN visibility = 'public' THEN ? ELSE returned_at_ms END
      WHERE id = ? AND sound_id IS DISTINCT FROM ?
      """, [SQLValue(soundID), .integer(time.nowMs), .text(clipID), SQLValue(soundID)], in: transaction)
    if changed > 0 { try indexing?.clipChanged(clipID, in: transaction) }
  }
}
