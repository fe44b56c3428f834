internal import Contract
internal import Foundation
public import Platform

/// Which blobs a visible clip needs, and since when it does not need one any more: a person's feed page may
/// still name what was replaced a moment ago.
///
/// NB: whoever writes a clip's poster, cover or playback, or makes it need a blob in any other way, says so
/// here in the same transaction. What is not written down is swept.
public struct ClipBlobs: Sendable {
  public static let migrations = [
    Migration(
      "0006_clip_blobs",
      [
        """
        CREATE TABLE clip_blobs (
            clip_id TEXT NOT NULL REFERENCES clips (id) ON DELETE CASCADE, name TEXT NOT NULL,
            unused_since_ms BIGINT, PRIMARY KEY (clip_id, name))
        """,
        "CREATE INDEX clip_blobs_name ON clip_blobs (name)",
      ])
  ]

  private let database: any Database
  private let time: any TimeSource

  public init(database: any Database, time: any TimeSource) {
    self.database = database
    self.time = time
  }

  /// From now on the clip needs these and no others.
  func set(_ names: Set<BlobName>, of clipID: String, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE clip_blobs SET unused_since_ms = ? WHERE clip_id = ? AND unused_since_ms IS NULL",
      [.integer(time.nowMs), .text(clipID)])
    try add(names, to: clipID, in: transaction)
  }

  /// From now on the clip needs `names` and no more `others`. All else stays.
  ///
  /// NB: nothing is written of a visible clip of which nothing is known: `learn` has to find all of it first.
  func replace(
    _ others: Set<BlobName>, by names: Set<BlobName>, of clipID: String, in transaction: any Transaction
  ) throws {
    let unknown = try transaction.query(
      """
      SELECT id FROM clips WHERE id = ? AND state = 'ready'
          AND NOT EXISTS (SELECT 1 FROM clip_blobs WHERE clip_blobs.clip_id = clips.id)
      """, [.text(clipID)])
    guard unknown.isEmpty else { return }
    for name in others.subtracting(names) {
      try transaction.execute(
        "UPDATE clip_blobs SET unused_since_ms = ? WHERE clip_id = ? AND name = ? AND unused_since_ms IS NULL",
        [.integer(time.nowMs), .text(clipID), .text(name.description)])
    }
    try add(names, to: clipID, in: transaction)
  }

  private func add(_ names: Set<BlobName>, to clipID: String, in transaction: any Transaction) throws {
    for name in names {
      try transaction.execute(
        """
        INSERT INTO clip_blobs (clip_id, name) VALUES (?, ?)
        ON CONFLICT (clip_id, name) DO UPDATE SET unused_since_ms = NULL
        """, [.text(clipID), .text(name.description)])
    }
  }

  /// Those of these blobs that a clip needs, or needed at that time or later.
  public func inUse(_ names: [BlobName], since sinceMs: Int64) async throws -> Set<BlobName> {
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    return try await database.read { transaction in
      let rows = try transaction.query(
        """
        SELECT DISTINCT name FROM clip_blobs
        WHERE name IN (\(marks)) AND (unused_since_ms IS NULL OR unused_since_ms >= ?)
        """, names.map { .text($0.description) } + [.integer(sinceMs)])
      return Set(try rows.compactMap { BlobName(try $0.text("name")) })
    }
  }

  /// What the clip needs, and what it needed a moment ago.
  public func names(of clipID: String) async throws -> [BlobName] {
    try await database.read {
      try $0.query("SELECT name FROM clip_blobs WHERE clip_id = ? ORDER BY name", [.text(clipID)])
        .compactMap { BlobName(try $0.text("name")) }
    }
  }

  public func forget(unusedBefore sinceMs: Int64) async throws {
    try await database.write {
      try $0.execute("DELETE FROM clip_blobs WHERE unused_since_ms < ?", [.integer(sinceMs)])
    }
  }

  /// Writes down what clips need that were published before anybody kept account: all that their descriptors
  /// name, and all that the texts among these name. Without it a sweep would take their playlists away.
  public func learn(from media: any BlobStore) async throws {
    var last = ""
    while let clip = try await firstUnknown(after: last) {
      var names = BlobName.mentioned(in: clip.descriptor)
      for name in names where name.holdsText {
        guard let text = try await media.bytes(name) else { continue }
        names.formUnion(BlobName.mentioned(in: String(decoding: text, as: UTF8.self)))
      }
      let (id, before, all) = (clip.id, last, names)
      try await database.write { transaction in
        try transaction.lock(id)
        // Another run may have put it down, or replaced it, since we looked.
        guard try Self.unknown(after: before, in: transaction)?.id == id else { return }
        try set(all, of: id, in: transaction)
      }
      last = id
    }
  }

  private typealias Unknown = (id: String, descriptor: String)

  private func firstUnknown(after id: String) async throws -> Unknown? {
    try await database.read { try Self.unknown(after: id, in: $0) }
  }

  private static func unknown(after id: String, in transaction: any Transaction) throws -> Unknown? {
    let rows = try transaction.query(
      """
      SELECT id, poster, COALESCE(cover, '') AS cover, playback, caption_tracks, captioned_hls, captioned_playlists
      FROM clips WHERE state = 'ready' AND id > ?
          AND NOT EXISTS (SELECT 1 FROM clip_blobs WHERE clip_blobs.clip_id = clips.id)
      ORDER BY id LIMIT 1
      """, [.text(id)])
    return try rows.first.map { row in
      let names = try ["poster", "cover", "playback"].map(row.text) + [ClipStore.captionText(row)]
      return (try row.text("id"), names.joined(separator: " "))
    }
  }
}
