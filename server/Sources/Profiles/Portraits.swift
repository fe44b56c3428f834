public import Contract
public import Foundation
public import Platform

/// Pictures of people: read as a stranger's file, drawn anew, stored as blobs, and told to the author.
///
/// It answers once the picture is there, so that whoever chose it sees it or why not. Drawing takes some
/// tenths of a second in a process of its own, which comes behind whatever answers requests.
public struct Portraits: Sendable {
  private let database: any Database
  private let media: any BlobStore
  private let authors: any PortraitKeeping
  private let drawing: any PortraitDrawing
  private let turns: DrawingTurns
  private let workFolder: URL

  public init(
    database: any Database, media: any BlobStore, authors: any PortraitKeeping,
    drawing: any PortraitDrawing, turns: DrawingTurns, workFolder: URL
  ) {
    self.database = database
    self.media = media
    self.authors = authors
    self.drawing = drawing
    self.turns = turns
    self.workFolder = workFolder
  }

  /// The author with the picture. Throws `picture_unreadable`, `picture_too_large`, `author_not_found`,
  /// `unavailable` and `storage_full`.
  public func put(_ file: [UInt8], crop: PictureCrop = PictureCrop(), of author: String) async throws
    -> Author
  {
    let picture = try await Offload.run { try PictureFile(file) }
    // Swept after an hour if this process is killed.
    let folder = workFolder.appendingPathComponent(
      "intake-picture-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("picture")
    try Data(picture.bytes).write(to: url)
    let portrait = try await turns.run { [drawing] in
      try await drawing.draw(PortraitOrder(url, picture, crop), in: folder)
    }
    // Nothing refers to them yet: they are swept if nothing ever does.
    let large = try await media.put(fileAt: portrait.large, ext: "jpg")
    let small = try await media.put(fileAt: portrait.small, ext: "jpg")
    return try await database.write { [authors] transaction in
      try authors.setPicture(
        of: author, color: portrait.color, large: large, small: small, in: transaction)
      let rows = try transaction.query(
        "SELECT handle, name, picture FROM authors WHERE id = ?", [.text(author)])
      guard let row = rows.first else { throw AppError(.authorNotFound) }
      return try row.author(author)
    }
  }

  /// Throws `author_not_found`.
  public func remove(of author: String) async throws {
    try await database.write { [authors] in try authors.removePicture(of: author, in: $0) }
  }
}

/// So many at a time; the others go in the order in which they came. An instance has one for all pictures of
/// strangers.
public actor DrawingTurns {
  private var free: Int
  private let limit: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// `waiting`: so many at most, since one in memory has ten megabytes and more.
  public init(atOnce: Int = 1, waiting: Int = 8) {
    free = atOnce
    limit = waiting
  }

  /// Throws `unavailable` where too many wait.
  public func run<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
    if free > 0 {
      free -= 1
    } else {
      guard waiting.count < limit else { throw AppError(.unavailable) }
      await withCheckedContinuation { waiting.append($0) }
    }
    // Whoever waits takes this one's place, so it is not free in between.
    defer { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
    return try await work()
  }
}
