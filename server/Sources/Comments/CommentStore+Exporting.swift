public import Platform

extension CommentStore: ViewerExporting {
  public var exported: [ExportedRecords] {
    [
      ExportedRecords(
        "comments", "What the account has written under clips, also as a guest.",
        of: ["comments.author_id", "comments.guest_viewer_id"],
        fields: ["id", "clip_id", "parent_id", "text", "likes", "created_at_ms"], persons: 2,
        sql: """
          SELECT id AS place, id, clip_id, parent_id, text, likes, created_at_ms FROM comments
          WHERE author_id = ? AND removed_at_ms IS NULL
          UNION ALL
          SELECT id, id, clip_id, parent_id, text, likes, created_at_ms FROM comments
          WHERE guest_viewer_id = ? AND removed_at_ms IS NULL
          """),
      ExportedRecords(
        "comment_likes", "Comments that the account likes.",
        of: ["comment_likes.viewer_id"],
        fields: ["comment_id", "clip_id", "created_at_ms"],
        sql: """
          SELECT comment_id AS place, comment_id, clip_id, created_at_ms FROM comment_likes WHERE viewer_id = ?
          """),
    ]
  }
}
