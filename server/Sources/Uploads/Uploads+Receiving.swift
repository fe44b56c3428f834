public import Contract
public import Platform

extension Uploads {
  /// Adds bytes at the end; answers the new offset. What came before a cut stays.
  ///
  /// `ends`: after these bytes nothing more comes, so an upload without a size has one then. A newer request
  /// for the same upload ends this one with `CancellationError`. Throws `upload_offset_mismatch`,
  /// `upload_too_long`, `upload_closed`, `upload_busy` while it is committed or another process adds to it,
  /// `upload_checksum_mismatch` (nothing of these bytes stays), `storage_full`, and a refusal of the content.
  public func append<Piece: Collection<UInt8> & Sendable>(
    _ pieces: some AsyncSequence<Piece, any Error> & Sendable, to id: String, at offset: Int,
    announced: Int?, ends: Bool = false, checksum: PieceChecksum? = nil
  ) async throws -> Int {
    let row = try await row(id)
    guard row.state == .receiving else { throw AppError(.uploadClosed) }
    if let way = way(of: row) { try await leave(way, of: row, at: offset) }
    let most = row.sizeBytes ?? Limits.sourceBytes
    // Said before a byte is taken, so that nobody sends for nothing.
    guard offset <= most, announced ?? 0 <= most - offset else {
      throw AppError(row.sizeBytes == nil ? .fileTooLarge : .uploadTooLong)
    }
    let reached = try await turns.take(id) {
      try await write(pieces, to: row, at: offset, most: most, announced: announced, checksum)
    }
    if ends, row.sizeBytes == nil {
      try Self.check(size: reached)
      try await database.write { try store.declare(id, size: reached, in: $0) }
    }
    try await checkFirstBytes(id, from: offset, to: reached)
    return reached
  }

  /// An offset that a client may go on at: nobody else is adding any more. A commit goes on.
  public func settledOffset(_ id: String) async throws -> UploadStatus {
    let row = try await row(id)
    guard row.state == .receiving else { return try await upload(row) }
    // Parts are not added one behind the other: there is nothing to settle, and nobody's commit to end.
    guard way(of: row) == nil else { return status(row, offset: 0) }
    return try await turns.take(id) { try await upload(id) }
  }

  private func write<Piece: Collection<UInt8> & Sendable>(
    _ pieces: some AsyncSequence<Piece, any Error> & Sendable, to row: UploadStore.Row, at offset: Int,
    most: Int, announced: Int?, _ checksum: PieceChecksum?
  ) async throws -> Int {
    let tail = try await bytes.open(row.id)
    // NB: looked up again, since the request before this one may have changed it while this one waited for
    // its turn.
    var room = UploadRoom(of: row, most: most, end: announced.map { offset + $0 })
    do {
      guard await tail.count() == offset else { throw AppError(.uploadOffsetMismatch) }
      room.row = try await self.row(row.id)
      for try await piece in pieces {
        let count = await tail.count()
        guard count + piece.count <= most else {
          try await hold(&room, from: count, to: most)
          try await tail.append(Array(piece.prefix(most - count)))
          throw AppError(most == Limits.sourceBytes ? .fileTooLarge : .uploadTooLong)
        }
        try await hold(&room, from: count, to: count + piece.count)
        checksum?.update(piece)
        try await tail.append(piece)
      }
      if let checksum, !checksum.matches() { throw AppError(.uploadChecksumMismatch) }
    } catch {
      // A checksum is for the whole of a request: what it does not vouch for does not stay.
      // NB: a newer request ends this one by cancelling its task, which can cut nothing then; the cut gets a
      // task of its own.
      if checksum != nil, await tail.count() > offset {
        try? await Task { try await tail.cut(to: offset) }.value
      }
      await release(room, at: await tail.count())
      await tail.close()
      throw error
    }
    let reached = await tail.count()
    await release(room, at: reached)
    await tail.close()
    return reached
  }

  /// Nobody should have to send 50 MB to learn that it is not a video.
  private func checkFirstBytes(_ id: String, from before: Int, to reached: Int) async throws {
    guard before < Self.firstBytes, reached >= Self.firstBytes else { return }
    try await refusing(id) { try clips.check(firstBytes: try await bytes.head(id, Self.firstBytes)) }
  }

  /// As much as the longest signature needs (MPEG-TS: three packets of 192 bytes).
  static let firstBytes = 1024

  /// A refusal of the content ends the upload, and the answer to every later question is the same.
  func refusing(_ id: String, _ check: () async throws -> Void) async throws {
    do {
      try await check()
    } catch let error as AppError where !error.code.retryable {
      _ = try await database.write { try store.end(id, as: .refused, because: error, in: $0) }
      try await bytes.remove(id)
      throw error
    }
  }
}
