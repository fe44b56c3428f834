internal import Contract
public import Platform

/// How long people stay with each clip, for players that get the next one ready in time.
///
/// How a visit ended is a row of its own, appended with its event. A fold takes rows, adds them to the clip's
/// tally, and makes a new curve once there is a tenth more to make it of: so a page of the feed only reads a
/// text, and no event is looked at twice. A visit counts once per viewer and clip in `Limits.viewAgainMs`, as
/// a view does, or one viewer could be thirty.
public struct RetentionCurves: Sendable {
  static let migrations = [
    Migration(
      "0032_retention",
      [
        "ALTER TABLE seen ADD COLUMN left_at_ms BIGINT",
        // Without a reference to the clip: appending must not touch the clip's row. A fold drops what belongs
        // to nothing.
        """
        CREATE TABLE retention_changes (
            clip_id TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, watched_ms BIGINT,
            PRIMARY KEY (clip_id, id))
        """,
        // `told_starts`: what the present curve was made of.
        """
        CREATE TABLE clip_retention (
            clip_id TEXT PRIMARY KEY REFERENCES clips (id) ON DELETE CASCADE, tally TEXT NOT NULL,
            shares TEXT, version BIGINT NOT NULL, told_starts BIGINT NOT NULL)
        """,
        // What the last month knows already.
        """
        INSERT INTO retention_changes (clip_id, id, kind, watched_ms)
        SELECT clip_id, viewer_id || '/' || id, kind, watched_ms FROM watch_events
        WHERE kind IN ('skip', 'completion') OR kind = 'loop' AND watched_ms IS NOT NULL
        """,
      ]),
    .keepingRowsByKey(
      "0078_ends_by_key",
      [
        (
          "retention_changes",
          [
            ("clip_id", "TEXT NOT NULL"), ("id", "TEXT NOT NULL"), ("kind", "TEXT NOT NULL"),
            ("watched_ms", "BIGINT"),
          ]
        )
      ]),
  ]

  /// Rows that one transaction of a fold takes.
  static let batch = 500

  private let database: any Database

  public init(database: any Database) { self.database = database }

  /// Of events that are new. Returns the ends of visits among them, one for each.
  @discardableResult
  static func note(
    _ events: [WatchEvent], of viewer: String, at time: any TimeSource, in transaction: any Transaction
  ) throws -> [WatchEvent] {
    let ends = events.filter { isEnd($0) }.sorted { ($0.clipId, $0.atMs) < ($1.clipId, $1.atMs) }
    var rows: [[SQLValue]] = []
    var counted: [WatchEvent] = []
    for event in ends {
      // The row decides, so that of two at the same time one counts. Loops belong to a visit that has
      // counted.
      let counts =
        try event.kind == .loop
        || transaction.execute(
          """
          UPDATE seen SET left_at_ms = ?
          WHERE viewer_id = ? AND clip_id = ? AND (left_at_ms IS NULL OR left_at_ms <= ?)
          """,
          [
            .integer(event.atMs), .text(viewer), .text(event.clipId),
            .integer(event.atMs - Limits.viewAgainMs),
          ]) == 1
      guard counts else { continue }
      if event.kind != .loop { counted.append(event) }
      rows.append([
        .text(event.clipId), .text(Identifier.make(at: time)), .text(event.kind.rawValue),
        SQLValue(event.watchedMs),
      ])
    }
    guard !rows.isEmpty else { return [] }
    try transaction.execute(
      "INSERT INTO retention_changes (clip_id, id, kind, watched_ms) VALUES "
        + rows.map { _ in "(?, ?, ?, ?)" }.joined(separator: ", "), rows.flatMap { $0 })
    return counted
  }

  private static func isEnd(_ event: WatchEvent) -> Bool {
    switch event.kind {
    case .skip, .completion: true
    // Of how many turns it was is known by how long it was watched.
    case .loop: event.watchedMs != nil
    case .impression, .firstFrame, .progress, .stall: false
    }
  }

  /// Adds what is new to the tallies. Counts the rows.
  @discardableResult
  public func fold() async throws -> Int {
    var folded = 0
    while true {
      // Most of the time there is nothing to do, and that costs no write.
      let last = try await database.read { transaction in
        try transaction.query(
          """
          SELECT clip_id, id FROM retention_changes WHERE (clip_id, id) > (?, ?)
          ORDER BY clip_id, id LIMIT \(Self.batch)
          """, [.text(""), .text("")]
        ).last.map { (clip: try $0.text("clip_id"), id: try $0.text("id")) }
      }
      guard let last else { return folded }
      folded += try await database.write { try fold(upTo: last, in: $0) }
    }
  }

  /// How a clip was left so far, with what is not folded yet.
  ///
  /// NB: of a reading transaction, which sees one moment.
  static func tally(
    of clip: String, durationMs: Int64, in transaction: any Transaction
  ) throws -> RetentionTally {
    let known = try transaction.query(
      "SELECT tally FROM clip_retention WHERE clip_id = ?", [.text(clip)]
    ).first
    var tally = RetentionTally(text: try known?.text("tally") ?? "")
    guard durationMs > 0 else { return tally }
    let rest = try transaction.query(
      "SELECT kind, watched_ms FROM retention_changes WHERE clip_id = ?", [.text(clip)])
    for row in rest {
      tally.add(
        WatchEvent.Kind(rawValue: try row.text("kind")), watchedMs: row.optionalInteger("watched_ms") ?? 0,
        durationMs: durationMs)
    }
    return tally
  }

  private struct Ending {
    let kind: String
    let watchedMs: Int64
  }

  private func fold(upTo last: (clip: String, id: String), in transaction: any Transaction) throws -> Int {
    // Tallies are read, changed and written back.
    try transaction.lock("retention")
    let taken = try transaction.query(
      """
      DELETE FROM retention_changes WHERE (clip_id, id) > (?, ?) AND (clip_id, id) <= (?, ?)
      RETURNING clip_id, kind, watched_ms
      """, [.text(""), .text(""), .text(last.clip), .text(last.id)])
    var endings: [String: [Ending]] = [:]
    for row in taken {
      let ending = Ending(kind: try row.text("kind"), watchedMs: row.optionalInteger("watched_ms") ?? 0)
      endings[try row.text("clip_id"), default: []].append(ending)
    }
    guard !endings.isEmpty else { return 0 }
    let list = SQLList(endings.keys.sorted())
    // What belongs to no clip any more is dropped.
    let clips = try transaction.query(
      """
      SELECT c.id, c.duration_ms, r.tally, r.shares, r.version, r.told_starts
      FROM clips c LEFT JOIN clip_retention r ON r.clip_id = c.id
      WHERE c.duration_ms > 0 AND c.id IN \(list.marks) ORDER BY c.id
      """, list.values)
    for row in clips {
      let id = try row.text("id")
      try save(endings[id] ?? [], of: id, row, in: transaction)
    }
    return taken.count
  }

  private func save(
    _ endings: [Ending], of clip: String, _ row: Row, in transaction: any Transaction
  ) throws {
    let durationMs = try row.integer("duration_ms")
    var tally = RetentionTally(text: row.optionalText("tally") ?? "")
    for ending in endings {
      tally.add(WatchEvent.Kind(rawValue: ending.kind), watchedMs: ending.watchedMs, durationMs: durationMs)
    }
    var shares = row.optionalText("shares")
    var version = row.optionalInteger("version") ?? 0
    var counted = row.optionalInteger("told_starts") ?? 0
    let starts = Int64(tally.starts)
    if shares == nil || starts * 10 >= counted * 11,
      let curve = tally.shares(durationMs: Int(clamping: durationMs))
    {
      shares = curve.map(String.init).joined(separator: ",")
      (version, counted) = (version + 1, starts)
    }
    try transaction.execute(
      """
      INSERT INTO clip_retention (clip_id, tally, shares, version, told_starts) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (clip_id) DO UPDATE SET tally = excluded.tally, shares = excluded.shares,
          version = excluded.version, told_starts = excluded.told_starts
      """, [.text(clip), .text(tally.text), SQLValue(shares), .integer(version), .integer(counted)])
  }
}
