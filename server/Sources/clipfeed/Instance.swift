public import Comments
internal import Contract
internal import FFmpeg
public import Feed
internal import Foundation
public import Gateway
internal import LocalBlobs
internal import Logging
internal import Platform
internal import S3Blobs
internal import SQLite
public import Transcoding
public import Videos

/// Everything of one data folder, wired. The only place that knows which adapter serves which port.
struct Instance: Sendable {
  let folder: URL
  let database: SQLiteDatabase
  let settings: Settings
  let media: any BlobStore
  let sources: any BlobStore
  /// Set if viewers fetch media from the store itself.
  let mediaReads: (any DirectReads)?
  let queue: JobQueue
  let clips: ClipStore
  let time = SystemTime()

  /// A week: longer than any upload is kept open.
  static let staleMs: Int64 = 7 * 86_400_000

  var workFolder: URL { folder.appendingPathComponent("work", isDirectory: true) }

  static func open(
    _ folder: String, storage: Storage = .folders, migrating: Bool = true
  ) async throws -> Instance {
    let instance = try Instance(
      URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL, storage)
    if migrating { try await instance.migrate() }
    return instance
  }

  private init(_ folder: URL, _ storage: Storage) throws {
    self.folder = folder
    do {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("work", isDirectory: true), withIntermediateDirectories: true)
      database = try SQLiteDatabase(fileAt: folder.appendingPathComponent("clipfeed.sqlite"))
      switch storage {
      case .folders:
        media = try LocalBlobs(root: folder.appendingPathComponent("media", isDirectory: true))
        sources = try LocalBlobs(root: folder.appendingPathComponent("sources", isDirectory: true))
        mediaReads = nil
      case .bucket(let bucket, let delivery):
        let inBucket = S3Blobs(bucket: bucket.under("media"))
        media = inBucket
        sources = S3Blobs(bucket: bucket.under("sources"))
        mediaReads = delivery == .redirect ? inBucket : nil
      }
    } catch {
      throw AppError(
        .unavailable, "The data folder \(folder.path) cannot be used (\(error)); choose another with --data.")
    }
    Self.sweep(folder.appendingPathComponent("work", isDirectory: true))
    settings = Settings(database: database)
    queue = JobQueue(database: database, time: time)
    clips = ClipStore(database: database, time: time, transcoding: TranscodeRequests(queue: queue))
  }

  /// Removes copies of sources that a killed import left. Job folders are not touched: their next run clears them.
  private static func sweep(_ work: URL) {
    let files = FileManager.default
    for name in (try? files.contentsOfDirectory(atPath: work.path)) ?? [] where name.hasPrefix("intake-") {
      let url = work.appendingPathComponent(name)
      // Another process on the same data may be copying right now; an hour is longer than any copy.
      let age = FileStatus(of: url.path).map { Date().timeIntervalSince1970 - Double($0.changedNs) / 1e9 }
      if let age, age > 3600 { try? files.removeItem(at: url) }
    }
  }

  @discardableResult
  func migrate() async throws -> [String] {
    let all = Settings.migrations + JobQueue.migrations + ClipStore.migrations + CommentStore.migrations
    return try await Migrator(database: database, migrations: all).migrate()
  }

  func worker(tools: any MediaTools) -> Worker {
    let handler = TranscodeHandler(
      tools: tools, sources: sources, media: media, clips: clips, workFolder: workFolder)
    return Worker(queue: queue, handlers: [handler], logger: Logger(label: "clipfeed.worker"))
  }

  var intake: Intake {
    Intake(clips: clips, sources: sources, gate: ContainerGate(), workFolder: workFolder)
  }

  func comments(_ state: Commenting) async throws -> CommentStore {
    CommentStore(
      database: database, time: time, clips: clips, cursorSecret: try await cursorSecret(), state: state)
  }

  func gateway(web: String, comments state: Commenting = .open, proxies: Int = 0) async throws -> Gateway {
    Gateway(
      feed: FeedStore(database: database, cursorSecret: try await cursorSecret(), comments: state),
      comments: try await comments(state), guests: GuestLimits(time: time, proxies: proxies), media: media,
      direct: mediaReads,
      site: StaticSite(
        folder: URL(fileURLWithPath: web, isDirectory: true), mediaOrigin: mediaReads?.readOrigin),
      readiness: Readiness(database: database, blobs: media))
  }

  private func cursorSecret() async throws -> String {
    try await settings.value("cursor_secret", orCreate: TokenTag.makeSecret)
  }

  /// Parts in a bucket that belong to nothing: they cost money and no listing shows them. Folders have none.
  func abortStaleUploads() async {
    let limit = time.nowMs - Self.staleMs
    for case let store as any DirectUploads in [media, sources] {
      do {
        let count = try await store.abortStale(before: limit)
        if count > 0 {
          Logger(label: "clipfeed.storage").notice("stale uploads removed", metadata: ["count": "\(count)"])
        }
      } catch is CancellationError {
        return
      } catch {
        Logger(label: "clipfeed.storage").warning(
          "stale uploads cannot be removed now", metadata: ["error": "\(error)"])
      }
    }
  }

  /// Waits until somebody's worker has ended the clip's job; `progress` hears of it meanwhile.
  func waitForJob(of clipID: String, progress: (Job) -> Void) async throws -> Job {
    while true {
      guard let job = try await queue.job(kind: TranscodeHandler.kind, key: clipID) else {
        throw AppError(.internalError, "The job of clip \(clipID) is gone.")
      }
      if job.state == .done || job.state == .failed { return job }
      progress(job)
      try await Task.sleep(for: .milliseconds(150))
    }
  }
}

// Ports of one feature, filled by another.

private struct TranscodeRequests: TranscodeRequesting {
  let queue: JobQueue

  func requestTranscode(clipID: String, source: String, in transaction: any Transaction) throws {
    try queue.enqueue(kind: TranscodeHandler.kind, key: clipID, payload: source, in: transaction)
  }
}

private struct ContainerGate: SourceGate {
  func check(firstBytes: [UInt8]) throws { _ = try Container.sniff(firstBytes) }
}

extension ClipStore: ClipPublishing {}
extension ClipStore: CommentedClips {}
extension CommentStore: CommentKeeping {}
extension FeedStore: FeedReading {}
