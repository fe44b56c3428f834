internal import Contract
public import Platform

/// Who works on what: leases with a fencing token, and turns between people.
extension Generations {
  /// Longer than a process is silent that is there; a heartbeat renews it.
  static let leaseMs: Int64 = 60_000
  /// People who are looked at for one start: some may want what no provider with room can make.
  private static let candidates = 64

  /// Somebody else has the generation by now, or it is over.
  struct LostLease: Error {}

  /// The next in turn, for whom a provider with room is chosen, and which counts as being there from now on.
  /// Nil: nobody waits, or nobody has room.
  func claimStart() async throws -> GenerationRow? {
    let now = time.nowMs
    let awake = makers.awake(atMs: now)
    // A look outside of a write first: an idle worker must not disturb those who write.
    guard !awake.isEmpty,
      try await database.read({
        try !$0.query(
          "SELECT id FROM generations WHERE work = 'start' AND due_at_ms <= ? LIMIT 1", [.integer(now)]
        ).isEmpty
      })
    else { return nil }
    return try await database.write { transaction in
      // One after the other, so that what each provider has is counted right.
      try transaction.lock("generation starts")
      let free = try free(awake, in: transaction)
      guard !free.isEmpty else { return nil }
      let rows = try transaction.query(
        """
        SELECT g.* FROM generations g WHERE g.work = 'start' AND g.due_at_ms <= ? AND NOT EXISTS (
            SELECT 1 FROM generations o WHERE o.work = 'start' AND o.viewer_id = g.viewer_id AND o.id < g.id)
        ORDER BY (SELECT served FROM generation_people p WHERE p.viewer_id = g.viewer_id), g.id LIMIT ?
        """, [.integer(now), SQLValue(Self.candidates)]
      ).map(GenerationRow.init)
      for row in rows {
        guard let provider = Self.next(for: row, among: free) else { continue }
        return try start(row, at: provider, now, in: transaction)
      }
      return nil
    }
  }

  /// Those that have room for one more.
  private func free(
    _ providers: [any VideoProvider], in transaction: any Transaction
  ) throws -> [any VideoProvider] {
    let counts = try transaction.query(
      """
      SELECT provider, COUNT(*) AS n FROM generations WHERE state IN ('queued', 'in_progress') GROUP BY provider
      """
    ).reduce(into: [String: Int64]()) { $0[$1.optionalText("provider") ?? ""] = try $1.integer("n") }
    return providers.filter { counts[$0.name] ?? 0 < Int64(clamping: $0.capabilities.concurrent) }
  }

  /// The first in order that can make it and has not had it.
  static func next(for row: GenerationRow, among providers: [any VideoProvider]) -> (any VideoProvider)? {
    providers.first { !row.tried.contains($0.name) && $0.capabilities.seconds(for: row.wanted) != nil }
  }

  /// NB: nobody else changes a row that waits for its turn but under its own lock, so the update says that it
  /// still waits.
  private func start(
    _ row: GenerationRow, at provider: any VideoProvider, _ now: Int64, in transaction: any Transaction
  ) throws -> GenerationRow? {
    let changed = try transaction.execute(
      """
      UPDATE generations SET state = 'queued', work = 'ask', provider = ?, remote = NULL, attempts = attempts + 1,
          fencing = fencing + 1, lease_until_ms = ?, due_at_ms = ?, begun_at_ms = ?
      WHERE id = ? AND work = 'start'
      """,
      [
        .text(provider.name), .integer(now + Self.leaseMs), .integer(now), .integer(now), .text(row.id),
      ])
    guard changed == 1 else { return nil }
    let last = try transaction.query(
      "SELECT COALESCE(MAX(served), 0) AS n FROM generation_people")[0].integer("n")
    try transaction.execute(
      "UPDATE generation_people SET served = ? WHERE viewer_id = ?",
      [.integer(last + 1), SQLValue(row.viewer)])
    return try find(row.id, in: transaction)
  }

  /// What is due of this work at a provider that this process knows. Nil: nothing is.
  func claimDue(_ work: GenerationRow.Work) async throws -> GenerationRow? {
    let names = makers.providers.map(\.name)
    guard !names.isEmpty else { return nil }
    let list = SQLList(names)
    let now = time.nowMs
    let due = """
      SELECT * FROM generations WHERE work = ? AND due_at_ms <= ? AND lease_until_ms <= ? AND provider IN \(list.marks)
      ORDER BY due_at_ms, id LIMIT 1
      """
    let values = [.text(work.rawValue), .integer(now), .integer(now)] + list.values
    guard try await database.read({ try !$0.query(due, values).isEmpty }) else { return nil }
    return try await database.write { transaction in
      guard let found = try transaction.query(due, values, locking: .skip).first.map(GenerationRow.init)
      else {
        return nil
      }
      try transaction.execute(
        "UPDATE generations SET fencing = fencing + 1, lease_until_ms = ? WHERE id = ?",
        [.integer(now + Self.leaseMs), .text(found.id)])
      return try find(found.id, in: transaction)
    }
  }

  /// The next question about a video at a provider is due now. Whoever is asking already is not disturbed,
  /// and a video of which nobody here knows is none.
  public static func hurry(
    _ remote: String, at provider: String, nowMs: Int64, in transaction: any Transaction
  ) throws {
    try transaction.execute(
      """
      UPDATE generations SET due_at_ms = ?
      WHERE state IN ('queued', 'in_progress') AND provider = ? AND remote = ? AND work = 'ask'
          AND due_at_ms > ?
      """, [.integer(nowMs), .text(provider), .text(remote), .integer(nowMs)])
  }

  /// False: somebody else has it.
  func renew(_ row: GenerationRow) async throws -> Bool {
    let now = time.nowMs
    return try await database.write {
      try $0.execute(
        "UPDATE generations SET lease_until_ms = ? WHERE id = ? AND fencing = ? AND lease_until_ms > 0",
        [.integer(now + Self.leaseMs), .text(row.id), .integer(row.fencing)]) == 1
    }
  }

  /// Ends a step: the row as it is then, without a lease, and what follows from it, or nothing of both.
  /// Throws `LostLease`.
  func change(
    _ row: GenerationRow, _ assignments: String, _ values: [SQLValue],
    _ effects: @escaping @Sendable (any Transaction) throws -> Void = { _ in }
  ) async throws {
    try await database.write { transaction in
      try transaction.lock(row.id)
      let changed = try transaction.execute(
        """
        UPDATE generations SET \(assignments), lease_until_ms = 0
        WHERE id = ? AND fencing = ? AND lease_until_ms > 0
        """, values + [.text(row.id), .integer(row.fencing)])
      guard changed == 1 else { throw LostLease() }
      try effects(transaction)
    }
  }

  /// Whether somebody goes on with what was taken in by one who has lost the row since, or has ended it with
  /// that. Whoever does the same try takes in the same upload.
  func needs(_ upload: String, of lost: GenerationRow) async throws -> Bool {
    guard let now = try await database.read({ try find(lost.id, in: $0) }) else { return false }
    return now.upload == upload || !now.state.isOver && now.key == lost.key
  }

  /// Gives it back: it is due as it was.
  func release(_ row: GenerationRow) async throws {
    try await change(row, "due_at_ms = ?", [.integer(row.dueMs)])
  }
}
