public import Platform

extension CommentStore {
  public static let migrations = [
    Migration(
      "0004_comments",
      [
        // A removed comment leaves its row without the text: a late repetition must not bring it back.
        """
        CREATE TABLE comments (
            id TEXT PRIMARY KEY, number BIGINT NOT NULL UNIQUE,
            clip_id TEXT NOT NULL REFERENCES clips (id) ON DELETE CASCADE, text TEXT NOT NULL,
            idempotency_key TEXT NOT NULL, created_at_ms BIGINT NOT NULL, removed_at_ms BIGINT,
            UNIQUE (clip_id, idempotency_key))
        """,
        "CREATE INDEX comments_of_clip ON comments (clip_id, number)",
        """
        CREATE TABLE reactions (
            clip_id TEXT NOT NULL REFERENCES clips (id) ON DELETE CASCADE, reaction TEXT NOT NULL,
            total BIGINT NOT NULL, PRIMARY KEY (clip_id, reaction))
        """,
      ]),
    Migration(
      "0014_comment_authors",
      [
        // The account that wrote it; null: a guest.
        "ALTER TABLE comments ADD COLUMN author_id TEXT",
        "CREATE INDEX comments_of_author ON comments (author_id)",
      ]),
    // Numbers count within a clip, so that writers of different clips do not wait for each other, and the
    // clip comes first in every key: the table can be spread by it over many servers.
    Migration(
      "0017_comments_by_clip",
      [
        """
        CREATE TABLE comments_by_clip (
            clip_id TEXT NOT NULL REFERENCES clips (id) ON DELETE CASCADE, number BIGINT NOT NULL,
            id TEXT NOT NULL, text TEXT NOT NULL, idempotency_key TEXT NOT NULL, created_at_ms BIGINT NOT NULL,
            removed_at_ms BIGINT, author_id TEXT, PRIMARY KEY (clip_id, number), UNIQUE (clip_id, idempotency_key))
        """,
        """
        INSERT INTO comments_by_clip (clip_id, number, id, text, idempotency_key, created_at_ms, removed_at_ms, author_id)
        SELECT clip_id, number, id, text, idempotency_key, created_at_ms, removed_at_ms, author_id FROM comments
        """,
        "DROP TABLE comments",
        "ALTER TABLE comments_by_clip RENAME TO comments",
        "CREATE INDEX comments_by_id ON comments (id)",
        "CREATE INDEX comments_of_author ON comments (author_id)",
        "CREATE INDEX comments_by_age ON comments (created_at_ms)",
      ]),
    // For a day: what a repeated request is known by.
    Migration(
      "0021_reaction_keys",
      [
        """
        CREATE TABLE reaction_keys (
            clip_id TEXT NOT NULL REFERENCES clips (id) ON DELETE CASCADE, idempotency_key TEXT NOT NULL,
            reaction TEXT NOT NULL, created_at_ms BIGINT NOT NULL, PRIMARY KEY (clip_id, idempotency_key))
        """,
        "CREATE INDEX reaction_keys_by_age ON reaction_keys (created_at_ms)",
      ]),
    Migration(
      "0044_replies",
      [
        // The comment that it answers; null: it stands under the clip.
        "ALTER TABLE comments ADD COLUMN parent_id TEXT",
        // Who wrote it without a name: a guest, or the account that the guest is by now. Nobody is told.
        "ALTER TABLE comments ADD COLUMN guest_viewer_id TEXT",
        "ALTER TABLE comments ADD COLUMN likes BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE comments ADD COLUMN replies BIGINT NOT NULL DEFAULT 0",
        "CREATE INDEX comments_of_guest ON comments (guest_viewer_id) WHERE guest_viewer_id IS NOT NULL",
        // Each list in its order, without what is not in it.
        """
        CREATE INDEX comments_under_clip ON comments (clip_id, number)
        WHERE parent_id IS NULL AND removed_at_ms IS NULL
        """,
        """
        CREATE INDEX comments_by_likes ON comments (clip_id, likes, number)
        WHERE parent_id IS NULL AND removed_at_ms IS NULL
        """,
        """
        CREATE INDEX comments_in_thread ON comments (clip_id, parent_id, number)
        WHERE parent_id IS NOT NULL AND removed_at_ms IS NULL
        """,
        // Beside the comments that they are of, and gone with the clip.
        """
        CREATE TABLE comment_likes (
            clip_id TEXT NOT NULL REFERENCES clips (id) ON DELETE CASCADE, comment_id TEXT NOT NULL,
            viewer_id TEXT NOT NULL, created_at_ms BIGINT NOT NULL, PRIMARY KEY (clip_id, comment_id, viewer_id))
        """,
        "CREATE INDEX comment_likes_of_viewer ON comment_likes (viewer_id)",
        """
        CREATE TABLE comment_pins (
            clip_id TEXT PRIMARY KEY REFERENCES clips (id) ON DELETE CASCADE, comment_id TEXT NOT NULL)
        """,
      ]),
    withholdingMigration,
    // Who likes a comment, newest first. Without its clip: an index that begins as the key does would look as
    // good as the key to whoever asks for one like, however many a comment has.
    Migration(
      "0051_comment_likes_in_order",
      ["CREATE INDEX comment_likes_in_order ON comment_likes (comment_id, created_at_ms)"]),
    filtersMigration,
  ]
}
