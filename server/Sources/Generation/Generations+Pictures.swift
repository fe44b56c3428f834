public import Contract
internal import Foundation
public import Platform

/// Pictures that videos start from: whoever sent one alone sees it. It goes a day after it was sent last, or
/// with the last generation in somebody's list that starts from it.
extension Generations {
  /// The same bytes again are the same picture, whose day begins anew. Throws `generation_unavailable`,
  /// `generation_not_possible`, `picture_unreadable`, `picture_too_large`, `storage_full`, `unavailable`.
  public func keepPicture(_ file: [UInt8], of account: String) async throws -> GenerationPicture {
    let pictures = try requirePictures()
    guard file.count <= Limits.pictureBytes else { throw AppError(.pictureTooLarge) }
    let digest = try await Offload.run { ContentHash.of(file) }
    let known = try await database.write { try sentAgain(digest, of: account, in: $0) }
    if let known { return known }
    let stored = try await pictures.store(file)
    return try await database.write { transaction in
      try transaction.lock("pictures of \(account)")
      if let known = try sentAgain(digest, of: account, in: transaction) { return known }
      let id = SecretToken.make()
      try transaction.execute(
        """
        INSERT INTO generation_pictures (id, viewer_id, digest, sent_at_ms, created_at_ms) VALUES (?, ?, ?, ?, ?)
        """, [.text(id), .text(account), .text(digest), .integer(time.nowMs), .integer(time.nowMs)])
      for (aspect, blob) in stored {
        try transaction.execute(
          "INSERT INTO generation_picture_blobs (picture_id, aspect, name) VALUES (?, ?, ?)",
          [.text(id), .text(aspect.rawValue), .text(blob.description)])
      }
      try makeRoom(for: account, in: transaction)
      return shownPicture(id)
    }
  }

  /// For a request whose picture comes with it. Throws as `keepPicture` and `request` do.
  public func request(
    _ new: NewGeneration, startingFrom picture: [UInt8]?, by account: String, idempotencyKey key: String
  ) async throws -> Generation {
    var new = new
    if let picture {
      _ = try requirePictures(field: "picture_id")
      new.pictureId = try await keepPicture(picture, of: account).id
    }
    return try await request(new, by: account, idempotencyKey: key)
  }

  /// As a video of this shape starts from it. Throws `picture_not_found`.
  func picture(
    _ id: String, of account: String, as aspect: GenerationAspect
  ) async throws -> BlobName {
    try await database.read { transaction in
      try requireOwnPicture(id, of: account, in: transaction)
      guard let blob = try Self.blob(of: id, as: aspect, in: transaction) else {
        throw AppError(.pictureNotFound)
      }
      return blob
    }
  }

  /// One from which something starts stays with that. Throws `picture_not_found`.
  func removePicture(_ id: String, of account: String) async throws {
    try await database.write { transaction in
      try requireOwnPicture(id, of: account, in: transaction)
      try forgetPicture(id, in: transaction)
    }
  }

  /// Throws `picture_not_found`.
  func requireOwnPicture(_ id: String, of account: String, in transaction: any Transaction) throws {
    let rows = try transaction.query(
      "SELECT 1 AS n FROM generation_pictures WHERE id = ? AND viewer_id = ?", [.text(id), .text(account)])
    guard !rows.isEmpty else { throw AppError(.pictureNotFound) }
  }

  static func blob(
    of picture: String, as aspect: GenerationAspect, in transaction: any Transaction
  ) throws -> BlobName? {
    try transaction.query(
      "SELECT name FROM generation_picture_blobs WHERE picture_id = ? AND aspect = ?",
      [.text(picture), .text(aspect.rawValue)]
    ).first.flatMap { BlobName(try $0.text("name")) }
  }

  /// A JPEG, as a video of this shape starts from it. Throws `clip_not_found` and `picture_not_found`.
  func bytes(of start: VideoStart, as aspect: GenerationAspect) async throws -> [UInt8] {
    switch start {
    case .clip(let id): return try await clips.picture(of: id)
    case .picture(let id):
      let blob = try await database.read { try Self.blob(of: id, as: aspect, in: $0) }
      guard let blob, let bytes = try await pictures?.media.bytes(blob) else {
        throw AppError(.pictureNotFound, field: start.field)
      }
      return bytes
    }
  }

  /// Throws `clip_not_found` and `picture_not_found` for what is somebody else's.
  func requireOwn(_ start: VideoStart, of account: String, in transaction: any Transaction) throws {
    switch start {
    case .clip(let id): try clips.requireOwn(id, of: account, in: transaction)
    case .picture(let id): try requireOwnPicture(id, of: account, in: transaction)
    }
  }

  // MARK: When they go

  /// Where nothing starts from it that is in somebody's list, or that is still to be begun.
  ///
  /// NB: whoever makes something start from it takes the same lock.
  func forgetPicture(
    _ id: String, sentBefore ms: Int64 = .max, in transaction: any Transaction
  ) throws {
    try transaction.lock("picture \(id)")
    try transaction.execute(
      """
      DELETE FROM generation_pictures WHERE id = ? AND sent_at_ms < ? AND NOT EXISTS (
          SELECT 1 FROM generations g WHERE g.picture = generation_pictures.id AND g.hidden = 0)
      """, [.text(id), .integer(ms)])
  }

  /// Those that were sent and not used in time.
  func sweepPictures() async throws {
    let before = time.nowMs - Limits.unusedPictureLifeMs
    let late = try await database.read {
      try $0.query(
        """
        SELECT p.id FROM generation_pictures p WHERE p.sent_at_ms < ? AND NOT EXISTS (
            SELECT 1 FROM generations g WHERE g.picture = p.id AND g.hidden = 0)
        ORDER BY p.sent_at_ms LIMIT 1000
        """, [.integer(before)]
      ).map { try $0.text("id") }
    }
    for id in late { try await database.write { try forgetPicture(id, sentBefore: before, in: $0) } }
  }

  private func makeRoom(for account: String, in transaction: any Transaction) throws {
    let over = try transaction.query(
      """
      SELECT p.id FROM generation_pictures p WHERE p.viewer_id = ? AND NOT EXISTS (
          SELECT 1 FROM generations g WHERE g.picture = p.id AND g.hidden = 0)
      ORDER BY p.sent_at_ms DESC, p.id LIMIT 1000 OFFSET ?
      """, [.text(account), SQLValue(Limits.unusedPictures)])
    for row in over { try forgetPicture(try row.text("id"), in: transaction) }
  }

  // MARK: Sending

  func requirePictures(field: String? = nil) throws -> FirstPictures {
    let providers = makers.providers
    guard !providers.isEmpty else { throw AppError(.generationUnavailable) }
    guard let pictures, providers.contains(where: \.capabilities.takesPictures) else {
      throw AppError(.generationNotPossible, "Videos cannot start from a picture here.", field: field)
    }
    return pictures
  }

  private func sentAgain(
    _ digest: String, of account: String, in transaction: any Transaction
  ) throws -> GenerationPicture? {
    let rows = try transaction.query(
      "SELECT id FROM generation_pictures WHERE viewer_id = ? AND digest = ?",
      [.text(account), .text(digest)])
    guard let id = try rows.first?.text("id") else { return nil }
    let changed = try transaction.execute(
      "UPDATE generation_pictures SET sent_at_ms = ? WHERE id = ?", [.integer(time.nowMs), .text(id)])
    return changed == 1 ? shownPicture(id) : nil
  }

  private func shownPicture(_ id: String) -> GenerationPicture {
    GenerationPicture(
      id: id,
      expiresAt: Date(timeIntervalSince1970: Double(time.nowMs + Limits.unusedPictureLifeMs) / 1000))
  }
}

/// For who sweeps blobs, and who hands out what an account takes along.
extension Generations {
  /// Those of these blobs that a picture to start from needs.
  public static func pictures(
    among names: [BlobName], in transaction: any Transaction
  ) throws -> Set<BlobName> {
    guard !names.isEmpty else { return [] }
    let list = SQLList(names.map(\.description))
    let rows = try transaction.query(
      "SELECT DISTINCT name FROM generation_picture_blobs WHERE name IN \(list.marks)", list.values)
    return Set(try rows.compactMap { BlobName(try $0.text("name")) })
  }

  /// All of an account, with a name for each file.
  public static func pictures(
    of account: String, in transaction: any Transaction
  ) throws -> [(name: String, blob: BlobName)] {
    try transaction.query(
      """
      SELECT p.id, b.aspect, b.name FROM generation_pictures p
      JOIN generation_picture_blobs b ON b.picture_id = p.id WHERE p.viewer_id = ? ORDER BY p.id, b.aspect
      """, [.text(account)]
    ).compactMap { row -> (name: String, blob: BlobName)? in
      guard let blob = BlobName(try row.text("name")) else { return nil }
      let aspect = try row.text("aspect").replacing(byte: UInt8(ascii: ":"), with: "x")
      return ("\(try row.text("id"))-\(aspect)", blob)
    }
  }
}
