public import Contract
internal import Foundation
public import Platform

/// Tells the owner of an account that its archive is there.
public protocol ExportTelling: Sendable {
  /// In the transaction that writes down that it was told.
  func tellExportReady(_ account: String, in transaction: any Transaction) throws
}

/// What accounts take along: archives of all that is kept of them, made by a job on request.
///
/// It decides when one is made, how long it is there, and what an archive looks like. It refuses to know what
/// features keep (`ViewerExporting`) and which files are an account's (`ExportedMedia`).
///
/// An account has one archive: a newer one takes its place. Its bytes are a blob beside the sources, which
/// nobody can fetch but under a seal that the account was handed out.
public struct Exports: Sendable {
  public static let migrations = [
    Migration(
      "0056_exports",
      [
        // Of one that is gone the row stays for a while: it counts for the day, and its key is known.
        """
        CREATE TABLE exports (
            account_id TEXT NOT NULL, id TEXT NOT NULL UNIQUE, idempotency_key TEXT NOT NULL, state TEXT NOT NULL,
            blob TEXT, size_bytes BIGINT, records BIGINT, files BIGINT, failure_code TEXT, told BIGINT NOT NULL,
            created_at_ms BIGINT NOT NULL, expires_at_ms BIGINT NOT NULL, PRIMARY KEY (account_id, id),
            UNIQUE (account_id, idempotency_key))
        """,
        "CREATE INDEX exports_by_expiry ON exports (expires_at_ms)",
        "CREATE INDEX exports_untold ON exports (created_at_ms) WHERE state = 'ready' AND told = 0",
      ])
  ]

  enum State: String, Sendable { case working, ready, failed, gone }

  struct Row: Sendable {
    var account: String
    var id: String
    var state: State
    var blob: BlobName?
    var sizeBytes: Int?
    var records: Int?
    var files: Int?
    var failureCode: String?
    var createdAtMs: Int64
    var expiresAtMs: Int64
  }

  static let dayMs: Int64 = 86_400_000

  let database: any Database
  let time: any TimeSource
  let queue: JobQueue
  let archives: any BlobStore
  let keys: SealKeys
  let telling: (any ExportTelling)?

  /// `telling`: nil: nobody is told.
  public init(
    database: any Database, time: any TimeSource, queue: JobQueue, archives: any BlobStore, keys: SealKeys,
    telling: (any ExportTelling)? = nil
  ) {
    self.database = database
    self.time = time
    self.queue = queue
    self.archives = archives
    self.keys = keys
    self.telling = telling
  }

  // MARK: Asking

  /// The same key again is the same archive. Throws `export_under_way`, `exports_too_many`, and
  /// `export_not_found` for a repetition of one that is gone.
  public func request(by account: String, idempotencyKey key: String) async throws -> DataExport {
    let now = time.nowMs
    let row = try await database.write { transaction in
      try transaction.lock("exports of \(account)")
      if let known = try find(key, of: account, in: transaction) {
        guard known.state != .gone else { throw AppError(.exportNotFound) }
        return known
      }
      let rows = try transaction.query(
        "SELECT state, created_at_ms FROM exports WHERE account_id = ?", [.text(account)])
      guard try !rows.contains(where: { try $0.text("state") == State.working.rawValue }) else {
        throw AppError(.exportUnderWay)
      }
      let today = try rows.filter { try $0.integer("created_at_ms") > now - Self.dayMs }
      guard today.count < Limits.exportsADay else { throw AppError(.exportsTooMany) }
      let row = Row(
        account: account, id: Identifier.make(at: time), state: .working, createdAtMs: now,
        expiresAtMs: now + Limits.exportLifeMs)
      try transaction.execute(
        """
        INSERT INTO exports (account_id, id, idempotency_key, state, told, created_at_ms, expires_at_ms)
        VALUES (?, ?, ?, ?, 0, ?, ?)
        """,
        [
          .text(account), .text(row.id), .text(key), .text(row.state.rawValue), .integer(now),
          .integer(row.expiresAtMs),
        ])
      try queue.enqueue(
        kind: ExportHandler.kind, key: row.id, payload: "", account: UploadOwner.account(account).description,
        in: transaction)
      return row
    }
    return try await shown(row)
  }

  /// Newest first.
  public func list(of account: String) async throws -> DataExportList {
    let now = time.nowMs
    let rows = try await database.read {
      try $0.query(
        """
        SELECT * FROM exports WHERE account_id = ? AND (state = 'working' OR state <> 'gone' AND expires_at_ms > ?)
        ORDER BY id DESC
        """, [.text(account), .integer(now)]
      ).map(Self.row)
    }
    var items: [DataExport] = []
    for row in rows { items.append(try await shown(row)) }
    return DataExportList(items: items)
  }

  /// Ends its making, or removes the archive. Throws `export_not_found`.
  public func delete(_ id: String, of account: String) async throws {
    let blob = try await database.write { transaction -> BlobName? in
      // As the end of its job does, before anything of it is changed.
      try transaction.lock(id)
      guard let row = try find(id, in: transaction), row.account == account, row.state != .gone else {
        throw AppError(.exportNotFound)
      }
      try queue.remove(key: id, in: transaction)
      try transaction.execute(
        "UPDATE exports SET state = 'gone', blob = NULL WHERE account_id = ? AND id = ?",
        [.text(account), .text(id)])
      return row.blob
    }
    // An archive names its export, so no other is the same. What is not removed now is swept.
    if let blob { try? await archives.remove(blob) }
  }

  private func shown(_ row: Row) async throws -> DataExport {
    var export = DataExport(
      id: row.id, state: .waiting, createdAt: Self.date(row.createdAtMs), permille: 0)
    switch row.state {
    case .working:
      guard let job = try await queue.job(kind: ExportHandler.kind, key: row.id) else { break }
      let report = ProcessingReport(job)
      export.state = report.state == .running ? .working : .waiting
      // What is done is so a moment before its row is read.
      export.permille = min(report.permille, 999)
      export.remainingMs = report.remainingMs.map { Int(clamping: $0) }
    case .ready:
      export.state = .ready
      export.permille = 1000
      export.sizeBytes = row.sizeBytes
      export.records = row.records
      export.files = row.files
      export.sha256 = row.blob?.hash
      export.expiresAt = Self.date(row.expiresAtMs)
      let seal = try await keys.make(
        clip: Self.sealed(row.id), reader: .owner, expires: MediaSeal.expiry(atMs: time.nowMs))
      export.url = Route.exportArchive.path(row.id, seal)
    case .failed, .gone:
      export.state = .failed
      export.problem = row.failureCode ?? ErrorCode.exportFailed.rawValue
    }
    return export
  }

  /// What a seal of an archive is about. No clip has such an id, so neither opens the other.
  private static func sealed(_ id: String) -> String { "export/\(id)" }

  static func date(_ ms: Int64) -> Date { Date(timeIntervalSince1970: Double(ms) / 1000) }

  // MARK: Downloading

  /// What a seal opens.
  public struct Archive: Sendable {
    public let blob: BlobName
    public let fileName: String
    /// For how many seconds yet.
    public let seconds: Int
  }

  /// Throws `export_not_found` for a seal that was not handed out for this archive, and for one that is gone;
  /// `media_address_expired`.
  public func archive(_ id: String, by seal: String) async throws -> Archive {
    guard let read = try await keys.read(seal, clip: Self.sealed(id)), read.reader == .owner else {
      throw AppError(.exportNotFound)
    }
    let left = read.expires - time.nowMs / 1000
    guard left > 0 else { throw AppError(.mediaAddressExpired) }
    guard let row = try await database.read({ try find(id, in: $0) }), row.state == .ready,
      row.expiresAtMs > time.nowMs, let blob = row.blob
    else { throw AppError(.exportNotFound) }
    let day = Self.date(row.createdAtMs).formatted(.iso8601.year().month().day())
    return Archive(blob: blob, fileName: "clipfeed-\(day).tar", seconds: Int(clamping: left))
  }

  // MARK: Rows

  func find(_ id: String, in transaction: any Transaction) throws -> Row? {
    try transaction.query("SELECT * FROM exports WHERE id = ?", [.text(id)]).first.map(Self.row)
  }

  private func find(_ key: String, of account: String, in transaction: any Transaction) throws -> Row? {
    try transaction.query(
      "SELECT * FROM exports WHERE account_id = ? AND idempotency_key = ?", [.text(account), .text(key)]
    ).first.map(Self.row)
  }

  static func row(_ row: Platform.Row) throws -> Row {
    Row(
      account: try row.text("account_id"), id: try row.text("id"),
      state: State(rawValue: try row.text("state")) ?? .gone,
      blob: row.optionalText("blob").flatMap { BlobName($0) },
      sizeBytes: row.optionalInteger("size_bytes").map { Int(clamping: $0) },
      records: row.optionalInteger("records").map { Int(clamping: $0) },
      files: row.optionalInteger("files").map { Int(clamping: $0) },
      failureCode: row.optionalText("failure_code"), createdAtMs: try row.integer("created_at_ms"),
      expiresAtMs: try row.integer("expires_at_ms"))
  }
}
