public import Contract
internal import Foundation
public import Platform

/// The pictures that stand for a clip: its storyboard, and its cover.
///
/// NB: both are made from renditions, which may be replaced while they are made. Whoever changes what a cover
/// is made of asks for it again, and a cover that comes too late is made once more.
extension ClipStore {
  /// Nothing happens to a clip that is gone meanwhile.
  public func add(_ storyboard: Storyboard, to clipID: String, in transaction: any Transaction) throws {
    try transaction.lock(clipID)
    let rows = try transaction.query(
      "SELECT playback FROM clips WHERE id = ? AND state = 'ready'", [.text(clipID)])
    guard let row = rows.first else { return }
    var playback: Playback = try WireCoding.decode(from: Data(try row.text("playback").utf8))
    playback.storyboard = storyboard
    try change(clipID, "playback = ?", .text(try json(playback)), in: transaction)
  }

  /// The instant that was chosen as the cover; nil if the poster is the cover.
  public func coverMs(of clipID: String) async throws -> Int? {
    try await database.read { transaction in
      let rows = try transaction.query("SELECT cover_ms FROM clips WHERE id = ?", [.text(clipID)])
      return rows.first?.optionalInteger("cover_ms").flatMap { $0 > 0 ? Int($0) : nil }
    }
  }

  /// Takes a cover that was made of this instant and rendition; nil for all of them: there was nothing to
  /// make. Where something else is wanted by now, nothing changes and the cover is asked for again.
  public func cover(
    _ clipID: String, with cover: Cover?, at ms: Int?, of rendition: Rendition?,
    in transaction: any Transaction
  ) throws {
    try transaction.lock(clipID)
    let wanted = try coverWanted(of: clipID, in: transaction)
    guard wanted?.ms == ms, wanted?.url == rendition?.url else {
      return try transcoding.requestCover(clipID: clipID, in: transaction)
    }
    guard let cover else { return }
    try change(clipID, "cover = ?", .text(try json(cover)), in: transaction)
  }

  /// What the cover of a visible clip is to be made of; nil if the poster is its cover.
  func coverWanted(of clipID: String, in transaction: any Transaction) throws -> (ms: Int, url: String)? {
    let rows = try transaction.query(
      "SELECT cover_ms, playback FROM clips WHERE id = ? AND state = 'ready' AND cover_ms > 0",
      [.text(clipID)])
    guard let row = rows.first else { return nil }
    let playback: Playback = try WireCoding.decode(from: Data(try row.text("playback").utf8))
    return (Int(try row.integer("cover_ms")), playback.renditions[playback.renditions.count - 1].url)
  }

  /// The choice of a person. A new one is made at once where the clip can be seen, else with its first
  /// rendition.
  func choose(coverMs: Int, of clipID: String, in transaction: any Transaction) throws {
    let changed = try changes.execute(
      "UPDATE clips SET cover_ms = ? WHERE id = ? AND (cover_ms IS NULL OR cover_ms <> ?)",
      [SQLValue(coverMs), .text(clipID), SQLValue(coverMs)], in: transaction)
    guard changed == 1 else { return }
    if coverMs == 0 {
      try change(clipID, "cover = ?", .null, in: transaction)
    } else if try coverWanted(of: clipID, in: transaction) != nil {
      try transcoding.requestCover(clipID: clipID, in: transaction)
    }
  }

  /// The blobs that the clip's row names.
  func named(by clipID: String, in transaction: any Transaction) throws -> Set<BlobName> {
    let rows = try transaction.query(
      """
      SELECT poster, cover, playback, caption_tracks, captioned_hls, captioned_playlists FROM clips WHERE id = ?
      """, [.text(clipID)])
    let texts = rows.flatMap { row in
      ["poster", "cover", "playback"].compactMap(row.optionalText) + [Self.captionText(row)]
    }
    return BlobName.mentioned(in: texts.joined(separator: " "))
  }

  /// Keeps account of the blobs; one that another picture of the clip is made of stays.
  private func change(
    _ clipID: String, _ assignment: String, _ value: SQLValue, in transaction: any Transaction
  ) throws {
    let before = try named(by: clipID, in: transaction)
    try changes.execute(
      "UPDATE clips SET \(assignment) WHERE id = ?", [value, .text(clipID)], in: transaction)
    let after = try named(by: clipID, in: transaction)
    try blobs.replace(before.subtracting(after), by: after, of: clipID, in: transaction)
  }
}
