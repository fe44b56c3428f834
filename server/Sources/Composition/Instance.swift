public import Captions
internal import Contract
internal import Devices
public import FFmpeg
public import Foundation
public import Generation
internal import LocalBlobs
internal import LocalUploads
internal import Maintenance
public import Platform
internal import PostgreSQL
internal import Profiles
public import Recommendations
internal import S3Blobs
internal import SQLite
public import Transcoding
internal import Uploads
public import Videos
public import Webhooks

/// Everything of one data folder, wired. The only place that knows which adapter serves which port.
public struct Instance: Sendable {
  public let folder: URL
  public let database: any Database
  /// Of clips and authors, made through this.
  public let changes = FeedChanges()
  public let settings: Settings
  public let media: any BlobStore
  let sources: any BlobStore
  /// Set if viewers fetch media from the store itself.
  let mediaReads: (any DirectReads)?
  /// Set if clients can send sources to the store itself. Whether new uploads do is in `UploadRules`.
  let sourceSends: (any DirectUploads)?
  let receiving: LocalUploads
  public let queue: JobQueue
  public let clips: ClipStore
  let sealKeys: SealKeys
  /// What this process has learned of what people watch.
  let ranking: RankingState
  /// What the operator takes of what people write; until it is told otherwise, everything.
  public let siteRules = SiteRules()
  /// Who is shown what is for adults alone.
  public let ages = AgeRule()
  /// Who makes clips from words; until it is told otherwise, nobody.
  public let makers = VideoMakers()
  /// Who looks at what they are asked for; until it is told otherwise, nobody.
  public let promptReview = PromptReview()
  /// How webhooks are sent, and by whom they may come; until it is told otherwise, neither.
  public let webhookSetup = WebhookSetup()
  /// In which pictures of strangers are drawn, those of people and those that videos start from.
  let drawingTurns = DrawingTurns()
  /// That something is to be told to devices.
  let pushSignal = PushSignal()
  /// Makes captions for clips that have none; nil: nobody does.
  let captioner: OperatorCaptioner?
  /// Connections to the database server; nil: it is no server.
  let connections: (@Sendable () -> DatabaseConnections)?
  let time = SystemTime()

  public var workFolder: URL { folder.appendingPathComponent("work", isDirectory: true) }

  public static func open(
    _ folder: String, storage: Storage = .folders, database: DatabasePlace = .folder,
    captioner: OperatorCaptioner? = nil, migrating: Bool = true,
    observer: (any TransactionObserving)? = nil
  ) async throws -> Instance {
    // Here a person can be told what is wrong; later it is for the log.
    if case .postgreSQL(let address, let limits) = database {
      try await PostgreSQLDatabase.reach(address, limits: limits)
    }
    let instance = try Instance(
      URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL, storage, database, captioner,
      observer)
    if case .folder = database { try await instance.requireNotMoved() }
    if migrating { try await instance.migrate() }
    return instance
  }

  private init(
    _ folder: URL, _ storage: Storage, _ place: DatabasePlace, _ captioner: OperatorCaptioner?,
    _ observer: (any TransactionObserving)?
  ) throws {
    self.folder = folder
    self.captioner = captioner
    do {
      try PrivateFolder.make(folder)
      try PrivateFolder.make(folder.appendingPathComponent("work", isDirectory: true))
      DataFolder.keepOthersOut(of: folder)
      switch place {
      case .folder:
        let real = try SQLiteDatabase(fileAt: folder.appendingPathComponent(SQLiteDatabase.fileName))
        database = Self.observed(real, by: observer)
        connections = nil
      case .postgreSQL(let address, let limits):
        let real = PostgreSQLDatabase(address, limits: limits)
        database = Self.observed(real, by: observer)
        connections = { DatabaseConnections(usage: real.usage, limit: limits.connections) }
      }
      receiving = try LocalUploads(folder: folder.appendingPathComponent("uploads", isDirectory: true))
      switch storage {
      case .folders:
        media = try LocalBlobs(root: folder.appendingPathComponent("media", isDirectory: true))
        sources = try LocalBlobs(root: folder.appendingPathComponent("sources", isDirectory: true))
        mediaReads = nil
        sourceSends = nil
      case .bucket(let bucket, let delivery, _):
        let inBucket = S3Blobs(bucket: bucket.under("media"))
        let sourcesInBucket = S3Blobs(bucket: bucket.under("sources"))
        media = inBucket
        sources = sourcesInBucket
        sourceSends = sourcesInBucket
        mediaReads = delivery == .redirect ? inBucket : nil
      }
    } catch {
      throw DataFolder.cannotUse(folder, error)
    }
    WorkFolder.sweep(folder.appendingPathComponent("work", isDirectory: true))
    settings = Settings(database: database)
    queue = JobQueue(database: database, time: time)
    clips = ClipStore(
      database: database, time: time, transcoding: TranscodeRequests(queue: queue),
      captioning: CaptionRequests(queue: queue, hasCaptioner: captioner != nil), changes: changes,
      indexing: ClipIndexes(database: database, time: time, queue: queue, changes: changes))
    sealKeys = SealKeys(database: database, time: time)
    ranking = RankingState(
      database: database, time: time, blobs: sources,
      workFolder: folder.appendingPathComponent("work", isDirectory: true))
  }

  private static func observed(
    _ database: any Database, by observer: (any TransactionObserving)?
  ) -> any Database {
    observer.map { ObservedDatabase(database, observer: $0) } ?? database
  }

  /// "For you" goes by an operator's own model from here on.
  ///
  /// - Parameter limit: how long a page waits for it.
  public func score(by model: any CandidateScoring, within limit: Duration) {
    ranking.score(by: model, within: limit)
  }

  @discardableResult
  public func migrate() async throws -> [String] {
    let applied = try await migrator.migrate()
    // What is not written down is nobody's. If this is cut short, the next sweep does it.
    if applied.contains(where: { name in ClipBlobs.migrations.contains { $0.name == name } }) {
      try await clips.blobs.learn(from: media)
    }
    return applied
  }

  public var migrator: Migrator { Migrator(database: database, migrations: Self.migrations) }

  public var captions: Captions {
    Captions(database: database, media: media, clips: clips, workFolder: workFolder)
  }

  public var intake: ClipImporter {
    ClipImporter(clips: clips, sources: sources, gate: ContainerGate(), workFolder: workFolder)
  }

  func uploads(
    _ rules: UploadRules, time: any TimeSource = SystemTime(), cursorKeys: TokenKeys = TokenKeys(secret: "")
  ) -> Uploads {
    Uploads(
      database: database, time: time, bytes: receiving, sources: sources, direct: sourceSends,
      clips: ClipsOfUploads(
        clips: clips, queue: queue, feed: feed(on: database), webhooks: webhooks(time: time),
        announcements: announcements(time: time)), rules: rules,
      siteRules: siteRules, cursorKeys: cursorKeys)
  }

  /// Jobs that failed, for whoever has them done again.
  public var failedJobs: FailedJobs {
    FailedJobs(queue: queue, sources: sources) { [clips] in try clips.reopen($0, in: $1) }
  }
}
