public import Platform

extension RecommendationStore: ViewerExporting {
  public var exported: [ExportedRecords] {
    [
      ExportedRecords(
        "dismissals", "What the account wants to see less of.",
        of: ["dismissals.viewer_id"],
        fields: ["kind", "subject", "at_ms"],
        sql: """
          SELECT kind || '/' || subject AS place, kind, subject, at_ms FROM dismissals WHERE viewer_id = ?
          """),
      ExportedRecords(
        "personalisation", "Whether the feed may go by what the account does.",
        of: ["personalisation.viewer_id"],
        fields: ["is_on"],
        sql: """
          SELECT viewer_id AS place, is_on FROM personalisation WHERE viewer_id = ?
          """),
      ExportedRecords(
        "ranking_events", "What the order of the feed has learned from.",
        of: ["ranking_events.viewer_id"],
        fields: ["id", "clip_id", "kind", "watched_ms", "source"],
        sql: """
          SELECT id AS place, id, clip_id, kind, watched_ms, source FROM ranking_events WHERE viewer_id = ?
          """),
      ExportedRecords(
        "shown_clips", "What was shown in the order of the account, and why.",
        of: ["shown_clips.viewer_id"],
        fields: ["clip_id", "place_in_walk", "at_ms", "reason"],
        sql: """
          SELECT walk || '/' || clip_id AS place, clip_id, place AS place_in_walk, at_ms, reason FROM shown_clips
          WHERE viewer_id = ?
          """),
    ]
  }
}
