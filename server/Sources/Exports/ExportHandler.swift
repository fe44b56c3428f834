internal import Contract
public import Foundation
public import Platform

/// The files of an account beside its records.
public protocol ExportedMedia: Sendable {
  /// Clips of the account behind an id (empty: from the start), with their files; and the last of these
  /// clips, where there may be more.
  func clips(
    of account: String, behind id: String, limit: Int, in transaction: any Transaction
  ) throws -> (clips: [ExportedClip], next: String?)
  /// The picture of the account; nil: it has none.
  func picture(of account: String, in transaction: any Transaction) throws -> BlobName?
  /// Pictures that videos of the account start from, with a name for each file.
  func firstPictures(
    of account: String, in transaction: any Transaction
  ) throws -> [(name: String, blob: BlobName)]
}

/// A clip with what there is of it.
public struct ExportedClip: Sendable {
  /// The last two are no clip's: the picture of the account, and one that a video starts from.
  public enum Role: String, Sendable {
    case video, source, cover, captions, picture
    case firstPicture = "first_picture"
  }

  /// Where the bytes are.
  public enum Place: Sendable { case media, sources }

  public struct File: Sendable {
    public let role: Role
    public let blob: BlobName
    public let place: Place
    public var language: String?
    public var label: String?
    public var isAutomatic = false
    /// Of a first picture.
    public var name: String?

    public init(_ role: Role, _ blob: BlobName, in place: Place = .media) {
      self.role = role
      self.blob = blob
      self.place = place
    }
  }

  public let id: String
  public let files: [File]

  public init(id: String, files: [File]) {
    self.id = id
    self.files = files
  }
}

/// The job that makes an archive. Its key is the export.
///
/// It writes one file into a folder of its own, and stores it whole: a run that is cut off leaves nothing,
/// and the next one starts again. Records are read a page at a time, each as it is then.
public struct ExportHandler: JobHandler {
  public static let kind = "export"

  /// What a record counts beside bytes of files: about as long as one takes.
  private static let recordBytes = 2000
  private static let clipsAtOnce = 50
  /// Permille of the job: behind it storing.
  private static let writing = 900

  public struct Stores: Sendable {
    let media: any BlobStore
    let sources: any BlobStore
    /// Bytes for which there is room now.
    let room: @Sendable () async throws -> Int

    /// `sources`: where archives go as well.
    public init(
      media: any BlobStore, sources: any BlobStore, room: @escaping @Sendable () async throws -> Int
    ) {
      self.media = media
      self.sources = sources
      self.room = room
    }
  }

  private let exports: Exports
  private let features: [any ViewerExporting]
  private let media: any ExportedMedia
  private let stores: Stores
  private let workFolder: URL
  private let instanceName: @Sendable () async throws -> String

  public init(
    exports: Exports, features: [any ViewerExporting], media: any ExportedMedia, stores: Stores,
    workFolder: URL, instanceName: @escaping @Sendable () async throws -> String
  ) {
    self.exports = exports
    self.features = features
    self.media = media
    self.stores = stores
    self.workFolder = workFolder
    self.instanceName = instanceName
  }

  public var kind: String { Self.kind }

  public func run(
    _ job: Job, under lease: JobLease
  ) async throws -> @Sendable (any Transaction) throws -> Void {
    guard let row = try await exports.database.read({ try exports.find(job.key, in: $0) }),
      row.state == .working
    else { return { _ in } }
    return try await JobFolder.use(for: job, in: workFolder) { folder in
      try await write(row, job, in: folder, under: lease)
    }
  }

  private func write(
    _ row: Exports.Row, _ job: Job, in folder: URL, under lease: JobLease
  ) async throws -> @Sendable (any Transaction) throws -> Void {
    var work = Work(lease: lease)
    try await plan(row.account, &work)
    let url = folder.appendingPathComponent("archive.tar")
    let writer = try ArchiveWriter(at: url, timeMs: exports.time.nowMs)
    for feature in features {
      for records in feature.exported { try await write(records, of: row.account, to: writer, folder, &work) }
    }
    try await writeMedia(of: row.account, to: writer, &work)
    try await writePicture(of: row.account, to: writer, &work)
    for file in try await firstPictures(of: row.account) {
      try await write(file, of: nil, to: writer, &work)
    }
    let manifest = try await manifest(row, writer, work)
    let text = try Self.json(manifest)
    try writer.finish(text)
    lease.progress.report("storing", permille: Self.writing)
    let (size, files) = (writer.bytes, manifest.files.count(where: { $0.role != nil }))
    let blob = try await stores.sources.put(fileAt: url, ext: "tar")
    let records = manifest.records
    return { [exports] in
      try exports.finish(
        job.key, blob: blob, sizeBytes: Int(clamping: size), records: records, files: files, in: $0)
    }
  }

  public func gaveUp(_ job: Job, because error: AppError, in transaction: any Transaction) throws {
    let code = error.code == .storageFull ? error.code : ErrorCode.exportFailed
    try exports.fail(job.key, because: code, in: transaction)
  }

  /// Whoever waits for an archive is told soon that it cannot be made, and may ask again. Each try reads all
  /// of it.
  public func isPassing(_ error: AppError) -> Bool { false }

  /// An archive that another takes the place of is swept.
  public func ended(_ job: Job, failure: AppError?) async {}

  // MARK: How far it is

  private struct Work {
    let lease: JobLease
    var total = 0
    var done = 0
    var missing: [String] = []

    mutating func did(_ bytes: Int, _ step: String) {
      done = min(done + bytes, total)
      lease.progress.report(step, permille: done * ExportHandler.writing / max(1, total))
    }
  }

  /// How much there is to be written, and whether there is room for it: twice, since a store may copy.
  private func plan(_ account: String, _ work: inout Work) async throws {
    work.lease.progress.report("counting", permille: 0)
    var total = 0
    for feature in features {
      for records in feature.exported {
        let count = try await exports.database.read { try records.count(of: account, in: $0) }
        total += count * Self.recordBytes
      }
    }
    var place: String? = ""
    while let from = place {
      let page = try await clips(of: account, behind: from)
      for file in page.clips.flatMap(\.files) { total += try await store(of: file).size(file.blob) ?? 0 }
      place = page.next
      try Task.checkCancellation()
    }
    for file in try await firstPictures(of: account) {
      total += try await stores.media.size(file.blob) ?? 0
    }
    work.total = total
    guard try await stores.room() / 2 > total else {
      throw AppError(.storageFull, "There is no room for an archive of \(total) bytes.")
    }
  }

  private func clips(
    of account: String, behind place: String
  ) async throws -> (clips: [ExportedClip], next: String?) {
    try await exports.database.read { [media] in
      try media.clips(of: account, behind: place, limit: Self.clipsAtOnce, in: $0)
    }
  }

  private func firstPictures(of account: String) async throws -> [ExportedClip.File] {
    try await exports.database.read { [media] transaction in
      try media.firstPictures(of: account, in: transaction).map { name, blob in
        var file = ExportedClip.File(.firstPicture, blob)
        file.name = name
        return file
      }
    }
  }

  private func store(of file: ExportedClip.File) -> any BlobStore {
    file.place == .media ? stores.media : stores.sources
  }

  // MARK: Writing

  /// How long a list is stands before it: so it lies in a file of its own first.
  private func write(
    _ records: ExportedRecords, of account: String, to writer: ArchiveWriter, _ folder: URL,
    _ work: inout Work
  ) async throws {
    let url = folder.appendingPathComponent("records.jsonl")
    guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
      throw AppError(.storageFull)
    }
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    var (count, place) = (0, Optional(""))
    while let from = place {
      let page = try await exports.database.read { try records.page(of: account, behind: from, in: $0) }
      for line in page.lines { try file.write(contentsOf: line + Data([UInt8(ascii: "\n")])) }
      count += page.lines.count
      place = page.next
      work.did(page.lines.count * Self.recordBytes, "records")
      try Task.checkCancellation()
    }
    let lines = count
    try writer.add(url, as: "records/\(records.name).jsonl") {
      $0.records = lines
      $0.about = records.about
    }
  }

  private func writeMedia(
    of account: String, to writer: ArchiveWriter, _ work: inout Work
  ) async throws {
    var place: String? = ""
    while let from = place {
      let page = try await clips(of: account, behind: from)
      for clip in page.clips {
        for file in clip.files { try await write(file, of: clip.id, to: writer, &work) }
      }
      place = page.next
    }
  }

  /// Some tens of kilobytes, for which nothing was planned.
  private func writePicture(
    of account: String, to writer: ArchiveWriter, _ work: inout Work
  ) async throws {
    let blob = try await exports.database.read { [media] in try media.picture(of: account, in: $0) }
    guard let blob else { return }
    try await write(ExportedClip.File(.picture, blob), of: nil, to: writer, &work)
  }

  private func write(
    _ file: ExportedClip.File, of clip: String?, to writer: ArchiveWriter, _ work: inout Work
  ) async throws {
    let name =
      switch file.role {
      case .captions: "captions.\(file.language ?? "und")"
      case .firstPicture: "first-pictures/\(file.name ?? "")"
      default: file.role.rawValue
      }
    let path = "media/\(clip.map { $0 + "/" } ?? "")\(name).\(file.blob.ext)"
    let store = store(of: file)
    // What a clip has may be replaced at any time; what was replaced is there for an hour.
    guard let size = try await store.size(file.blob) else {
      work.missing.append(path)
      return
    }
    try writer.begin(path, size: Int64(size))
    var written = 0
    if size > 0 {
      try await store.read(file.blob, range: 0..<size) { piece in
        try writer.append(piece)
        written += piece.count
        try Task.checkCancellation()
      }
    }
    work.did(written, "media")
    try writer.end {
      ($0.clip, $0.role) = (clip, file.role.rawValue)
      ($0.language, $0.label) = (file.language, file.label)
      if file.role == .captions { $0.automatic = file.isAutomatic }
    }
  }

  // MARK: What is in it

  private func manifest(
    _ row: Exports.Row, _ writer: ArchiveWriter, _ work: Work
  ) async throws -> ArchiveManifest {
    let face = try await exports.database.read {
      try $0.query("SELECT handle, name FROM authors WHERE id = ?", [.text(row.account)]).first
    }
    return ArchiveManifest(
      format: ArchiveManifest.format, version: ArchiveManifest.version, export: row.id,
      instance: try await instanceName(),
      account: .init(
        id: row.account, handle: face?.optionalText("handle") ?? "", name: face?.optionalText("name") ?? ""),
      createdAt: Exports.date(row.createdAtMs), files: writer.files, missing: work.missing)
  }

  private static func json(_ manifest: ArchiveManifest) throws -> Data {
    try WireCoding.encode(manifest)
  }
}

extension Exports {
  /// In the transaction that ends the job. One that is gone by now stays gone: its archive is swept.
  func finish(
    _ id: String, blob: BlobName, sizeBytes: Int, records: Int, files: Int, in transaction: any Transaction
  ) throws {
    guard let row = try find(id, in: transaction), row.state == .working else { return }
    try transaction.execute(
      """
      UPDATE exports SET state = 'ready', blob = ?, size_bytes = ?, records = ?, files = ?, expires_at_ms = ?
      WHERE account_id = ? AND id = ?
      """,
      [
        .text(blob.description), SQLValue(sizeBytes), SQLValue(records), SQLValue(files),
        .integer(time.nowMs + Limits.exportLifeMs), .text(row.account), .text(id),
      ])
    // The one before, which nobody needs beside it.
    try transaction.execute(
      "UPDATE exports SET state = 'gone', blob = NULL WHERE account_id = ? AND id <> ? AND state <> 'working'",
      [.text(row.account), .text(id)])
  }

  func fail(_ id: String, because code: ErrorCode, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE exports SET state = 'failed', failure_code = ? WHERE id = ? AND state = 'working'",
      [.text(code.rawValue), .text(id)])
  }
}
