public import Contract
internal import Platform

extension Uploads {
  /// Turns a complete upload into a clip. Any number of repetitions, from any number of clients, gives one
  /// clip.
  ///
  /// Throws `upload_incomplete` if bytes are missing and `upload_hash_mismatch` if they are not those that
  /// were declared; then the upload stands at its first byte again.
  public func commit(_ id: String) async throws -> UploadStatus {
    let row = try await row(id)
    guard row.state == .receiving else { return try await upload(row) }
    if way(of: row) != nil { return try await commits.run(id) { try await commitDirect(id) } }
    return try await turns.take(id) { try await prove(id) }
  }

  /// The same where nobody will ask for it: with the last byte of a protocol that knows no such request.
  public func commitIfComplete(_ id: String) async throws -> UploadStatus {
    let upload = try await upload(id)
    guard upload.state == .receiving, upload.sizeBytes == upload.offset else { return upload }
    guard try await row(id).publishesItself else { return upload }
    return try await commit(id)
  }

  private func prove(_ id: String) async throws -> UploadStatus {
    let row = try await row(id)
    guard row.state == .receiving else { return try await upload(row) }
    // Held open, so that no other process adds to the bytes meanwhile.
    let tail = try await bytes.open(id)
    do {
      try await prove(row, tail)
    } catch {
      await tail.close()
      throw error
    }
    await tail.close()
    return try await upload(id)
  }

  private func prove(_ row: UploadStore.Row, _ tail: any UploadTail) async throws {
    let count = await tail.count()
    guard let size = row.sizeBytes, count == size else {
      throw AppError(
        .uploadIncomplete, "\(count) of \(row.sizeBytes.map(String.init) ?? "?") bytes are there.")
    }
    let hash = try await bytes.hash(row.id)
    guard row.sha256 == nil || row.sha256 == hash else {
      try await tail.cut(to: 0)
      throw AppError(.uploadHashMismatch)
    }
    try await refusing(row.id) {
      try clips.check(firstBytes: try await bytes.head(row.id, Self.firstBytes))
    }
    // NB: stored before the transaction and removed after it. A crash in between leaves a source without a
    // clip, which a repetition finds again, and never a clip without a source.
    try await bytes.handOver(row.id, to: sources)
    try await register(row, hash)
    try await bytes.remove(row.id)
  }

  /// The clip and its job appear as the upload ends, or none of it does.
  func register(_ row: UploadStore.Row, _ hash: String) async throws {
    try await database.write { transaction in
      guard let now = try store.findToChange(row.id, in: transaction), now.state == .receiving else { return }
      let clip = try clips.register(
        source: hash, details: now.details, account: row.account, isGenerated: now.isGenerated,
        in: transaction)
      _ = try store.end(
        row.id, as: .processing, clip: clip.id, owned: clip.isNew, in: transaction)
    }
  }
}
