public import Foundation
public import Platform

/// What makes pictures that videos start from.
///
/// Obligations of an implementation: it believes a file of a stranger's no name and no type, takes whole
/// JPEGs, PNGs and WebPs alone, counts their pixels before any is decoded, opens no address, writes only into
/// `folder`, and ends in bounded time with bounded memory.
public protocol FirstPictureDrawing: Sendable {
  /// JPEGs, one for each shape: the middle of the picture as a person sees it upright, with nothing in the
  /// file but the picture. Throws `picture_unreadable`, `picture_too_large`, and `unavailable` where nothing
  /// can be drawn or too many wait.
  func firstPictures(of bytes: [UInt8], in folder: URL) async throws -> [VideoAspect: URL]
}

/// What a video starts from that is there already.
enum VideoStart: Sendable, Equatable {
  /// The picture that stands for a clip.
  case clip(String)
  /// One that was sent for it.
  case picture(String)

  init?(clip: String?, picture: String?) {
    guard let start = clip.map(VideoStart.clip) ?? picture.map(VideoStart.picture) else { return nil }
    self = start
  }

  /// Of a request.
  var field: String {
    switch self {
    case .clip: "from_clip_id"
    case .picture: "picture_id"
    }
  }
}

/// Where pictures to start from are made and kept.
public struct FirstPictures: Sendable {
  let drawing: any FirstPictureDrawing
  let media: any BlobStore
  let workFolder: URL

  public init(drawing: any FirstPictureDrawing, media: any BlobStore, workFolder: URL) {
    self.drawing = drawing
    self.media = media
    self.workFolder = workFolder
  }

  static let migration = Migration(
    "0068_generation_pictures",
    [
      "ALTER TABLE generations ADD COLUMN picture TEXT",
      "CREATE INDEX generations_of_picture ON generations (picture) WHERE picture IS NOT NULL",
      // `digest`: of the file as it was sent. `sent_at_ms`: last.
      """
      CREATE TABLE generation_pictures (
          id TEXT PRIMARY KEY, viewer_id TEXT NOT NULL, digest TEXT NOT NULL, sent_at_ms BIGINT NOT NULL,
          created_at_ms BIGINT NOT NULL, UNIQUE (viewer_id, digest))
      """,
      "CREATE INDEX generation_pictures_by_time ON generation_pictures (sent_at_ms)",
      """
      CREATE TABLE generation_picture_blobs (
          picture_id TEXT NOT NULL REFERENCES generation_pictures (id) ON DELETE CASCADE, aspect TEXT NOT NULL,
          name TEXT NOT NULL, PRIMARY KEY (picture_id, aspect))
      """,
      "CREATE INDEX generation_picture_blobs_name ON generation_picture_blobs (name)",
    ])

  /// Nothing refers to what is stored yet: it is swept if nothing ever does.
  func store(_ file: [UInt8]) async throws -> [(aspect: VideoAspect, blob: BlobName)] {
    // Swept after an hour if this process is killed.
    let folder = workFolder.appendingPathComponent(
      "intake-picture-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let drawn = try await drawing.firstPictures(of: file, in: folder)
    var stored: [(aspect: VideoAspect, blob: BlobName)] = []
    for (aspect, url) in drawn { stored.append((aspect, try await media.put(fileAt: url, ext: "jpg"))) }
    return stored
  }
}
