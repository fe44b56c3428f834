internal import Contract
public import Platform

extension Generations {
  /// What was discarded is forgotten so long after its end: until then its key is known.
  private static let memoryMs: Int64 = 7 * 86_400_000

  /// Ends what nobody could begin in time: providers have no room, or there are none any more. Safe in
  /// several processes at once.
  func expireLate() async throws {
    let late = try await database.read { [now = time.nowMs] in
      try $0.query(
        """
        SELECT id FROM generations WHERE state IN ('reserved', 'queued', 'in_progress', 'storing')
            AND lease_until_ms <= ? AND clip_id IS NULL AND wanted_at_ms < ? ORDER BY id LIMIT 100
        """, [.integer(now), .integer(now - GenerationCourse.lifeMs)]
      ).map { try $0.text("id") }
    }
    for id in late {
      try await database.write { transaction in
        try transaction.lock(id)
        // NB: looked at again, since a worker may have gone on with it.
        guard let row = try find(id, in: transaction), !row.state.isOver, row.clip == nil,
          time.nowMs - row.wantedMs > Self.lateMs(row)
        else { return }
        let ended = try transaction.execute(
          """
          UPDATE generations SET state = 'expired', work = ?, ended_at_ms = ?, due_at_ms = ?, fencing = fencing + 1,
              lease_until_ms = 0
          WHERE id = ? AND lease_until_ms <= ?
          """,
          [
            .text(Self.workAfterEnd(of: row).rawValue), .integer(time.nowMs), .integer(time.nowMs), .text(id),
            .integer(time.nowMs),
          ])
        guard ended == 1 else { return }
        try settle(row, isSpent: false, in: transaction)
        if let viewer = row.viewer {
          try telling?.tell(viewer, generation: id, clip: nil, in: transaction)
        }
      }
    }
  }

  /// A provider that has it may take its time, if somebody still asks it.
  private static func lateMs(_ row: GenerationRow) -> Int64 {
    row.state == .reserved
      ? GenerationCourse.lifeMs : GenerationCourse.lifeMs + 2 * GenerationCourse.patienceMs
  }

  func sweep() async throws {
    let before = time.nowMs - Self.memoryMs
    try await database.write {
      try $0.execute(
        """
        DELETE FROM generations
        WHERE ended_at_ms < ? AND ended_at_ms IS NOT NULL AND (hidden = 1 OR viewer_id IS NULL) AND work = ''
        """, [.integer(before)])
      try $0.execute(
        "DELETE FROM refused_prompts WHERE at_ms < ?", [.integer(time.nowMs - PromptRule.memoryMs)])
    }
    try await sweepPictures()
  }
}

extension Generations: ViewerErasing {
  /// What a provider has of it stays until that was told to stop, without a word and without the person.
  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    let rows = try transaction.query(
      "SELECT * FROM generations WHERE viewer_id = ? ORDER BY id", [.text(viewer)])
    for row in try rows.map(GenerationRow.init) {
      // As by whoever works on it, before anything of it is changed.
      try transaction.lock(row.id)
      guard let row = try find(row.id, in: transaction), !row.state.isOver || row.work == .ask else {
        continue
      }
      // Its person has nothing to get back.
      if !row.state.isOver {
        try ledger.settle(row.price, of: row.id, by: nil, day: row.day, isSpent: false, in: transaction)
      }
      let work = row.state.isOver ? row.work : Self.workAfterEnd(of: row)
      try transaction.execute(
        """
        UPDATE generations SET viewer_id = NULL, idempotency_key = NULL, prompt = '', refines = NULL, from_clip = NULL,
            picture = NULL, upload = NULL, clip_id = NULL, state = 'cancelled', work = ?, ended_at_ms = ?, due_at_ms = ?,
            fencing = fencing + 1, lease_until_ms = 0
        WHERE id = ?
        """, [.text(work.rawValue), .integer(time.nowMs), .integer(time.nowMs), .text(row.id)])
    }
    try transaction.execute("DELETE FROM generations WHERE viewer_id = ?", [.text(viewer)])
    try transaction.execute("DELETE FROM generation_pictures WHERE viewer_id = ?", [.text(viewer)])
    try transaction.execute("DELETE FROM refused_prompts WHERE viewer_id = ?", [.text(viewer)])
    try ledger.lock(viewer, in: transaction)
    try ledger.forget(viewer, in: transaction)
  }
}

extension Generations: ViewerExporting {
  public var exported: [ExportedRecords] {
    [
      ExportedRecords(
        "generations", "What the account had made from words, with the clip that it became.",
        of: ["generations.viewer_id"],
        fields: [
          "id", "prompt", "seconds", "style", "aspect", "refines", "from_clip", "picture", "price", "state",
          "clip_id", "failure_code", "published", "created_at_ms", "ended_at_ms",
        ],
        sql: """
          SELECT id AS place, id, prompt, seconds, style, aspect, refines, from_clip, picture, price, state, clip_id,
              failure_code, published, created_at_ms, ended_at_ms
          FROM generations WHERE viewer_id = ?
          """),
      ExportedRecords(
        "generation_pictures", "Pictures that the account sent for videos to start from.",
        of: ["generation_pictures.viewer_id"], fields: ["id", "sent_at_ms", "created_at_ms"],
        sql: """
          SELECT id AS place, id, sent_at_ms, created_at_ms FROM generation_pictures WHERE viewer_id = ?
          """),
      ExportedRecords(
        "credits", "What became of the account's credits: each entry has several places, which sum to zero.",
        of: ["credit_entries.viewer_id"],
        fields: ["entry", "account", "generation", "amount", "day", "at_ms"],
        sql: """
          SELECT entry || '/' || place AS place, entry, place AS account, generation, amount, day, at_ms
          FROM credit_entries WHERE viewer_id = ?
          """),
      // NB: not which expression of the operator's it was.
      ExportedRecords(
        "refused_prompts", "Prompts of the last 30 days of which nothing was made, and why.",
        of: ["refused_prompts.viewer_id"], fields: ["id", "prompt", "kind", "rule", "at_ms"],
        sql: """
          SELECT id AS place, id, prompt, kind, CASE WHEN kind = 'pattern' THEN NULL ELSE rule END AS rule, at_ms
          FROM refused_prompts WHERE viewer_id = ?
          """),
    ]
  }

  public var kept: [KeptColumns] {
    [KeptColumns("generation_people.viewer_id", because: "what `credits` adds up to, and whose turn is next")]
  }
}
