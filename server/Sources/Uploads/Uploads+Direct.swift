internal import Contract
internal import Platform

/// Uploads whose bytes go straight to the storage, in parts, past this server. The storage tells what has
/// arrived and the row names where, so any server on the same database can answer for them; nothing of them
/// lies on a disk of ours.
///
/// The order of steps, each of which a crash may be the last after:
/// - parts are begun, then the row is written that names them. What was begun for no row has no byte, since
///   nobody knows its addresses, and is stale after a week (`abortStale`);
/// - a row whose parts the storage knows no more, unless they are being joined, gets new ones: the upload
///   stands at its first byte again;
/// - the row says that they are joined, the storage joins, reads and proves them, and one transaction
///   registers the clip. Each can be repeated, and while a row says so, its source is in use
///   (`joinedSources`);
/// - a row ends, then the storage is told; until it has answered, the row goes on naming the parts, and the
///   sweep tells it.
extension Uploads {
  /// Where the bytes of an upload go.
  struct DirectTarget: Sendable {
    let storage: any DirectUploads
    let parts: DirectUpload
    let plan: PartPlan
    let name: BlobName
  }

  /// Hashes of sources that no clip refers to yet, and that must not be swept.
  public func joinedSources() async throws -> Set<String> {
    Set(try await database.read { try store.joinedHashes(in: $0) })
  }

  /// Nil: through this server. So do those that were begun with a storage which the operator has taken away.
  func way(of row: UploadStore.Row) -> DirectTarget? {
    guard row.state == .receiving, let parts = row.direct, let storage = direct, let size = row.sizeBytes,
      let name = row.sha256.flatMap({ BlobName(hash: $0, ext: "bin") })
    else { return nil }
    return DirectTarget(storage: storage, parts: parts, plan: PartPlan(of: size, in: storage), name: name)
  }

  // MARK: Beginning

  /// Nil: it goes through this server.
  func beginDirect(_ new: NewUpload, by accounts: [String]) async throws -> DirectUpload? {
    guard let direct, let least = rules.directFromBytes, let size = new.sizeBytes, size >= least,
      new.sha256.flatMap({ BlobName(hash: $0, ext: "bin") }) != nil
    else { return nil }
    // Who has no share left begins nothing there.
    try await database.read { try requireShare(of: accounts, in: $0) }
    return try await asking { try await direct.begin() }
  }

  // MARK: Its state

  func upload(_ row: UploadStore.Row, by way: DirectTarget) async throws -> UploadStatus {
    if let arrived = try await asking({ try await way.storage.storedParts(way.parts) }) {
      return try await upload(row, by: way, with: way.plan.whole(arrived))
    }
    // A commit was on its way, and the next one goes on from there.
    if row.isJoined { return try await upload(row, by: way, with: Array(1...way.plan.count)) }
    return try await beginAgain(row, by: way)
  }

  private func upload(
    _ row: UploadStore.Row, by way: DirectTarget, with stored: [Int]
  ) async throws -> UploadStatus {
    let row = try await seen(row, stored.reduce(0) { $0 + way.plan.bytes(of: $1) })
    var upload = status(row, offset: 0)
    let missing = Set(1...way.plan.count).subtracting(stored).sorted().prefix(UploadRules.addressesAtOnce)
    upload.direct = DirectParts(
      partBytes: way.plan.partBytes, count: way.plan.count, stored: stored,
      addresses: missing.map { number in
        // A little longer than is said: it travels, and waits for its turn.
        let url = way.storage.partAddress(
          number, sizeBytes: way.plan.bytes(of: number), of: way.parts, seconds: rules.addressSeconds + 60)
        return PartAddress(number: number, url: url)
      }, validSeconds: rules.addressSeconds)
    return upload
  }

  /// Who asks for addresses is alive, once something has arrived.
  private func seen(_ row: UploadStore.Row, _ storedBytes: Int) async throws -> UploadStore.Row {
    var row = row
    guard storedBytes > row.heldBytes || storedBytes > 0 && isStale(row) else { return row }
    (row.expiresAtMs, row.heldBytes) = (time.nowMs + rules.patienceMs, max(row.heldBytes, storedBytes))
    try await database.write { [row] in
      try store.hold(row.heldBytes, of: row.id, until: row.expiresAtMs, in: $0)
    }
    return row
  }

  /// The storage has forgotten the parts, or they were not those of the file.
  private func beginAgain(_ row: UploadStore.Row, by way: DirectTarget) async throws -> UploadStatus {
    let parts = try await asking { try await way.storage.begin() }
    let isOurs = try await database.write {
      try store.replace(way.parts, of: row.id, by: parts, in: $0)
    }
    guard isOurs else {
      await abort(parts)
      return try await upload(row.id)
    }
    var row = row
    row.direct = parts
    // NB: not asked for again. A storage that forgets at once must not be asked for ever.
    guard let way = self.way(of: row) else { throw AppError(.unavailable) }
    return try await upload(row, by: way, with: [])
  }

  // MARK: Committing

  func commitDirect(_ id: String) async throws -> UploadStatus {
    let row = try await row(id)
    guard let way = way(of: row) else { return try await upload(row) }
    let arrived = try await asking { try await way.storage.storedParts(way.parts) }
    let count = arrived.map { way.plan.whole($0).count } ?? (row.isJoined ? way.plan.count : 0)
    guard count == way.plan.count else {
      throw AppError(.uploadIncomplete, "\(count) of \(way.plan.count) parts are there.")
    }
    let until = time.nowMs + rules.patienceMs
    let isOurs = try await database.write { try store.join(way.parts, of: id, until: until, in: $0) }
    guard isOurs else { return try await upload(id) }
    let outcome = try await asking {
      try await way.storage.complete(way.parts, as: way.name, sizeBytes: way.plan.sizeBytes)
    }
    guard outcome == .stored else {
      try await database.write { try store.part(way.parts, of: id, in: $0) }
      if case .differs(_, .some) = outcome { throw AppError(.uploadHashMismatch) }
      throw AppError(.uploadIncomplete, "The parts are not there any more.")
    }
    try await refusing(id) { try clips.check(firstBytes: try await head(of: way.name, way.plan.sizeBytes)) }
    try await register(row, way.name.hash)
    try? await database.write { try store.forget(way.parts, of: id, in: $0) }
    return try await upload(id)
  }

  private func head(of name: BlobName, _ size: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    try await asking {
      try await sources.read(name, range: 0..<min(size, Self.firstBytes)) { bytes += $0 }
    }
    return bytes
  }

  // MARK: Ending

  /// The client sends the bytes here after all: it cannot reach the storage, or knows nothing of it.
  func leave(_ way: DirectTarget, of row: UploadStore.Row, at offset: Int) async throws {
    guard offset == 0 else { throw AppError(.uploadOffsetMismatch) }
    try await requireRoom(for: way.plan.sizeBytes)
    if try await database.write({ try store.replace(way.parts, of: row.id, by: nil, in: $0) }) {
      return await abort(way.parts)
    }
    // Another request of the same client was first; or the parts are being joined, and it will be a clip.
    let now = try await self.row(row.id)
    guard now.state == .receiving else { throw AppError(.uploadClosed) }
    guard now.direct == nil else { throw AppError(.uploadBusy) }
  }

  func removeDirect(of row: UploadStore.Row) async {
    guard let direct, let parts = row.direct else { return }
    do {
      try await direct.abort(parts)
      try await database.write { try store.forget(parts, of: row.id, in: $0) }
    } catch {
      // The row goes on naming them, and the next sweep tries again.
    }
  }

  /// Parts that no row names. If it fails they are stale some day.
  func abort(_ parts: DirectUpload?) async {
    guard let direct, let parts else { return }
    try? await direct.abort(parts)
  }

  /// What is not there where we ask for our own things is no fault of the client's.
  private func asking<Value>(_ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch let error as AppError where error.code == .mediaNotFound {
      throw AppError(.unavailable, "The media storage has lost something; try again in a moment.")
    }
  }
}

/// How a file is cut: all parts but the last are as large as the storage asks for at least, so that a cut
/// costs little.
struct PartPlan: Sendable {
  let sizeBytes: Int
  let partBytes: Int

  init(of sizeBytes: Int, in storage: any DirectUploads) {
    self.sizeBytes = sizeBytes
    let most = min(storage.maximumParts, Limits.uploadParts)
    partBytes = max(storage.minimumPartBytes, (sizeBytes - 1) / most + 1)
  }

  var count: Int { (sizeBytes - 1) / partBytes + 1 }

  func bytes(of number: Int) -> Int { min(partBytes, sizeBytes - (number - 1) * partBytes) }

  /// The numbers of those that are there as they should be.
  func whole(_ parts: [StoredPart]) -> [Int] {
    parts.filter { (1...count).contains($0.number) && $0.sizeBytes == bytes(of: $0.number) }.map(\.number)
  }
}
