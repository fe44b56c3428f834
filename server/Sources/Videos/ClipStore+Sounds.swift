public import Platform

/// The sound that a clip shares with others. Which clips sound alike is not for this module to say.
extension ClipStore {
  public static let soundMigrations = [
    Migration(
      "0071_sounds_of_clips",
      columns + [backlog("CAST(strftime('%s', 'now') AS INTEGER) * 1000")],
      postgreSQL: columns + [backlog("CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT)")])
  ]

  private static let columns = [
    // Nil: no other public clip is known to have it.
    "ALTER TABLE clips ADD COLUMN sound_id TEXT",
    // An id begins with when it was made: a sound's clips are in that order. NB: with the columns by which
    // clips are shown, or each of them is read to count them.
    """
    CREATE INDEX clips_of_sound ON clips (sound_id, id, state, visibility, reach_limited, for_adults)
    WHERE sound_id IS NOT NULL
    """,
    // When what is known of a clip by its sound or language became another, for whoever keeps it.
    "ALTER TABLE clips ADD COLUMN changed_at_ms BIGINT",
    "CREATE INDEX clips_changed ON clips (changed_at_ms) WHERE changed_at_ms IS NOT NULL",
  ]

  /// Each clip of the time before is listened to, behind all other work.
  private static func backlog(_ now: String) -> String {
    """
    INSERT INTO jobs (id, kind, job_key, payload, account, priority, state, attempts, run_at_ms, fencing, step,
                      progress_permille, created_at_ms, updated_at_ms)
    SELECT 'sound-' || id, 'sound', id, '', 'sound of ' || id, 1000000, 'queued', 0, 0, 0, '', 0, \(now), \(now)
    FROM clips WHERE state = 'ready' AND visibility = 'public'
    """
  }

  /// Says which sound a clip has; nil: one that no other has. Nothing for a clip that is gone.
  public func setSound(_ soundID: String?, of clipID: String, in transaction: any Transaction) throws {
    try transaction.lock(clipID)
    let changed = try changes.execute(
      "UPDATE clips SET sound_id = ?, changed_at_ms = ? WHERE id = ? AND sound_id IS DISTINCT FROM ?",
      [SQLValue(soundID), .integer(time.nowMs), .text(clipID), SQLValue(soundID)], in: transaction)
    if changed > 0 { try indexing?.clipChanged(clipID, in: transaction) }
  }
}
