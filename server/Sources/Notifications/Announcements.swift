public import Platform

/// Clips that followers hear of: each once, when everybody can see it for the first time. `FanOut` is the job
/// that tells them.
public struct Announcements: Sendable {
  static let table = [
    // `group_id`: the first clip that its author announced on that day; what is of one group is told as one.
    // `place`: the last follower who was told, in the order of ids; NULL: all were.
    """
    CREATE TABLE announced_clips (
        clip_id TEXT PRIMARY KEY, author_id TEXT NOT NULL, group_id TEXT NOT NULL, at_ms BIGINT NOT NULL,
        place TEXT)
    """,
    "CREATE INDEX announced_clips_of_author ON announced_clips (author_id, at_ms)",
    "CREATE INDEX announced_clips_of_group ON announced_clips (group_id, at_ms)",
    // What could be seen before is no news, also once it has been private for a while.
    """
    INSERT INTO announced_clips (clip_id, author_id, group_id, at_ms, place)
    SELECT id, author_id, id, 0, NULL FROM clips WHERE state = 'ready' AND visibility = 'public'
    """,
  ]

  let time: any TimeSource
  let queue: JobQueue

  public init(time: any TimeSource, queue: JobQueue) {
    self.time = time
    self.queue = queue
  }

  /// In the transaction that lets everybody see the clip. Nothing for one that was announced before, and no
  /// job where nobody follows.
  public func announce(
    _ clip: String, of author: String, isFollowed: Bool, in transaction: any Transaction
  ) throws {
    let now = time.nowMs
    let first = try transaction.query(
      "SELECT group_id FROM announced_clips WHERE author_id = ? AND at_ms >= ? ORDER BY at_ms, clip_id LIMIT 1",
      [.text(author), .integer(now - now % NotificationStore.dayMs)]
    ).first
    let written = try transaction.execute(
      """
      INSERT INTO announced_clips (clip_id, author_id, group_id, at_ms, place) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (clip_id) DO NOTHING
      """,
      [
        .text(clip), .text(author), .text(try first?.text("group_id") ?? clip), .integer(now),
        isFollowed ? .text("") : .null,
      ])
    guard written == 1, isFollowed else { return }
    // It waits for no turn but that of its clip.
    try queue.enqueue(
      kind: FanOut.kind, key: clip, payload: "", account: "followers of \(clip)", in: transaction)
  }

  /// What was kept of clips that are deleted. Nobody can announce them any more.
  public func forget(clips: [String], in transaction: any Transaction) throws {
    let list = SQLList(clips)
    try transaction.execute("DELETE FROM announced_clips WHERE clip_id IN \(list.marks)", list.values)
  }
}
