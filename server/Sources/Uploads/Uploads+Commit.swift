public import Contract
internal import Platform

extension Uploads {
  /// Turns a complete upload into a clip. Any number of repetitions, from any number of clients, gives one
  /// clip. Whoever asks while it is at work waits for that work, which goes on when nobody waits any more.
  ///
  /// Throws `upload_incomplete` if bytes are missing and `upload_hash_mismatch` if they are not those that
  /// were declared; then the upload stands at its first byte again.
  public func commit(_ id: String) async throws -> UploadStatus {
    let row = try await row(id)
    guard row.state == .receiving else { return try await upload(row) }
    let isDirect = way(of: row) != nil
    return try await commits.run(id) { try await isDirect ? commitDirect(id) : prove(id) }
  }

  /// The same where nobody will ask for it: with the last byte of a protocol that knows no such request.
  public func commitIfComplete(_ id: String) async throws -> UploadStatus {
    let upload = try await upload(id)
    guard upload.state == .receiving, upload.sizeBytes == upload.offset else { return upload }
    guard try await row(id).publishesItself else { return upload }
    return try await commit(id)
  }

  /// Commits what came whole by such a protocol, and whose commit did not come to its end: the storage was
  /// down or full, or this process was killed. Its sender may have been told that all bytes are here, and
  /// asks no more.
  func commitLeftOnes() async throws {
    let quiet = time.nowMs + rules.patienceMs - UploadRules.quietMs
    let rows = try await database.read { try store.whole(expiringBeforeMs: quiet, in: $0) }
    var left = UploadRules.commitsPerSweep
    // In another order each time: those that cannot be committed must not keep others from it for ever.
    for row in rows.shuffled() where left > 0 {
      // Else its bytes are another server's, or not all of them came.
      guard try await bytes.count(row.id) == row.sizeBytes else { continue }
      left -= 1
      do {
        _ = try await commits.run(row.id) { try await prove(row.id) }
      } catch {
        // A refusal has ended the upload; with anything else the next sweep tries again.
        try Task.checkCancellation()
      }
    }
  }

  /// All bytes of it came, here or to another server, and no clip was made of them yet: it has another day
  /// for that.
  func isLeft(_ row: UploadStore.Row) async throws -> Bool {
    guard row.publishesItself, let size = row.sizeBytes, row.heldBytes >= size,
      row.expiresAtMs >= time.nowMs - rules.patienceMs
    else { return false }
    let count = try await bytes.count(row.id)
    return count == size || count == 0
  }

  private func prove(_ id: String) async throws -> UploadStatus {
    // Ends whoever still adds to the bytes. If somebody came in between, the tail says who works on them.
    try? await turns.take(id) {}
    // NB: also one that is late: the sweep commits what waited for too long.
    guard let row = try await database.read({ try store.find(id, in: $0) }), row.state == .receiving else {
      return try await upload(id)
    }
    // NB: held open, and no turn. So nobody adds to the bytes meanwhile, in whatever process, and nobody who
    // asks for the offset ends work that would have to begin anew.
    let tail = try await bytes.open(id)
    do {
      try await prove(row, tail)
    } catch {
      await tail.close()
      // Whoever ended the upload meanwhile took its bytes away, and so does who committed it: then that is
      // the answer.
      let now = try await self.row(id)
      if now.state == .processing { return try await upload(now) }
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
        source: hash, details: now.details, language: now.language, account: row.account,
        isGenerated: now.isGenerated, in: transaction)
      _ = try store.end(
        row.id, as: .processing, clip: clip.id, owned: clip.isNew, in: transaction)
    }
  }
}
