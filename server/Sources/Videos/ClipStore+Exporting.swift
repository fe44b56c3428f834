public import Contract
internal import Foundation
public import Platform

extension ClipStore: ViewerExporting {
  public var exported: [ExportedRecords] {
    [
      ExportedRecords(
        "clips",
        "Clips of the account; tags: words with a space between; ai_generated: 1 made by AI here, 2 as its file says.",
        of: ["clips.author_id"],
        fields: [
          "id", "caption", "tags", "visibility", "state", "created_at_ms", "duration_ms", "width", "height",
          "cover_ms", "withheld", "removed", "for_adults", "reach_limited", "ai_generated", "language",
        ], persons: 3,
        sql: """
          SELECT id AS place, id, caption, tags, visibility, state, created_at_ms, duration_ms, width, height, cover_ms,
              CASE WHEN withheld_visibility IS NULL THEN 0 ELSE 1 END AS withheld,
              CASE WHEN removed_visibility IS NULL THEN 0 ELSE 1 END AS removed,
              CASE WHEN for_adults = 0 THEN 0 ELSE 1 END AS for_adults, reach_limited, ai_generated, language
          FROM clips WHERE author_id = ?
          UNION ALL
          SELECT id, id, caption, tags, visibility, state, created_at_ms, duration_ms, width, height, cover_ms,
              CASE WHEN withheld_visibility IS NULL THEN 0 ELSE 1 END,
              CASE WHEN removed_visibility IS NULL THEN 0 ELSE 1 END,
              CASE WHEN for_adults = 0 THEN 0 ELSE 1 END, reach_limited, ai_generated, language
          FROM clips WHERE author_id <> ? AND id IN
              (SELECT clip_id FROM uploads WHERE owner = ? AND owns_clip = 1 AND clip_id IS NOT NULL)
          """)
    ]
  }

  public var kept: [KeptColumns] {
    [
      KeptColumns(
        "author_blobs.author_id", because: "names of files of the picture, which is in the archive itself")
    ]
  }
}

extension ClipStore {
  /// The pages of an account's clips, without a look at anybody else's.
  public static let exportMigrations = [
    Migration("0057_clips_by_author", ["CREATE INDEX clips_by_author ON clips (author_id, id)"])
  ]

  /// What a clip is made of.
  public struct Parts: Sendable {
    public let id: String
    /// Of a clip that cannot be watched yet: its source, which is there as long as it is worked on.
    public let sourceHash: String?
    public let playback: Playback?
    public let cover: Cover?
    public let poster: Poster?
    public let captions: [CaptionTrack]
  }

  /// Of the clips that `exported` tells of, behind an id.
  public func parts(
    of account: String, behind id: String, limit: Int, in transaction: any Transaction
  ) throws -> [Parts] {
    try transaction.query(
      """
      SELECT * FROM (
          SELECT id, state, source_hash, playback, cover, poster, caption_tracks FROM clips WHERE author_id = ?
          UNION ALL
          SELECT id, state, source_hash, playback, cover, poster, caption_tracks FROM clips
          WHERE author_id <> ? AND id IN
              (SELECT clip_id FROM uploads WHERE owner = ? AND owns_clip = 1 AND clip_id IS NOT NULL)) r
      WHERE r.id > ? ORDER BY r.id LIMIT ?
      """, [.text(account), .text(account), .text(account), .text(id), SQLValue(limit)]
    ).map { row in
      let isReady = try row.text("state") == State.ready.rawValue
      return Parts(
        id: try row.text("id"),
        sourceHash: try isReady
          ? nil : row.text("source_hash").split(atByte: UInt8(ascii: "/")).first.map(String.init),
        playback: try Self.read(row, "playback"), cover: try Self.read(row, "cover"),
        poster: try Self.read(row, "poster"), captions: try Self.read(row, "caption_tracks") ?? [])
    }
  }

  private static func read<Value: Decodable>(_ row: Row, _ column: String) throws -> Value? {
    try row.optionalText(column).map { try WireCoding.decode(from: Data($0.utf8)) }
  }
}
