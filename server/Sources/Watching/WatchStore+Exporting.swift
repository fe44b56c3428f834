public import Platform

extension WatchStore: ViewerExporting {
  public var exported: [ExportedRecords] {
    [
      ExportedRecords(
        "seen", "Clips that the account has seen, and when last.",
        of: ["seen.viewer_id"],
        fields: ["clip_id", "seen_at_ms", "viewed_at_ms", "left_at_ms"],
        sql: """
          SELECT clip_id AS place, clip_id, seen_at_ms, viewed_at_ms, left_at_ms FROM seen WHERE viewer_id = ?
          """),
      ExportedRecords(
        "watch_events", "What was watched in the last 30 days, event by event.",
        of: ["watch_events.viewer_id"],
        fields: ["id", "clip_id", "kind", "at_ms", "took_ms", "watched_ms", "source"],
        sql: """
          SELECT id AS place, id, clip_id, kind, at_ms, took_ms, watched_ms, source FROM watch_events WHERE viewer_id = ?
          """),
    ]
  }
}
