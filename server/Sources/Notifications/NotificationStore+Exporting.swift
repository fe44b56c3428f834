public import Platform

extension NotificationStore: ViewerExporting {
  public var exported: [ExportedRecords] {
    [
      ExportedRecords(
        "notifications", "What happened to the account.",
        of: ["notifications.account"],
        fields: ["kind", "clip_id", "comment_id", "at_ms"],
        sql: """
          SELECT about AS place, kind, clip_id, comment_id, at_ms FROM notifications WHERE account = ?
          """),
      ExportedRecords(
        "notification_settings",
        "What the account wants to hear of, where it differs from what everybody has.",
        of: ["notification_readers.account"],
        fields: ["switches", "seen_ms"],
        sql: """
          SELECT account AS place, switches, seen_ms FROM notification_readers WHERE account = ?
          """),
    ]
  }

  public var kept: [KeptColumns] {
    [KeptColumns("announced_clips.author_id", because: "which of `clips` followers were told of")]
  }
}
