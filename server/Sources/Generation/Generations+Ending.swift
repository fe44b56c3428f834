public import Contract
internal import Platform

/// Whatever ends a generation settles its credits in the same transaction, and tells whoever asked for it.
extension Generations {
  // MARK: By a worker

  func finish(_ row: GenerationRow) async throws {
    let now = time.nowMs
    try await change(
      row,
      """
      state = 'ready', work = '', permille = 1000, ended_at_ms = ?, took_ms = ?, failure_code = NULL,
      failure_detail = NULL
      """, [.integer(now), .integer(max(0, now - (row.begunMs ?? now)))]
    ) { transaction in
      try settle(row, isSpent: true, in: transaction)
      if let viewer = row.viewer {
        try telling?.tell(viewer, generation: row.id, clip: row.clip, in: transaction)
      }
    }
  }

  /// Another try, or none any more. What a provider said is for the operator.
  func failed(_ row: GenerationRow, at provider: String, _ failure: ProviderFailure) async throws {
    let wanted = row.wanted
    let fitting = makers.providers.filter { $0.capabilities.seconds(for: wanted) != nil }.map(\.name)
    let next = GenerationCourse.after(
      failure, attempts: row.attempts, at: provider, tried: row.tried, fitting: fitting)
    let why: [SQLValue] = [
      .text(failure.code.rawValue), .text("\(provider): \(Self.reported(failure.detail))"),
    ]
    switch next {
    case .again(let tried, let afterMs):
      try await change(
        row,
        """
        state = 'reserved', work = 'start', provider = NULL, remote = NULL, upload = NULL, clip_id = NULL,
        begun_at_ms = NULL, tried = ?, due_at_ms = ?, failure_code = ?, failure_detail = ?
        """, [.text(tried.joined(separator: "\n")), .integer(time.nowMs + afterMs)] + why)
    case .failed:
      try await change(
        row,
        """
        state = 'failed', work = '', upload = NULL, clip_id = NULL, ended_at_ms = ?, failure_code = ?,
        failure_detail = ?
        """, [.integer(time.nowMs)] + why
      ) { transaction in
        try settle(row, isSpent: false, in: transaction)
        if let viewer = row.viewer {
          try telling?.tell(viewer, generation: row.id, clip: nil, in: transaction)
        }
      }
    }
  }

  /// A vendor's words: of at most 300 scalars, in one line, and no null character.
  private static func reported(_ detail: String) -> String {
    PlainText.line(String(String.UnicodeScalarView(detail.unicodeScalars.prefix(300))))
  }

  /// It was not begun in time.
  func expire(_ row: GenerationRow) async throws {
    try await change(
      row, "state = 'expired', work = '', ended_at_ms = ?", [.integer(time.nowMs)]
    ) { transaction in
      try settle(row, isSpent: false, in: transaction)
      if let viewer = row.viewer {
        try telling?.tell(viewer, generation: row.id, clip: nil, in: transaction)
      }
    }
  }

  /// Its owner deleted what it was about to be.
  func cancelled(_ row: GenerationRow) async throws {
    try await change(
      row, "state = 'cancelled', work = '', ended_at_ms = ?", [.integer(time.nowMs)]
    ) { try settle(row, isSpent: false, in: $0) }
  }

  func settle(_ row: GenerationRow, isSpent: Bool, in transaction: any Transaction) throws {
    try ledger.settle(
      row.price, of: row.id, by: row.viewer, day: row.day, isSpent: isSpent, in: transaction)
  }

  /// Of the one that is refined, if the same provider made it.
  func remote(of id: String, at provider: String) async throws -> String? {
    try await database.read {
      try $0.query(
        "SELECT remote FROM generations WHERE id = ? AND provider = ? AND state = 'ready'",
        [.text(id), .text(provider)]
      ).first?.optionalText("remote")
    }
  }

  // MARK: By its owner

  /// Cancels one that is under way, and nobody has its clip; one that has ended is in no list any more, and
  /// what nobody else was shown goes with it. Throws `generation_not_found`.
  public func end(_ id: String, by account: String) async throws {
    let row = try await database.write { transaction in
      try transaction.lock(id)
      let row = try own(id, of: account, in: transaction)
      if row.state.isOver {
        try transaction.execute("UPDATE generations SET hidden = 1 WHERE id = ?", [.text(id)])
        if let picture = row.picture { try forgetPicture(picture, in: transaction) }
      } else {
        try cancel(row, in: transaction)
      }
      return row
    }
    guard let upload = row.upload, !row.isPublished else { return }
    // Its owner may have shown it as any clip of theirs, of which nothing here was told.
    if row.state.isOver, try await clips.isShown(upload) { return }
    try await clips.discard(upload, forGood: !row.state.isOver)
  }

  /// With its row locked. Whoever works on it has lost it; a provider that has it is told by the next one.
  func cancel(_ row: GenerationRow, in transaction: any Transaction) throws {
    try transaction.execute(
      """
      UPDATE generations SET state = 'cancelled', work = ?, ended_at_ms = ?, due_at_ms = ?, upload = NULL,
          clip_id = NULL, fencing = fencing + 1, lease_until_ms = 0
      WHERE id = ?
      """,
      [
        .text(Self.workAfterEnd(of: row).rawValue), .integer(time.nowMs), .integer(time.nowMs), .text(row.id),
      ])
    try settle(row, isSpent: false, in: transaction)
  }

  static func workAfterEnd(of row: GenerationRow) -> GenerationRow.Work {
    row.remote != nil && (row.state == .queued || row.state == .inProgress) ? .ask : .none
  }

  /// Shows its clip, to everybody unless the details say otherwise. Throws `generation_not_found`,
  /// `clip_not_ready`, `clip_not_found`, `text_refused` and `invalid_parameter`.
  public func publish(
    _ id: String, _ details: ClipDetails, by account: String
  ) async throws -> Generation {
    let row = try await database.read { try own(id, of: account, in: $0) }
    guard row.state == .ready, let upload = row.upload else { throw AppError(.clipNotReady) }
    var shown = details
    shown.visibility = details.visibility ?? .public
    try await clips.publish(upload, shown)
    try await database.write {
      try $0.execute("UPDATE generations SET published = 1 WHERE id = ?", [.text(id)])
    }
    return try await generation(id, of: account)
  }
}
