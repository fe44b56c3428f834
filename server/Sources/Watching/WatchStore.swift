public import Contract
public import Platform

/// The clips that are watched.
public protocol WatchedClips: Sendable {
  /// Those of these clips that others than their owners can see.
  func visible(among clipIDs: [String], in transaction: any Transaction) throws -> Set<String>
}

/// What was watched: raw events for a while, what each viewer has seen for as long as there is the viewer,
/// and views.
///
/// A view is `Limits.viewMs` of a clip, or its end; one per viewer and clip in `Limits.viewAgainMs`. A clip
/// is seen when it was the current one at all.
public struct WatchStore: Sendable {
  public static let migrations =
    [
      Migration(
        "0016_watching",
        [
          """
          CREATE TABLE watch_events (
              viewer_id TEXT NOT NULL, id TEXT NOT NULL, clip_id TEXT NOT NULL, kind TEXT NOT NULL,
              at_ms BIGINT NOT NULL, received_at_ms BIGINT NOT NULL, took_ms BIGINT, watched_ms BIGINT,
              source TEXT, place BIGINT, PRIMARY KEY (viewer_id, id))
          """,
          "CREATE INDEX watch_events_received ON watch_events (received_at_ms)",
          // `viewed_at_ms` is the last view that was counted.
          """
          CREATE TABLE seen (
              viewer_id TEXT NOT NULL, clip_id TEXT NOT NULL, seen_at_ms BIGINT NOT NULL, viewed_at_ms BIGINT,
              PRIMARY KEY (viewer_id, clip_id))
          """,
          "CREATE INDEX seen_in_order ON seen (viewer_id, seen_at_ms, clip_id)",
        ])
    ] + RetentionCurves.migrations

  /// How long raw events are kept: a month.
  public static let retentionMs: Int64 = 30 * 86_400_000
  /// Events that one transaction of a sweep removes.
  static let sweepBatch = 2000

  let database: any Database
  let time: any TimeSource
  private let clips: any WatchedClips
  private let noting: (any WatchNoting)?

  /// `noting`: who learns from it; nil: nobody.
  public init(
    database: any Database, time: any TimeSource, clips: any WatchedClips,
    noting: (any WatchNoting)? = nil
  ) {
    self.database = database
    self.time = time
    self.clips = clips
    self.noting = noting
  }

  /// Takes a batch of one viewer's. What came before counts once. Throws `invalid_parameter` with the name of
  /// a field. `isLearned`: false if whoever sends it wants no traces left.
  public func take(
    _ batch: WatchEvents, of viewer: String, isLearned: Bool = true
  ) async throws -> WatchEventsTaken {
    let nowMs = time.nowMs
    try WatchRules.check(batch)
    // What the clock of the events says too little.
    let behindMs = batch.sentAtMs.map { nowMs - $0 } ?? 0
    var events: [WatchEvent] = []
    for var event in batch.events {
      event.atMs += behindMs
      guard (nowMs - Limits.eventAgeMs...nowMs + Limits.eventAheadMs).contains(event.atMs) else { continue }
      events.append(event)
    }
    guard !events.isEmpty else { return WatchEventsTaken(accepted: 0) }
    let inTime = events
    return try await database.write { transaction in
      let visible = try clips.visible(among: Array(Set(inTime.map(\.clipId))).sorted(), in: transaction)
      let known = inTime.filter { visible.contains($0.clipId) }
      // NB: in the order of their keys, so that two batches of one viewer never wait for each other in a
      // ring.
      let once = Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      let new = try insert(once.values.sorted { $0.id < $1.id }, of: viewer, nowMs, in: transaction)
      try markSeen(Set(new.map(\.clipId)), by: viewer, nowMs, in: transaction)
      try count(new, of: viewer, in: transaction)
      let ends = try RetentionCurves.note(new, of: viewer, at: time, in: transaction)
      if isLearned { try noting?.watched(ends, by: viewer, in: transaction) }
      return WatchEventsTaken(accepted: known.count)
    }
  }

  /// In one statement. Those of them that were not there before.
  private func insert(
    _ events: [WatchEvent], of viewer: String, _ nowMs: Int64, in transaction: any Transaction
  ) throws -> [WatchEvent] {
    guard !events.isEmpty else { return [] }
    let row = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    let rows = try transaction.query(
      """
      INSERT INTO watch_events
          (viewer_id, id, clip_id, kind, at_ms, received_at_ms, took_ms, watched_ms, source, place)
      VALUES \(events.map { _ in row }.joined(separator: ", "))
      ON CONFLICT (viewer_id, id) DO NOTHING RETURNING id
      """,
      events.flatMap { event -> [SQLValue] in
        [
          .text(viewer), .text(event.id), .text(event.clipId), .text(event.kind.rawValue),
          .integer(event.atMs),
          .integer(nowMs), SQLValue(event.tookMs), SQLValue(event.watchedMs),
          SQLValue(event.source?.rawValue),
          SQLValue(event.position),
        ]
      })
    let new = Set(try rows.map { try $0.text("id") })
    return events.filter { new.contains($0.id) }
  }

  private func markSeen(
    _ clipIDs: Set<String>, by viewer: String, _ nowMs: Int64, in transaction: any Transaction
  ) throws {
    guard !clipIDs.isEmpty else { return }
    try transaction.execute(
      """
      INSERT INTO seen (viewer_id, clip_id, seen_at_ms)
      VALUES \(clipIDs.map { _ in "(?, ?, ?)" }.joined(separator: ", "))
      ON CONFLICT (viewer_id, clip_id) DO UPDATE SET seen_at_ms = excluded.seen_at_ms
      WHERE seen.seen_at_ms < excluded.seen_at_ms
      """, clipIDs.sorted().flatMap { [.text(viewer), .text($0), .integer(nowMs)] })
  }

  /// Impressions, views and those who view. They are counts alone, so that those who want no traces left are
  /// in them as anybody is.
  private func count(_ events: [WatchEvent], of viewer: String, in transaction: any Transaction) throws {
    var views: [Counters.Change] = []
    var reach: [ClipCount: Int] = [:]
    for event in events where event.kind == .impression {
      reach[ClipCount(event.clipId, .shown(event.source ?? .other)), default: 0] += 1
    }
    let viewed = Dictionary(grouping: events.filter(WatchRules.isView), by: \.clipId)
    for (clip, events) in viewed.sorted(by: { $0.key < $1.key }) {
      let found = try self.views(among: events, of: clip, by: viewer, in: transaction)
      for event in found.views {
        views.append(.init(clip, .views, by: 1))
        reach[ClipCount(clip, .viewed(event.source ?? .other)), default: 0] += 1
      }
      if found.isFirst { reach[ClipCount(clip, .viewers)] = 1 }
    }
    try Counters.clips.add(views, at: time, in: transaction)
    try Counters.reach.add(
      reach.map { .init($0.key.clip, $0.key.counter, by: $0.value) }, at: time, in: transaction)
  }

  private struct ClipCount: Hashable {
    let clip: String
    let counter: Counted

    init(_ clip: String, _ counter: Counted) { (self.clip, self.counter) = (clip, counter) }
  }

  /// Those of these events of one clip that are a view, and whether the viewer's first is among them. The row
  /// decides, so that of two at the same time one counts.
  private func views(
    among events: [WatchEvent], of clip: String, by viewer: String, in transaction: any Transaction
  ) throws -> (views: [WatchEvent], isFirst: Bool) {
    func mark(_ event: WatchEvent, where condition: String, _ values: [SQLValue]) throws -> Bool {
      try transaction.execute(
        "UPDATE seen SET viewed_at_ms = ? WHERE viewer_id = ? AND clip_id = ? AND \(condition)",
        [.integer(event.atMs), .text(viewer), .text(clip)] + values) == 1
    }
    var views: [WatchEvent] = []
    var isFirst = false
    for (number, event) in events.sorted(by: { $0.atMs < $1.atMs }).enumerated() {
      let limitMs = event.atMs - Limits.viewAgainMs
      if let last = views.last, last.atMs > limitMs { continue }
      if number == 0, try mark(event, where: "viewed_at_ms IS NULL", []) {
        isFirst = true
        views.append(event)
      } else if try mark(event, where: "viewed_at_ms <= ?", [.integer(limitMs)]) {
        views.append(event)
      }
    }
    return (views, isFirst)
  }

  /// Removes raw events that are too old. Counts them.
  @discardableResult
  public func sweep() async throws -> Int {
    let limit = time.nowMs - Self.retentionMs
    var removed = 0
    while true {
      let some = try await database.write {
        try $0.execute(
          """
          DELETE FROM watch_events WHERE (viewer_id, id) IN (
              SELECT viewer_id, id FROM watch_events WHERE received_at_ms < ? LIMIT \(Self.sweepBatch))
          """, [.integer(limit)])
      }
      removed += some
      if some < Self.sweepBatch { return removed }
    }
  }
}

/// What viewers have seen, for the feed.
extension WatchStore {
  public func seen(
    among clipIDs: [String], by viewer: String, in transaction: any Transaction
  ) throws -> Set<String> {
    guard !clipIDs.isEmpty else { return [] }
    let list = SQLList(clipIDs)
    let rows = try transaction.query(
      "SELECT clip_id FROM seen WHERE viewer_id = ? AND clip_id IN \(list.marks)",
      [.text(viewer)] + list.values)
    return Set(try rows.map { try $0.text("clip_id") })
  }

  public func seen(
    by viewer: String, before endMs: Int64, after place: (atMs: Int64, clipID: String), limit: Int,
    in transaction: any Transaction
  ) throws -> [(clipID: String, atMs: Int64)] {
    try transaction.query(
      """
      SELECT clip_id, seen_at_ms FROM seen
      WHERE viewer_id = ? AND seen_at_ms < ? AND (seen_at_ms, clip_id) > (?, ?)
      ORDER BY seen_at_ms, clip_id LIMIT ?
      """, [.text(viewer), .integer(endMs), .integer(place.atMs), .text(place.clipID), SQLValue(limit)]
    ).map { (try $0.text("clip_id"), try $0.integer("seen_at_ms")) }
  }
}

extension WatchStore: ViewerMerging {
  /// A view that both made stays two: they were two when they were counted. Who made them is one.
  public func merge(_ guest: String, into account: String, in transaction: any Transaction) throws {
    let both = try transaction.query(
      """
      SELECT theirs.clip_id FROM seen theirs JOIN seen mine ON mine.clip_id = theirs.clip_id
      WHERE theirs.viewer_id = ? AND mine.viewer_id = ?
          AND theirs.viewed_at_ms IS NOT NULL AND mine.viewed_at_ms IS NOT NULL
      """, [.text(guest), .text(account)])
    try Counters.reach.add(
      both.map { .init(try $0.text("clip_id"), .viewers, by: -1) }, at: time, in: transaction)
    try transaction.execute(
      """
      INSERT INTO seen (viewer_id, clip_id, seen_at_ms, viewed_at_ms, left_at_ms)
      SELECT CAST(? AS TEXT), clip_id, seen_at_ms, viewed_at_ms, left_at_ms FROM seen WHERE viewer_id = ?
      ON CONFLICT (viewer_id, clip_id) DO UPDATE SET
          seen_at_ms = CASE WHEN excluded.seen_at_ms > seen.seen_at_ms
              THEN excluded.seen_at_ms ELSE seen.seen_at_ms END,
          viewed_at_ms = CASE WHEN seen.viewed_at_ms IS NULL OR excluded.viewed_at_ms > seen.viewed_at_ms
              THEN excluded.viewed_at_ms ELSE seen.viewed_at_ms END,
          left_at_ms = CASE WHEN seen.left_at_ms IS NULL OR excluded.left_at_ms > seen.left_at_ms
              THEN excluded.left_at_ms ELSE seen.left_at_ms END
      """, [.text(account), .text(guest)])
    // NB: not an UPDATE of the viewer: a batch that was sent again after the sign-in has given both the same
    // event.
    try transaction.execute(
      """
      INSERT INTO watch_events
          (viewer_id, id, clip_id, kind, at_ms, received_at_ms, took_ms, watched_ms, source, place)
      SELECT CAST(? AS TEXT), id, clip_id, kind, at_ms, received_at_ms, took_ms, watched_ms, source, place
      FROM watch_events WHERE viewer_id = ?
      ON CONFLICT (viewer_id, id) DO NOTHING
      """, [.text(account), .text(guest)])
    try erase(guest, in: transaction)
  }
}

extension WatchStore: ViewerErasing {
  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    try transaction.execute("DELETE FROM seen WHERE viewer_id = ?", [.text(viewer)])
    try transaction.execute("DELETE FROM watch_events WHERE viewer_id = ?", [.text(viewer)])
  }
}
