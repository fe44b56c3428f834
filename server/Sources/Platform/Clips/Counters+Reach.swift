internal import Contract

/// What was counted on one clip, as its owner is told.
public struct ClipFigures: Sendable {
  /// What is missing is 0.
  public let counts: [Counted: Int]
  /// By the number of days since 1970; what is missing is 0. A day's figure is what came less what was taken
  /// back on it.
  public let days: [Int64: [ClipDays.Column: Int64]]
  /// Since when `reach` and days are counted, where the clip may be older.
  public let sinceMs: Int64?
}

extension Counters {
  /// What only a clip's owner is told, apart from what every page of the feed reads.
  public static let reach = Counters(
    of: "clips", name: "clip_reach", key: "clip_id",
    [.viewers, .bookmarks] + WatchEvent.Source.allCases.flatMap { [.shown($0), .viewed($0)] },
    days: Dictionary(
      uniqueKeysWithValues: [(.bookmarks, .bookmarks)]
        + WatchEvent.Source.allCases.map { (.shown($0), .impressions) }))

  private static let since = "clip_reach_since_ms"

  /// NB: it has the sources of its day; one that comes later adds two columns by a step of its own.
  static let reachMigration: Migration = {
    let sources = [
      "for_you", "following", "latest", "feed", "trending", "similar", "search", "link", "likes",
      "bookmarks", "author", "own", "other",
    ]
    let counters = ["viewers", "bookmarks"] + sources.flatMap { ["shown_\($0)", "viewed_\($0)"] }
    func columns(_ names: [String]) -> String {
      names.map { "\($0) BIGINT NOT NULL DEFAULT 0" }.joined(separator: ", ")
    }
    let steps = [
      """
      CREATE TABLE clip_reach_totals (
          clip_id TEXT PRIMARY KEY REFERENCES clips (id) ON DELETE CASCADE, \(columns(counters)))
      """,
      // Without a reference to the clip: appending must not touch the clip's row. A fold drops what belongs
      // to nothing.
      """
      CREATE TABLE clip_reach_count_changes (
          clip_id TEXT NOT NULL, id TEXT NOT NULL, counter TEXT NOT NULL, change BIGINT NOT NULL,
          day BIGINT, PRIMARY KEY (clip_id, id))
      """,
      "ALTER TABLE clip_count_changes ADD COLUMN day BIGINT",
      """
      CREATE TABLE clip_days (
          clip_id TEXT NOT NULL REFERENCES clips (id) ON DELETE CASCADE, day BIGINT NOT NULL,
          \(columns(["impressions", "views", "likes", "bookmarks", "shares", "comments"])),
          PRIMARY KEY (clip_id, day))
      """,
      "CREATE INDEX clip_days_by_age ON clip_days (day)",
      // What is known of all time.
      """
      INSERT INTO clip_reach_totals (clip_id, viewers, bookmarks)
      SELECT id, CAST(SUM(viewers) AS BIGINT), CAST(SUM(bookmarks) AS BIGINT) FROM (
          SELECT clip_id AS id, 1 AS viewers, 0 AS bookmarks FROM seen WHERE viewed_at_ms IS NOT NULL
          UNION ALL SELECT clip_id, 0, 1 FROM bookmarks) known
      WHERE id IN (SELECT id FROM clips) GROUP BY id
      """,
    ]
    // The rest begins now; only where there are clips can that matter.
    func beginning(_ now: String) -> String {
      """
      INSERT INTO settings (name, value) SELECT '\(since)', CAST(\(now) AS VARCHAR)
      WHERE EXISTS (SELECT 1 FROM clips)
      """
    }
    return Migration(
      "0041_clip_reach", steps + [beginning("CAST(strftime('%s', 'now') AS INTEGER) * 1000")],
      postgreSQL: steps + [beginning("CAST(EXTRACT(EPOCH FROM now()) AS BIGINT) * 1000")])
  }()

  /// NB: of a reading transaction, which sees one moment: a fold between its statements would be counted
  /// twice, or not at all.
  public static func figures(
    of clip: String, from day: Int64, in transaction: any Transaction
  ) throws -> ClipFigures {
    var counts: [Counted: Int] = [:]
    var pending = ClipDays.Sums()
    for counters in [clips, reach] {
      counts.merge(try counters.counts(of: [clip], in: transaction)[clip] ?? [:]) { $0 + $1 }
      for row in try counters.pending(of: clip, in: transaction) {
        guard let column = counters.days[row.counter] else { continue }
        pending.add(row.change, to: column, of: clip, on: row.day)
      }
    }
    var days = try ClipDays.counts(of: clip, from: day, in: transaction)
    for (place, sums) in pending.byDay where place >= day {
      days[place, default: [:]].merge(sums, uniquingKeysWith: +)
    }
    let began = try Settings.value(since, in: transaction)
    return ClipFigures(
      counts: counts, days: days, sinceMs: began.flatMap { SafeInteger.read($0) }.map(Int64.init))
  }

  private func pending(
    of clip: String, in transaction: any Transaction
  ) throws -> [(counter: Counted, change: Int64, day: Int64?)] {
    try transaction.query(
      """
      SELECT counter, day, CAST(SUM(change) AS BIGINT) AS change FROM \(changes) WHERE clip_id = ?
      GROUP BY counter, day
      """, [.text(clip)]
    ).map {
      (Counted(rawValue: try $0.text("counter")), try $0.integer("change"), $0.optionalInteger("day"))
    }
  }
}
