internal import Accounts
internal import Argon2
internal import Captions
internal import Comments
internal import Contract
internal import CoreMetrics
internal import FFmpeg
internal import Features
internal import Feed
internal import Foundation
internal import Gateway
internal import JWTAccess
internal import Live
internal import LocalBlobs
internal import LocalUploads
internal import Logging
internal import Messages
internal import Platform
internal import PostgreSQL
internal import S3Blobs
internal import SQLite
internal import Social
internal import Transcoding
internal import Uploads
internal import Videos
internal import Watching

/// Everything of one data folder, wired. The only place that knows which adapter serves which port.
struct Instance: Sendable {
  let folder: URL
  let database: any Database
  /// Of clips and authors, made through this.
  let changes = FeedChanges()
  let settings: Settings
  let media: any BlobStore
  let sources: any BlobStore
  /// Set if viewers fetch media from the store itself.
  let mediaReads: (any DirectReads)?
  /// Set if clients can send sources to the store itself. Whether new uploads do is in `UploadRules`.
  let sourceSends: (any DirectUploads)?
  let receiving: LocalUploads
  let queue: JobQueue
  let clips: ClipStore
  let sealKeys: SealKeys
  /// Makes captions for clips that have none; nil: nobody does.
  let captioner: OperatorCaptioner?
  /// Connections to the database server; nil: it is no server.
  let connections: (@Sendable () -> DatabaseConnections)?
  let time = SystemTime()

  var workFolder: URL { folder.appendingPathComponent("work", isDirectory: true) }

  static func open(
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
      Self.keepOthersOut(of: folder)
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
      throw Self.cannotUse(folder, error)
    }
    WorkFolder.sweep(folder.appendingPathComponent("work", isDirectory: true))
    settings = Settings(database: database)
    queue = JobQueue(database: database, time: time)
    clips = ClipStore(
      database: database, time: time, transcoding: TranscodeRequests(queue: queue),
      captioning: CaptionRequests(queue: queue, hasCaptioner: captioner != nil), changes: changes)
    sealKeys = SealKeys(database: database, time: time)
  }

  private static func observed(
    _ database: any Database, by observer: (any TransactionObserving)?
  ) -> any Database {
    observer.map { ObservedDatabase(database, observer: $0) } ?? database
  }

  /// What stands in a data folder.
  private static let ownNames = [SQLiteDatabase.fileName, "media", "sources", "uploads", "work"]

  private static func keepOthersOut(of folder: URL) {
    let outcome = PrivateFolder.close(folder, holding: ownNames)
    let logger = Logger(label: "clipfeed.storage")
    if !outcome.closed.isEmpty {
      logger.warning(
        "other users of this machine could read the data folder; it is closed to them now",
        metadata: ["folder": "\(folder.path)", "closed": "\(outcome.closed)"])
    }
    if !outcome.open.isEmpty {
      logger.warning(
        "other users of this machine can read the data folder, and it is not ours to close",
        metadata: ["folder": "\(folder.path)", "open": "\(outcome.open)"])
    }
  }

  /// For an operator, who can do something about it.
  private static func cannotUse(_ folder: URL, _ error: any Error) -> AppError {
    let known = error as? AppError
    // SQLite has no word for it where it cannot make the memory that processes share: "disk I/O error".
    let disk = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
    let isFull = (disk?[.systemFreeSize] as? NSNumber).map { $0.int64Value < 65_536 } ?? false
    let isReadOnly = (error as? CocoaError)?.code == .fileWriteVolumeReadOnly
    if known?.code == .storageFull || isFull && !isReadOnly {
      return AppError(.storageFull, "The disk under the data folder \(folder.path) is full; make room on it.")
    }
    // NB: not the whole of a CocoaError, which takes ten lines to say "read-only".
    let reason = known?.message ?? (error as? CocoaError)?.localizedDescription ?? "\(error)"
    return AppError(
      .unavailable, "The data folder \(folder.path) cannot be used (\(reason)); choose another with --data.")
  }

  @discardableResult
  func migrate() async throws -> [String] {
    let applied = try await migrator.migrate()
    // What is not written down is nobody's. If this is cut short, the next sweep does it.
    if applied.contains(where: { name in ClipBlobs.migrations.contains { $0.name == name } }) {
      try await clips.blobs.learn(from: media)
    }
    return applied
  }

  var migrator: Migrator { Migrator(database: database, migrations: Self.migrations) }

  func worker(tools: any MediaTools, ended: @escaping @Sendable (JobEnd) -> Void = { $0.count() }) -> Worker {
    Worker(
      queue: queue, handlers: features(FeatureContext(self, tools: tools)).flatMap(\.jobs),
      logger: Logger(label: "clipfeed.worker"), ended: ended)
  }

  var captionPlaylists: CaptionPlaylists {
    CaptionPlaylists(media: media, clips: clips, workFolder: workFolder)
  }

  /// A worker for the operator's captioner alone: however long that takes, conversions do not wait for it. Nil: there
  /// is none.
  func captionWorker(ended: @escaping @Sendable (JobEnd) -> Void = { $0.count() }) -> Worker? {
    guard let captioner else { return nil }
    let handler = CaptionerHandler(
      captioner: captioner, captions: captions, clips: clips, database: database, media: media,
      workFolder: workFolder
    ) { [clips] in try await clips.playback(of: $0) }
    return Worker(
      queue: queue, handlers: [handler], logger: Logger(label: "clipfeed.captioner"), ended: ended)
  }

  /// Does what changes of captions have asked for, if nobody else is at it.
  func remakeCaptionPlaylists() async throws {
    let worker = Worker(
      queue: queue, handlers: [captionPlaylists], logger: Logger(label: "clipfeed.worker"))
    while try await worker.runNext() {}
  }

  /// For a clip that was there before anybody set a captioner.
  func requestCaptions(of clipID: String) async throws {
    let requests = CaptionRequests(queue: queue, hasCaptioner: true)
    try await database.write {
      try $0.lock(clipID)
      try requests.requestCaptions(clipID: clipID, in: $0)
    }
  }

  var captions: Captions {
    Captions(database: database, media: media, clips: clips, workFolder: workFolder)
  }

  /// Has the jobs of a clip done again that failed. Throws `job_not_found`, also if the clip's source is gone.
  func tryAgain(_ clipID: String) async throws {
    let failed = try await queue.open().filter { $0.key == clipID && $0.state == .failed }
    guard !failed.isEmpty else {
      throw AppError(.jobNotFound, "No job of the clip \(clipID) has failed.")
    }
    for job in failed where job.kind != TranscodeHandler.kind {
      try await queue.tryAgain(kind: job.kind, key: job.key) { _ in }
    }
    guard let job = failed.first(where: { $0.kind == TranscodeHandler.kind }) else { return }
    guard let source = BlobName(hash: job.payload, ext: "bin"), try await sources.size(source) != nil else {
      throw AppError(
        .jobNotFound, "The source of the clip \(clipID) is gone; it must be uploaded or imported again.")
    }
    try await queue.tryAgain(kind: job.kind, key: job.key) { [clips] in try clips.reopen(clipID, in: $0) }
  }

  var intake: ClipImporter {
    ClipImporter(clips: clips, sources: sources, gate: ContainerGate(), workFolder: workFolder)
  }

  func uploads(
    _ rules: UploadRules, time: any TimeSource = SystemTime(), cursorKeys: TokenKeys = TokenKeys(secret: "")
  ) -> Uploads {
    Uploads(
      database: database, time: time, bytes: receiving, sources: sources, direct: sourceSends,
      clips: ClipsOfUploads(clips: clips, queue: queue, feed: feed(on: database)), rules: rules,
      cursorKeys: cursorKeys)
  }

  func gateway(
    web: String, comments state: Commenting = .open, uploads rules: UploadRules = UploadRules(),
    proxies: Int = 0, origin: String? = nil, allowedOrigins: [String] = [], accounts: Accounts? = nil,
    time: (any TimeSource)? = nil,
    cache: (any Cache)? = nil, live: LiveHub? = nil, streamsPerAddress: Int? = nil,
    readiness: Readiness? = nil, security: SecurityLog = SecurityLog(),
    metrics: any MetricsFactory = NOOPMetricsHandler.instance
  ) async throws -> Gateway {
    let accounts =
      if let accounts { accounts } else { try await self.accounts(time: time, cache: cache) }
    let cursorKeys = try await cursorKeys()
    let live = live ?? self.live(cache: cache, metrics: metrics)
    let guarding = ClipAccess(database: database, time: time ?? self.time, keys: sealKeys)
    let context = FeatureContext(
      self, guests: state, notices: SocialNews(live: live), rules: rules, cursorKeys: cursorKeys,
      sealing: guarding, accounts: accounts)
    return Gateway(
      feed: context.feed, changes: changes, cache: cache, uploads: context.uploads,
      endpoints: features(context).flatMap(\.endpoints),
      identities: try await identities(accounts, time: time),
      live: LiveStreams(hub: live, accounts: accounts),
      streams: StreamLimits(ofOneAddress: streamsPerAddress),
      guests: RequestLimits(
        time: time ?? self.time, rates: cache.map { Rates(cache: $0, time: self.time) }, proxies: proxies),
      guarding: guarding, media: media,
      direct: mediaReads,
      site: StaticSite(
        folder: URL(fileURLWithPath: web, isDirectory: true), mediaOrigin: mediaReads?.readOrigin,
        uploadOrigin: rules.directFromBytes == nil ? nil : sourceSends?.sendOrigin),
      origin: origin, allowedOrigins: allowedOrigins,
      cookiePrefixes: try await cookiePrefixes(
        mayBeSecure: proxies > 0 || origin?.hasPrefix("https:") == true, time ?? self.time),
      readiness: readiness ?? self.readiness(cache: cache), security: security, metrics: metrics)
  }

  var liveLog: LiveLog { LiveLog(database: database, time: time) }

  func live(
    cache: (any Cache)?, metrics: any MetricsFactory = NOOPMetricsHandler.instance
  ) -> LiveHub {
    LiveHub(log: liveLog, cache: cache ?? MemoryCache(time: time), time: time, metrics: metrics)
  }

  func readiness(
    cache: (any Cache)?, lesser: [String: @Sendable () async throws -> Void] = [:],
    patience: Duration? = nil, time: (any TimeSource)? = nil, keptMs: Int64 = Readiness.keptMs
  ) -> Readiness {
    Readiness(
      database: database, blobs: media, cache: cache,
      room: { [receiving] in
        // Below it no upload begins any more.
        guard try await receiving.room() >= UploadRules().reserveBytes else { throw AppError(.storageFull) }
      }, lesser: lesser, patience: patience, time: time ?? self.time, keptMs: keptMs)
  }

  /// `mail` needs `origin`, since messages have links in them. `sessionDays`: after which sessions end at the latest; 0: never.
  func accounts(
    mail: (any MailSending)? = nil, origin: String? = nil, hashing: any PasswordHashing = Argon2Passwords(),
    providers: [any IdentityProvider] = [], sessionDays: Int = 0, time: (any TimeSource)? = nil,
    cache: (any Cache)? = nil
  ) async throws -> Accounts {
    let time = time ?? self.time
    return Accounts(
      database: database, time: time, hashing: hashing, accessTokens: JWTAccessTokens(ring: accessKeys(time)),
      refreshKeys: try await keys(.refreshTokens, time).tokenKeys(),
      cursorKeys: try await cursorKeys(),
      around: Accounts.Dependencies(
        faces: authors(time), merging: viewerMerging, erasing: viewerErasing(time), mail: mail,
        origin: origin, providers: providers),
      sessionLifeMs: sessionDays == 0 ? nil : Int64(sessionDays) * 86_400_000, cache: cache)
  }

  func identities(_ accounts: Accounts, time: (any TimeSource)? = nil) async throws -> Identities {
    Identities(
      guests: GuestTokens(keys: try await keys(.guests, time).tokenKeys()),
      devices: DeviceTokens(keys: try await keys(.devices, time).tokenKeys()), accounts: accounts,
      time: time ?? self.time)
  }

  func accessKeys(_ time: any TimeSource) -> KeyRing { keys(.accessTokens, time) }

  func keys(_ purpose: KeyRing.Purpose, _ time: (any TimeSource)? = nil) -> KeyRing {
    KeyRing(purpose, database: database, time: time ?? self.time)
  }

  func authors(_ time: any TimeSource) -> AuthorStore {
    AuthorStore(time: time, transcoding: TranscodeRequests(queue: queue), changes: changes)
  }

  func cursorKeys() async throws -> TokenKeys { try await keys(.cursors).tokenKeys() }

  /// Waits until somebody's worker has ended the clip's job; `progress` hears of it meanwhile.
  func waitForJob(of clipID: String, progress: (ProcessingReport) -> Void) async throws -> Job {
    while true {
      guard let job = try await queue.job(kind: TranscodeHandler.kind, key: clipID) else {
        throw AppError(.internalError, "The job of clip \(clipID) is gone.")
      }
      if job.state == .done || job.state == .failed { return job }
      progress(ProcessingReport(job))
      try await Task.sleep(for: .milliseconds(150))
    }
  }
}
