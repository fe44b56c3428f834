public import Contract
public import Foundation
internal import Platform

/// For the operator, who has no credits to pay with.
extension Generations {
  /// One, as the operator sees it.
  public struct Overview: Sendable, Equatable {
    public let id: String
    /// Nil: an account that is gone.
    public let account: String?
    public let state: GenerationState
    public let permille: Int
    public let price: Int
    public let attempts: Int
    public let provider: String?
    public let createdAt: Date
    /// With what a provider said last.
    public let failureCode: String?
    public let failureDetail: String?
  }

  /// What was spent of a day's credits.
  public struct Spending: Sendable, Equatable {
    /// In UTC.
    public let day: Date
    /// Nil: accounts that are gone.
    public let account: String?
    public let credits: Int
    public let generations: Int
  }

  /// What is under way and what failed, the newest first.
  public func overview(_ limit: Int) async throws -> [Overview] {
    try await database.read {
      try $0.query(
        """
        SELECT * FROM generations WHERE state IN ('reserved', 'queued', 'in_progress', 'storing', 'failed')
        ORDER BY id DESC LIMIT ?
        """, [SQLValue(limit)]
      ).map(GenerationRow.init)
    }.map { row in
      Overview(
        id: row.id, account: row.viewer, state: row.state, permille: row.permille,
        price: Int(clamping: row.price), attempts: row.attempts, provider: row.provider,
        createdAt: Date(timeIntervalSince1970: Double(row.createdMs) / 1000), failureCode: row.failureCode,
        failureDetail: row.failureDetail)
    }
  }

  /// Of the last so many days, the last one first, by person.
  public func spending(days: Int) async throws -> [Spending] {
    let first = ledger.today - Int64(max(1, days)) + 1
    return try await database.read {
      try $0.query(
        """
        SELECT day, viewer_id, CAST(SUM(amount) AS BIGINT) AS credits, COUNT(*) AS n FROM credit_entries
        WHERE day >= ? AND place = 'spent' GROUP BY day, viewer_id ORDER BY day DESC, credits DESC, viewer_id
        """, [.integer(first)]
      ).map { row in
        Spending(
          day: Date(timeIntervalSince1970: Double(try row.integer("day")) * 86_400),
          account: row.optionalText("viewer_id"), credits: Int(clamping: try row.integer("credits")),
          generations: Int(clamping: try row.integer("n")))
      }
    }
  }

  /// Has one that failed or expired made after all, at no price. Its tries count from the first again, under
  /// keys of their own. Throws `generation_not_found`.
  public func retry(_ id: String) async throws {
    try await database.write { transaction in
      try transaction.lock(id)
      guard let row = try find(id, in: transaction), row.viewer != nil, !row.isHidden,
        row.state == .failed || row.state == .expired
      else { throw AppError(.generationNotFound) }
      try transaction.execute(
        """
        UPDATE generations SET state = 'reserved', work = 'start', price = 0, permille = 0, attempts = 0, tried = '',
            provider = NULL, remote = NULL, upload = NULL, clip_id = NULL, begun_at_ms = NULL, ended_at_ms = NULL,
            fencing = fencing + 1, lease_until_ms = 0, due_at_ms = ?, wanted_at_ms = ?
        WHERE id = ?
        """, [.integer(time.nowMs), .integer(time.nowMs), .text(id)])
    }
  }

  /// Cancels all that are under way, with their credits back. Servers tell the providers. Counts them.
  public func stopAll() async throws -> Int {
    var stopped = 0
    while true {
      let ids = try await database.read {
        try $0.query(
          """
          SELECT id FROM generations WHERE state IN ('reserved', 'queued', 'in_progress', 'storing')
          ORDER BY id LIMIT 100
          """
        ).map { try $0.text("id") }
      }
      guard !ids.isEmpty else { return stopped }
      for id in ids {
        let row = try await database.write { transaction -> GenerationRow? in
          try transaction.lock(id)
          guard let row = try find(id, in: transaction), !row.state.isOver else { return nil }
          try cancel(row, in: transaction)
          return row
        }
        guard let row else { continue }
        stopped += 1
        if let upload = row.upload { try await clips.discard(upload, forGood: true) }
      }
    }
  }
}
