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
      ExportedRecords(
        "held_comments", "What the account has written and somebody has not let in yet.",
        of: ["held_comments.writer_viewer_id"],
        fields: ["comment_id", "clip_id", "parent_id", "text", "created_at_ms"],
        sql: """
          SELECT h.comment_id AS place, h.comment_id, h.clip_id, h.parent_id, c.text, c.created_at_ms
          FROM held_comments h JOIN comments c ON c.clip_id = h.clip_id AND c.id = h.comment_id
          WHERE h.writer_viewer_id = ?
          """),
      ExportedRecords(
        "comment_filters", "Which comments wait under the account's clips.",
        of: ["comment_filters.author_id"],
        fields: ["words", "holds_links", "followers_only"],
        sql: """
          SELECT author_id AS place, words, holds_links, followers_only FROM comment_filters WHERE author_id = ?
          """),
    ]
  }

  public var kept: [KeptColumns] {
    [
      KeptColumns(
        "held_comments.author_id",
        because: "what others have written under one's clips is theirs")
    ]
  }
}
