public import Contract
internal import Foundation
internal import Platform

/// What a person sees of it.
extension Generations {
  /// How many of the last ones say how long it takes.
  private static let remembered = 51

  public func offer(to account: String) async throws -> GenerationOffer {
    let (rules, providers) = (makers.rules, makers.providers)
    let all = providers.map(\.capabilities)
    let aspects = GenerationAspect.allCases.filter { aspect in
      all.contains { $0.aspects.contains { $0.rawValue == aspect.rawValue } }
    }
    let lengths = providers.isEmpty ? [] : Self.lengths
    return try await database.read { transaction in
      let balance = try ledger.balance(
        of: account, allowance: Int64(rules.creditsPerDay), in: transaction)
      return GenerationOffer(
        creditsLeft: Int(clamping: balance.available), creditsPerDay: rules.creditsPerDay,
        lengths: try lengths.map { seconds in
          GenerationLength(
            seconds: seconds, credits: Int(Self.price(seconds, rules)),
            usualMs: try usualMs(seconds, at: nil, in: transaction).map { Int(clamping: $0) })
        }, aspects: aspects, startsFromClips: all.contains(where: \.takesPictures),
        startsFromPictures: pictures != nil && all.contains(where: \.takesPictures),
        underWay: try underWay(of: account, in: transaction), mostUnderWay: rules.mostUnderWay)
    }
  }

  /// Throws `generation_not_found`.
  public func generation(_ id: String, of account: String) async throws -> Generation {
    try await database.read { try shown(try own(id, of: account, in: $0), in: $0) }
  }

  /// Newest first. Throws `invalid_cursor`.
  public func page(of account: String, cursor: String?, limit: Int) async throws -> GenerationPage {
    let codec = CursorCodec(keys: cursorKeys, list: "generations/\(account)")
    let start = try cursor.map { cursor in
      guard case .words(let id) = try codec.place(of: cursor) else { throw AppError(.invalidCursor) }
      return id
    }
    return try await database.read { transaction in
      let below = start == nil ? "" : "AND id < ?"
      let rows = try transaction.query(
        "SELECT * FROM generations WHERE viewer_id = ? AND hidden = 0 \(below) ORDER BY id DESC LIMIT ?",
        [.text(account)] + (start.map { [.text($0)] } ?? []) + [SQLValue(limit + 1)]
      ).map(GenerationRow.init)
      let items = try rows.prefix(limit).map { try shown($0, in: transaction) }
      return GenerationPage(
        items: items, nextCursor: rows.count > limit ? items.last.map { codec.token($0.id) } : nil)
    }
  }

  /// Behind one of them, or from the start: newest first, unless `ascending`.
  public func list(
    of account: String, after id: String?, limit: Int, ascending: Bool
  ) async throws -> (items: [Generation], hasMore: Bool) {
    let behind = id == nil ? "" : ascending ? "AND id > ?" : "AND id < ?"
    return try await database.read { transaction in
      let rows = try transaction.query(
        """
        SELECT * FROM generations WHERE viewer_id = ? AND hidden = 0 \(behind)
        ORDER BY id \(ascending ? "ASC" : "DESC") LIMIT ?
        """, [.text(account)] + (id.map { [.text($0)] } ?? []) + [SQLValue(limit + 1)]
      ).map(GenerationRow.init)
      let items = try rows.prefix(limit).map { try shown($0, in: transaction) }
      return (items, rows.count > limit)
    }
  }

  func shown(_ row: GenerationRow) async throws -> Generation {
    try await database.read { try shown(row, in: $0) }
  }

  private func shown(_ row: GenerationRow, in transaction: any Transaction) throws -> Generation {
    var generation = Generation(
      id: row.id, state: row.state, prompt: row.prompt, seconds: row.seconds, style: row.style,
      aspect: row.aspect, credits: Int(clamping: row.price),
      createdAt: Date(timeIntervalSince1970: Double(row.createdMs) / 1000), permille: row.permille,
      isPublished: row.isPublished)
    (generation.refinesId, generation.fromClipId) = (row.refines, row.fromClip)
    generation.pictureId = row.picture
    if row.state.isOver {
      generation.endedAt = row.endedMs.map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }
    switch row.state {
    case .ready: (generation.clipId, generation.uploadId) = (row.clip, row.upload)
    case .failed: generation.problem = Self.problem(row.failureCode)
    case .expired: generation.problem = .expired
    case .cancelled: break
    case .reserved, .queued, .inProgress, .storing:
      let usual = try usualMs(row.seconds, at: row.provider, in: transaction)
      if row.state == .reserved {
        let place = try place(of: row, in: transaction)
        generation.place = place
        let atOnce = Int64(max(1, makers.providers.reduce(0) { $0 + max(0, $1.capabilities.concurrent) }))
        // Rounds before its own, and its own.
        let rounds = Int64(place - 1) / atOnce + 1
        generation.remainingMs = usual.map { Int(clamping: $0 * rounds) }
      } else {
        let took = time.nowMs - (row.begunMs ?? time.nowMs)
        generation.remainingMs = usual.map {
          Int(clamping: GenerationCourse.remainingMs(tookMs: took, usualMs: $0))
        }
      }
    }
    return generation
  }

  private static func problem(_ code: String?) -> GenerationProblem {
    code.flatMap(GenerationProblem.init) ?? .providerError
  }

  /// Turns go round: before somebody's second one come two of everybody else at most.
  private func place(of row: GenerationRow, in transaction: any Transaction) throws -> Int {
    guard let viewer = row.viewer else { return 1 }
    let own =
      try transaction.query(
        "SELECT COUNT(*) AS n FROM generations WHERE work = 'start' AND viewer_id = ? AND id < ?",
        [.text(viewer), .text(row.id)])[0].integer("n") + 1
    let others = try transaction.query(
      """
      SELECT CAST(COALESCE(SUM(CASE WHEN of_people.n < ? THEN of_people.n ELSE ? END), 0) AS BIGINT) AS n FROM
          (SELECT viewer_id, COUNT(*) AS n FROM generations WHERE work = 'start' GROUP BY viewer_id) of_people
      WHERE of_people.viewer_id <> ?
      """, [.integer(own), .integer(own), .text(viewer)])[0].integer("n")
    return Int(clamping: own + others)
  }

  /// Of that provider as soon as it has made three; else of any.
  func usualMs(
    _ seconds: Int, at provider: String?, in transaction: any Transaction
  ) throws -> Int64? {
    let rows = try transaction.query(
      """
      SELECT provider, took_ms FROM generations WHERE seconds = ? AND took_ms IS NOT NULL
      ORDER BY ended_at_ms DESC LIMIT ?
      """, [SQLValue(seconds), SQLValue(Self.remembered)])
    let own = rows.filter { $0.optionalText("provider") == provider }
    return GenerationCourse.usualMs(try (own.count >= 3 ? own : rows).map { try $0.integer("took_ms") })
  }
}
