public import Contract
internal import Foundation
public import Platform

/// Asks for work on a clip's captions, in the transaction that makes it necessary.
public protocol CaptionRequesting: Sendable {
  /// The tracks of the clip, or what it is played from, have changed.
  func requestCaptionPlaylists(clipID: String, in transaction: any Transaction) throws
  /// A clip with sound is complete and nobody has written captions for it.
  func requestCaptions(clipID: String, in transaction: any Transaction) throws
}

/// Captions of clips. The tracks are kept beside what the clip is played from, and so is the master playlist
/// that names them, with the plain one that it was made from: it counts only as long as that is still the
/// clip's. So neither more renditions nor more tracks can undo the other, and until the job
/// `caption-playlists` has run the plain one is shown.
extension ClipStore {
  public static let captionMigrations = [
    Migration(
      "0011_captions",
      [
        // JSON, the wire's list of tracks.
        "ALTER TABLE clips ADD COLUMN caption_tracks TEXT",
        "ALTER TABLE clips ADD COLUMN captioned_from TEXT",
        "ALTER TABLE clips ADD COLUMN captioned_hls TEXT",
        // Names with a space between them.
        "ALTER TABLE clips ADD COLUMN captioned_playlists TEXT",
      ])
  ]

  /// Throws `clip_not_found` for a clip that is not there, or was refused.
  public func captions(of clipID: String, in transaction: any Transaction) throws -> [CaptionTrack] {
    let row = try transaction.query(
      "SELECT caption_tracks FROM clips WHERE id = ? AND state <> 'refused'", [.text(clipID)]
    ).first
    guard let row else { throw AppError(.clipNotFound) }
    return try Self.tracks(in: row)
  }

  /// Nil as long as nobody can see the clip.
  public func durationMs(of clipID: String, in transaction: any Transaction) throws -> Int? {
    try transaction.query("SELECT duration_ms FROM clips WHERE id = ? AND state = 'ready'", [.text(clipID)])
      .first?.optionalInteger("duration_ms").map { Int($0) }
  }

  /// Replaces the track of the same language.
  public func setCaptions(
    _ track: CaptionTrack, of clipID: String, in transaction: any Transaction
  ) throws {
    try transaction.lock(clipID)
    let others = try captions(of: clipID, in: transaction).filter { $0.language != track.language }
    try set((others + [track]).sorted { $0.language < $1.language }, of: clipID, in: transaction)
  }

  /// False: there was no such track.
  public func removeCaptions(
    _ language: String, of clipID: String, in transaction: any Transaction
  ) throws -> Bool {
    try transaction.lock(clipID)
    let all = try captions(of: clipID, in: transaction)
    let others = all.filter { $0.language != language }
    guard others.count < all.count else { return false }
    try set(others, of: clipID, in: transaction)
    return true
  }

  /// Whoever writes the first captions, in one language, says with it which the clip is in; a program says
  /// nothing of that, nor does who corrects them.
  private func set(_ tracks: [CaptionTrack], of clipID: String, in transaction: any Transaction) throws {
    let before = try named(by: clipID, in: transaction)
    let writtenBefore = Set(
      try captions(of: clipID, in: transaction).filter { !$0.automatic }.map(\.language))
    let text = tracks.isEmpty ? nil : String(decoding: try WireCoding.encode(tracks), as: UTF8.self)
    try changes.execute(
      "UPDATE clips SET caption_tracks = ? WHERE id = ?", [SQLValue(text), .text(clipID)], in: transaction)
    let written = tracks.filter { !$0.automatic }
    let isNews = Set(written.map(\.language)) != writtenBefore
    if written.count == 1, isNews { try setLanguage(written[0].language, of: clipID, in: transaction) }
    try renewCaptions(of: clipID, in: transaction)
    try blobs.replace(before, by: try named(by: clipID, in: transaction), of: clipID, in: transaction)
  }

  /// The clip's master playlist with captions is out of date: it is forgotten, and asked for anew if there
  /// are any.
  func renewCaptions(of clipID: String, in transaction: any Transaction) throws {
    try changes.execute(
      """
      UPDATE clips SET captioned_from = NULL, captioned_hls = NULL, captioned_playlists = NULL WHERE id = ?
      """, [.text(clipID)], in: transaction)
    let isCaptioned = try !transaction.query(
      "SELECT id FROM clips WHERE id = ? AND caption_tracks IS NOT NULL", [.text(clipID)]
    ).isEmpty
    if isCaptioned { try captioning?.requestCaptionPlaylists(clipID: clipID, in: transaction) }
  }

  /// All that names a blob in what is kept about a clip's captions.
  static func captionText(_ row: Row) -> String {
    ["caption_tracks", "captioned_hls", "captioned_playlists"]
      .compactMap { row.optionalText($0) }.joined(separator: " ")
  }

  private static func tracks(in row: Row) throws -> [CaptionTrack] {
    guard let text = row.optionalText("caption_tracks") else { return [] }
    return try WireCoding.decode(from: Data(text.utf8))
  }

  // MARK: The master playlist with captions

  /// What a visible clip is played from without captions, and its tracks; nil: nobody can see it.
  public func uncaptioned(_ clipID: String) async throws -> (playback: Playback, tracks: [CaptionTrack])? {
    try await database.read { transaction in
      let rows = try transaction.query(
        "SELECT playback, caption_tracks FROM clips WHERE id = ? AND state = 'ready'", [.text(clipID)])
      return try rows.first.map { row in
        (try WireCoding.decode(from: Data(try row.text("playback").utf8)), try Self.tracks(in: row))
      }
    }
  }

  /// Shows the clip with this master playlist, unless its tracks or what it is played from have changed since
  /// `made` was read: then the work is asked for again.
  public func setCaptioned(
    _ clipID: String, made: (playback: Playback, tracks: [CaptionTrack]), hlsUrl: String,
    playlists: [BlobName], in transaction: any Transaction
  ) throws {
    try transaction.lock(clipID)
    let rows = try transaction.query(
      "SELECT playback, caption_tracks FROM clips WHERE id = ? AND state = 'ready'", [.text(clipID)])
    guard let row = rows.first else { return }
    let playback: Playback = try WireCoding.decode(from: Data(try row.text("playback").utf8))
    guard playback.hlsUrl == made.playback.hlsUrl, try Self.tracks(in: row) == made.tracks else {
      try captioning?.requestCaptionPlaylists(clipID: clipID, in: transaction)
      return
    }
    let before = try named(by: clipID, in: transaction)
    try changes.execute(
      "UPDATE clips SET captioned_from = ?, captioned_hls = ?, captioned_playlists = ? WHERE id = ?",
      [
        .text(playback.hlsUrl), .text(hlsUrl),
        .text(playlists.map(\.description).joined(separator: " ")), .text(clipID),
      ], in: transaction)
    try blobs.replace(
      before, by: try named(by: clipID, in: transaction), of: clipID, in: transaction)
  }

  /// Every rendition of the clip is there.
  public func complete(_ clipID: String, in transaction: any Transaction) throws {
    try transaction.lock(clipID)
    let rows = try transaction.query(
      "SELECT playback, caption_tracks FROM clips WHERE id = ? AND state = 'ready'", [.text(clipID)])
    guard let row = rows.first, try Self.tracks(in: row).allSatisfy(\.automatic) else { return }
    let playback: Playback = try WireCoding.decode(from: Data(try row.text("playback").utf8))
    guard playback.renditions.contains(where: { $0.codecs.contains("mp4a") }) else { return }
    try captioning?.requestCaptions(clipID: clipID, in: transaction)
  }
}
