internal import Contract
internal import Foundation
internal import Platform
internal import Synchronization

/// Access tokens that are over before their time: those of sessions that were ended, and those that say of an account what
/// is no longer so.
///
/// Checking one asks no database. Each process remembers what was revoked for as long as a token could still come, and
/// reads what others have written down at most every `pollMs`, however many requests there are. Clocks of processes
/// may differ by `overlapMs`.
final class Revocations: Sendable {
  /// For how long another process's revocation may go unnoticed.
  static let pollMs: Int64 = 2000
  private static let overlapMs: Int64 = 10_000

  private struct State {
    /// By session: until when it is remembered.
    var sessions: [String: Int64] = [:]
    /// By account: what was made up to this instant does not count.
    var accounts: [String: Int64] = [:]
    var readMs: Int64 = .min
    var isReading = false
  }

  private let database: any Database
  private let time: any TimeSource
  private let lifeMs: Int64
  private let state = Mutex(State())

  /// `lifeMs`: of an access token.
  init(database: any Database, time: any TimeSource, lifeMs: Int64) {
    self.database = database
    self.time = time
    self.lifeMs = lifeMs
  }

  static let migration = Migration(
    "0014_revocations",
    [
      """
      CREATE TABLE revocations (
          subject TEXT NOT NULL, kind TEXT NOT NULL, noted_at_ms BIGINT NOT NULL, PRIMARY KEY (subject, kind))
      """,
      "CREATE INDEX revocations_by_time ON revocations (noted_at_ms)",
    ])

  enum Subject: Sendable, Equatable {
    case session(String)
    /// Its clients refresh and learn what is so now.
    case account(String)
  }

  /// In the transaction that makes it so; `remember` follows when that is over.
  func note(_ subjects: [Subject], in transaction: any Transaction) throws {
    let nowMs = time.nowMs
    for subject in subjects {
      let (id, kind) = Self.columns(subject)
      try transaction.execute(
        """
        INSERT INTO revocations (subject, kind, noted_at_ms) VALUES (?, ?, ?)
        ON CONFLICT (subject, kind) DO UPDATE SET noted_at_ms = excluded.noted_at_ms
        """, [.text(id), .text(kind), .integer(nowMs)])
    }
    try transaction.execute(
      "DELETE FROM revocations WHERE noted_at_ms < ?", [.integer(nowMs - lifeMs - Self.overlapMs)])
  }

  /// This process need not wait to read what it wrote itself.
  func remember(_ subjects: [Subject]) {
    let nowMs = time.nowMs
    state.withLock { state in for subject in subjects { Self.add(subject, nowMs, to: &state) } }
  }

  /// Throws `session_ended`, and `access_token_expired` for one that has to be made anew.
  func check(_ claims: AccessClaims) async throws {
    await catchUp()
    let (isEnded, since) = state.withLock {
      ($0.sessions[claims.session] != nil, $0.accounts[claims.account])
    }
    if isEnded { throw AppError(.sessionEnded) }
    if let since, claims.madeMs <= since { throw AppError(.accessTokenExpired) }
  }

  /// One request of many reads; the others go on with what is known. So they do if the database is away: a token lives for
  /// minutes anyway.
  private func catchUp() async {
    let nowMs = time.nowMs
    let from: Int64? = state.withLock { state in
      guard !state.isReading, nowMs - Self.pollMs >= state.readMs || nowMs < state.readMs else { return nil }
      state.isReading = true
      return max(nowMs - lifeMs, min(state.readMs, nowMs)) - Self.overlapMs
    }
    guard let from else { return }
    let found = try? await database.read {
      try $0.query(
        "SELECT subject, kind, noted_at_ms FROM revocations WHERE noted_at_ms >= ?", [.integer(from)]
      ).map { (try $0.text("subject"), try $0.text("kind"), try $0.integer("noted_at_ms")) }
    }
    state.withLock { state in
      state.isReading = false
      guard let found else { return }
      state.readMs = nowMs
      let oldest = nowMs - lifeMs - Self.overlapMs
      state.sessions = state.sessions.filter { $0.value >= oldest }
      state.accounts = state.accounts.filter { $0.value >= oldest }
      for (id, kind, notedMs) in found {
        Self.add(kind == "session" ? .session(id) : .account(id), notedMs, to: &state)
      }
    }
  }

  private static func add(_ subject: Subject, _ notedMs: Int64, to state: inout State) {
    switch subject {
    case .session(let id): state.sessions[id] = max(state.sessions[id] ?? .min, notedMs)
    case .account(let id): state.accounts[id] = max(state.accounts[id] ?? .min, notedMs)
    }
  }

  private static func columns(_ subject: Subject) -> (id: String, kind: String) {
    switch subject {
    case .session(let id): (id, "session")
    case .account(let id): (id, "account")
    }
  }
}
