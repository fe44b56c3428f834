public import Platform

extension SocialStore: ViewerExporting {
  public var exported: [ExportedRecords] {
    [
      ExportedRecords(
        "likes", "Clips that the account likes.",
        of: ["likes.viewer_id"],
        fields: ["clip_id", "created_at_ms"],
        sql: """
          SELECT m.id AS place, m.clip_id, m.created_at_ms FROM likes m WHERE m.viewer_id = ?
          """),
      ExportedRecords(
        "bookmarks", "Clips that the account has bookmarked.",
        of: ["bookmarks.viewer_id"],
        fields: ["clip_id", "created_at_ms"],
        sql: """
          SELECT m.id AS place, m.clip_id, m.created_at_ms FROM bookmarks m WHERE m.viewer_id = ?
          """),
      ExportedRecords(
        "follows", "Whom the account follows.",
        of: ["follows.viewer_id"],
        fields: ["author_id", "handle", "created_at_ms"],
        sql: """
          SELECT m.id AS place, m.author_id, a.handle, m.created_at_ms FROM follows m
          LEFT JOIN authors a ON a.id = m.author_id WHERE m.viewer_id = ?
          """),
      ExportedRecords(
        "followers", "Who follows the account.",
        of: ["follows.author_id"],
        fields: ["viewer_id", "handle", "created_at_ms"],
        sql: """
          SELECT m.viewer_id AS place, m.viewer_id, a.handle, m.created_at_ms FROM follows m
          LEFT JOIN authors a ON a.id = m.viewer_id WHERE m.author_id = ?
          """),
      ExportedRecords(
        "blocks", "Whom the account has blocked.",
        of: ["blocks.viewer_id"],
        fields: ["author_id", "handle", "created_at_ms"],
        sql: """
          SELECT m.id AS place, m.author_id, a.handle, m.created_at_ms FROM blocks m
          LEFT JOIN authors a ON a.id = m.author_id WHERE m.viewer_id = ?
          """),
      ExportedRecords(
        "shares", "Clips that the account has shared.",
        of: ["shares.viewer_id"],
        fields: ["clip_id", "created_at_ms"],
        sql: """
          SELECT clip_id || '/' || idempotency_key AS place, clip_id, created_at_ms FROM shares WHERE viewer_id = ?
          """),
    ]
  }

  public var kept: [KeptColumns] {
    [
      KeptColumns(
        "blocks.author_id",
        because: "whom others have blocked is theirs to know")
    ]
  }
}
