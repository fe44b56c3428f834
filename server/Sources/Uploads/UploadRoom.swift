internal import Contract
internal import Platform

/// What a request was given room for, of one upload.
struct UploadRoom: Sendable {
  var row: UploadStore.Row
  /// Bytes that the upload may have.
  let most: Int
  /// Where it says that its bytes end; nil: it does not.
  let end: Int?
  /// Up to where the disk was looked at.
  var looked = 0

  init(of row: UploadStore.Row, most: Int, end: Int?) {
    self.row = row
    self.most = most
    self.end = end
  }

  /// Up to where room is asked for, so that these bytes have some: all that was announced, or else the next
  /// step.
  func bytes(for reached: Int) -> Int {
    let step = UploadRules.roomStepBytes
    return min(most, max(end ?? 0, (reached + step - 1) / step * step))
  }
}

extension Uploads {
  /// Gives a request room for its next bytes, on the disk and in what may be on its way, and says with it
  /// that the upload lives. Throws `storage_full`, and `upload_quota` where nothing was declared.
  func hold(_ room: inout UploadRoom, from count: Int, to reached: Int) async throws {
    guard reached > count else { return }
    // NB: also where room was given before: others were told the same, and filled it since.
    if reached > room.looked {
      try await requireRoom(for: min(UploadRules.lookStepBytes, room.most - count))
      room.looked = count + UploadRules.lookStepBytes
    }
    let isWithin = reached <= room.row.heldBytes
    guard !isWithin || isStale(room.row) else { return }
    var row = room.row
    let before = row.heldBytes
    row.expiresAtMs = time.nowMs + rules.patienceMs
    if !isWithin {
      row.heldBytes = room.bytes(for: reached)
      try await requireRoom(for: row.heldBytes - count)
    }
    try await database.write { [row] transaction in
      if row.heldBytes > before {
        let others = try store.openBytes(besides: row.id, in: transaction)
        guard others + row.heldBytes <= rules.openBytes else { throw Self.tooMany }
        if row.sizeBytes == nil {
          let more = row.heldBytes - before
          let sinceMs = time.nowMs - UploadRules.dayMs
          let load = try store.load(of: [row.account], sinceMs: sinceMs, in: transaction)
          guard load.bytesOfDay + more <= rules.bytesPerAccountPerDay else { throw AppError(.uploadQuota) }
        }
      }
      try store.hold(row.heldBytes, of: row.id, until: row.expiresAtMs, in: transaction)
    }
    room.row = row
  }

  /// What was announced and did not come counts no more.
  func release(_ room: UploadRoom, at reached: Int) async {
    let row = room.row
    guard row.heldBytes - reached >= UploadRules.roomStepBytes, reached > 0 else { return }
    // If it fails, more is counted than there is until the next bytes come.
    // NB: a cancelled task cannot wait for the database; this gets a task of its own.
    try? await Task {
      try await database.write { try store.hold(reached, of: row.id, until: row.expiresAtMs, in: $0) }
    }.value
  }

  /// Not with each request: a minute less of its time is as good.
  func isStale(_ row: UploadStore.Row) -> Bool {
    time.nowMs + rules.patienceMs - 60_000 > row.expiresAtMs
  }
}
