public import Contract
internal import Foundation
public import Platform

/// Files on their way in: made, received piece by piece, proven, and handed on as clips. It does not know by
/// which protocol they come.
///
/// No transaction is open while bytes move. Whatever ends in between (a connection, this process, the disk's
/// room) leaves an upload that goes on at its offset.
public struct Uploads: Sendable {
  public static let migrations = UploadStore.migrations

  let database: any Database
  let time: any TimeSource
  let bytes: any UploadBytes
  var sources: any BlobStore
  var direct: (any DirectUploads)?
  let clips: any UploadedClips
  let rules: UploadRules
  let siteRules: SiteRules
  let store: UploadStore
  let cursorKeys: TokenKeys
  /// Of the addresses of guests.
  let names: DailyNames
  let turns = UploadLocks()
  let commits = SingleFlight<UploadStatus>()

  /// `direct`: the same store as `sources`, if clients can send to it by themselves.
  public init(
    database: any Database, time: any TimeSource, bytes: any UploadBytes, sources: any BlobStore,
    direct: (any DirectUploads)? = nil, clips: any UploadedClips, rules: UploadRules,
    siteRules: SiteRules = SiteRules(), cursorKeys: TokenKeys = TokenKeys(secret: "")
  ) {
    self.database = database
    self.time = time
    self.bytes = bytes
    self.sources = sources
    self.direct = direct
    self.clips = clips
    self.rules = rules
    self.siteRules = siteRules
    self.cursorKeys = cursorKeys
    store = UploadStore(time: time)
    names = DailyNames(database: database, time: time)
  }

  /// The same key of the same creator for the same file answers with the same upload, from whatever address
  /// it comes: a phone changes its own on the way. One that `publishesItself` becomes a clip with its last
  /// byte, without being asked for. `language`: what its sender reads, as a tag of BCP 47; the clip's unless
  /// the details say another. Nil: it is not known.
  ///
  /// Throws `uploads_off`, `empty_file`, `file_too_large`, `upload_quota`, `storage_full`,
  /// `invalid_parameter`, `text_refused`, `idempotency_key_reused` if the key came before with another file,
  /// and `upload_expired` or `upload_not_found` if its upload is over.
  public func create(
    _ new: NewUpload, key: IdempotencyKey?, publishesItself: Bool, by owner: UploadOwner,
    language: String? = nil
  ) async throws -> UploadStatus {
    try await create(
      new, key: key, publishesItself: publishesItself, by: owner, language: language, isGenerated: false)
  }

  /// `isGenerated`: its clip says that AI made it.
  public func create(
    _ new: NewUpload, key: IdempotencyKey?, publishesItself: Bool, by owner: UploadOwner,
    language: String? = nil, isGenerated: Bool
  ) async throws -> UploadStatus {
    guard rules.isOn || owner.isAccount else {
      throw AppError(.uploadsOff, "Uploading needs an account here.")
    }
    try Self.check(size: new.sizeBytes)
    try Self.check(new.details)
    if let key, let known = try await database.read({ try store.find(key, in: $0) }) {
      guard known.sizeBytes == new.sizeBytes, known.sha256 == new.sha256 else {
        throw AppError(.idempotencyKeyReused)
      }
      return try await upload(known.id)
    }
    try requireTaken(new.details, at: "details.")
    let accounts = try await accounts(of: owner)
    let parts = publishesItself ? nil : try await beginDirect(new, by: accounts)
    if parts == nil { try await requireRoom(for: new.sizeBytes ?? Limits.sourceBytes) }
    let patienceMs = parts == nil ? rules.emptyPatienceMs : rules.emptyDirectPatienceMs
    var row = UploadStore.Row(
      id: Self.makeID(), account: accounts[0], sizeBytes: new.sizeBytes, sha256: new.sha256,
      mediaType: new.type, publishesItself: publishesItself, state: .receiving,
      details: new.details, expiresAtMs: time.nowMs + min(patienceMs, rules.patienceMs), direct: parts)
    if case .account(let id) = owner { row.owner = id } else { row.owner = key?.creator }
    row.isGenerated = isGenerated
    row.digitalSourceType = new.digitalSourceType
    row.language = language
    let made: UploadStore.Row
    do {
      made = try await database.write { [row] transaction in
        // NB: looked for again, since the same request may have come twice at once.
        try transaction.lock("new uploads")
        if let key, let known = try store.find(key, in: transaction) { return known }
        try requireShare(of: accounts, in: transaction)
        try store.insert(row, key: key, in: transaction)
        return row
      }
    } catch {
      await abort(parts)
      throw error
    }
    if made.id != row.id { await abort(parts) }
    return try await upload(made)
  }

  /// The upload that was made by this key; nil: none was.
  public func known(_ key: IdempotencyKey) async throws -> String? {
    try await database.read { try store.find(key, in: $0)?.id }
  }

  /// As it is kept, the newest first: a guest's address has another name each day, and what began yesterday
  /// counts as well.
  private func accounts(of owner: UploadOwner) async throws -> [String] {
    guard case .guest(let address) = owner else { return [owner.description] }
    return try await names.names(of: address).map { UploadOwner.guest(address: $0).description }
  }

  /// The account that began the upload, and that alone may go on with it. Nil: a guest's, which is that of
  /// whoever knows its id; and one that is not there.
  func account(of id: String) async throws -> String? {
    let row = try await database.read { try store.find(id, in: $0) }
    guard case .account(let account)? = row.flatMap({ UploadOwner($0.account) }) else { return nil }
    return account
  }

  /// What an account began is the account's: its id alone opens it for looking, and for nothing else.
  public func isOwner(of id: String, _ viewer: Viewer?) async throws -> Bool {
    guard !id.isEmpty, let account = try await account(of: id) else { return true }
    return account == viewer?.accountID
  }

  /// Throws `sign_in_needed` and `upload_not_found` for who may not change it.
  public func requireOwner(of id: String, _ viewer: Viewer?) async throws {
    guard try await !isOwner(of: id, viewer) else { return }
    throw AppError(viewer?.accountID == nil ? .signInNeeded : .uploadNotFound)
  }

  /// Throws `upload_not_found` and `upload_expired`, as everything below does.
  public func upload(_ id: String) async throws -> UploadStatus {
    try await upload(try await row(id))
  }

  /// The clip of an upload, and whether it was made for it. Throws `clip_not_ready` as long as it cannot be
  /// watched, and `clip_not_found` if it never will be.
  public func clip(of id: String) async throws -> (clipID: String, isOwn: Bool) {
    let row = try await row(id)
    let upload = try await upload(row)
    guard upload.state != .refused else { throw AppError(.clipNotFound, upload.problem?.detail) }
    guard upload.state == .published, let clip = row.clipID else { throw AppError(.clipNotReady) }
    return (clip, row.ownsClip)
  }

  /// Changes what is said about the clip, before or after it is there. Null fields stay as they are.
  /// `changesAccess`: others may see it now who could not before, or the other way round. Throws
  /// `invalid_parameter`, and `clip_not_yours` if the same content was a clip before this upload came.
  public func describe(
    _ id: String, _ details: ClipDetails
  ) async throws -> (upload: UploadStatus, changesAccess: Bool) {
    try Self.check(details)
    try requireTaken(details, at: "")
    _ = try await row(id)
    let changesAccess = try await database.write { transaction in
      guard let row = try store.findToChange(id, in: transaction), row.state != .removed else {
        throw AppError(.uploadNotFound)
      }
      guard row.ownsClip else { throw AppError(.clipNotYours) }
      let merged = ClipDetails(
        caption: details.caption ?? row.details.caption, tags: details.tags ?? row.details.tags,
        visibility: details.visibility ?? row.details.visibility,
        coverMs: details.coverMs ?? row.details.coverMs,
        forAdults: details.forAdults ?? row.details.forAdults,
        language: details.language ?? row.details.language)
      try store.describe(id, merged, in: transaction)
      guard let clip = row.clipID else { return false }
      // NB: who can see it, what covers it and its language are said anew only by who says it now: an
      // operator may have changed the first, another upload of the same content the second, captions the
      // third.
      var stated = merged
      (stated.visibility, stated.coverMs) = (details.visibility, details.coverMs)
      (stated.forAdults, stated.language) = (details.forAdults, details.language)
      return try clips.describe(clip, stated, in: transaction)
    }
    return (try await upload(id), changesAccess)
  }

  /// The clip that an upload has become, or becomes now. Throws `captions_need_a_clip` if there is none, and
  /// `clip_not_yours` if it was somebody else's before.
  public func captionedClip(of id: String) async throws -> String {
    let row = try await row(id)
    guard let clip = row.clipID, row.failureCode == nil else { throw AppError(.captionsNeedAClip) }
    if case .refused(let error) = try await clips.state(of: clip) {
      throw AppError(.captionsNeedAClip, "The upload did not become a clip. \(error.message)")
    }
    guard row.ownsClip else { throw AppError(.clipNotYours) }
    return clip
  }

  /// Ends an upload and forgets its bytes. Throws `upload_closed` for one that became a clip.
  public func terminate(_ id: String) async throws {
    let row = try await row(id)
    try await turns.take(id) {
      guard try await database.write({ try store.end(id, as: .ended, in: $0) }) else {
        throw AppError(.uploadClosed)
      }
      try await bytes.remove(id)
      await removeDirect(of: row)
    }
  }

  /// Commits what was left whole, ends what waited too long, and forgets what is long over. Safe in several
  /// processes at once.
  public func sweep() async throws {
    try await commitLeftOnes()
    let now = time.nowMs
    for row in try await database.read({ try store.expired(atMs: now, in: $0) }) {
      if try await isLeft(row) { continue }
      if try await database.write({ try store.expire(row.id, atMs: now, in: $0) }) {
        try await bytes.remove(row.id)
      }
    }
    try await deleteRemoved()
    // What just expired, and what a crash or a storage that was down left of others.
    for row in try await database.read({ try store.endedDirect(in: $0) }) { await removeDirect(of: row) }
    try await database.write { try store.forget(beforeMs: now - rules.memoryMs, in: $0) }
    // What a crash left between the end of an upload and the removal of its bytes.
    for id in try await bytes.untouched(sinceMs: now - 3_600_000) {
      if try await !database.read({ try store.isReceiving(id, in: $0) }) { try await bytes.remove(id) }
    }
  }

  /// The row of an upload that is not over, and whose clip was not deleted. Throws `upload_not_found` and
  /// `upload_expired`.
  func row(_ id: String) async throws -> UploadStore.Row {
    guard let row = try await database.read({ try store.find(id, in: $0) }),
      row.state != .ended, row.state != .removed
    else {
      throw AppError(.uploadNotFound)
    }
    guard row.state != .expired, row.state != .receiving || row.expiresAtMs >= time.nowMs else {
      throw AppError(.uploadExpired)
    }
    return row
  }

  func upload(_ row: UploadStore.Row) async throws -> UploadStatus {
    if let way = way(of: row) { return try await upload(row, by: way) }
    let isOpen = row.state == .receiving
    var upload = status(row, offset: isOpen ? try await bytes.count(row.id) : row.sizeBytes ?? 0)
    if let code = row.failureCode {
      upload.state = .refused
      upload.problem = UploadProblem(code: code, detail: row.failureDetail ?? "")
    }
    guard let clip = row.clipID else { return upload }
    switch try await clips.state(of: clip) {
    case .processing(let report):
      upload.state = .processing
      upload.clip = Self.clip(clip, of: row, report, permille: 0)
    case .published(let report):
      upload.state = .published
      upload.clip = Self.clip(clip, of: row, report, permille: 1000)
    case .refused(let error):
      upload.state = .refused
      upload.problem = UploadProblem(code: error.code.rawValue, detail: error.message)
    }
    return upload
  }

  func status(_ row: UploadStore.Row, offset: Int) -> UploadStatus {
    UploadStatus(
      id: row.id, state: .receiving, offset: offset, sizeBytes: row.sizeBytes,
      expiresAt: row.state == .receiving
        ? Date(timeIntervalSince1970: Double(row.expiresAtMs) / 1000) : nil,
      details: row.details, parts: UploadRules.parts)
  }

  private static func clip(
    _ id: String, of row: UploadStore.Row, _ report: ProcessingReport?, permille: Int
  ) -> UploadedClip {
    UploadedClip(
      id: id, isOwn: row.ownsClip, step: report?.step ?? "", permille: report?.permille ?? permille,
      remainingMs: report?.remainingMs.map(Int.init),
      renditions: (report?.parts ?? []).compactMap { part in
        RenditionProgress.State(rawValue: part.state.rawValue).map { .init(name: part.name, state: $0) }
      })
  }

  static func check(size: Int?) throws {
    guard let size else { return }
    guard size > 0 else { throw AppError(.emptyFile) }
    guard size <= Limits.sourceBytes else { throw AppError(.fileTooLarge) }
  }

  private static func check(_ details: ClipDetails) throws {
    if let language = details.language, LanguageTag(language) == nil {
      throw AppError(
        .invalidParameter, "language must be a tag such as en, pt-BR or zh-Hant (BCP 47).", field: "language")
    }
    guard let instant = details.coverMs, !Limits.coverMs.contains(instant) else { return }
    throw AppError(
      .invalidParameter, "cover_ms must be an instant of the clip, 0 to \(Limits.coverMs.upperBound).",
      field: "cover_ms")
  }

  /// Throws `text_refused`.
  private func requireTaken(_ details: ClipDetails, at place: String) throws {
    if let caption = details.caption { try siteRules.requireTaken(caption, at: "\(place)caption") }
    for (index, tag) in (details.tags ?? []).enumerated() {
      try siteRules.requireTaken(tag, at: "\(place)tags[\(index)]")
    }
  }

  func requireRoom(for size: Int) async throws {
    guard try await bytes.room() - size >= rules.reserveBytes else { throw AppError(.storageFull) }
  }

  func requireShare(of accounts: [String], in transaction: any Transaction) throws {
    let load = try store.load(of: accounts, sinceMs: time.nowMs - UploadRules.dayMs, in: transaction)
    guard load.open < rules.openPerAccount, load.bytesOfDay < rules.bytesPerAccountPerDay else {
      throw AppError(.uploadQuota)
    }
    guard load.openBytes < rules.openBytes else { throw Self.tooMany }
  }

  static let tooMany = AppError(.storageFull, "Too many uploads are on their way; try again later.")

  /// 128 bits of randomness: who knows it may add to the upload, so it must not be guessed.
  private static func makeID() -> String {
    (0..<2).map { _ in
      let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
