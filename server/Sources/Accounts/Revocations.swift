internal import Contract
internal import Foundation
internal import Platform
internal import Synchronization

/// Access tokens that are over before their time: those of sessions that were ended, and those that say of an
/// account what is no longer so.
///
/// Checking one asks no database. Each process remembers what was revoked for as long as a token could still
/// come, and reads what others have written down at most every `pollMs`, however many requests there are.
/// Clocks of processes may differ by `overlapMs`. Where processes share a bus they call to each other, and
/// who is called reads before it lets the next token pass. A call says nothing but that there is something to
/// read: calls may be lost, or be anybody's.
final class Revocations: Sendable {
  /// For how long another process's revocation may go unnoticed.
  static let pollMs: Int64 = 2000
  private static let overlapMs: Int64 = 10_000
  static let channel = "revocations"

  private struct State {
    /// By session: until when it is remembered.
    var sessions: [String: Int64] = [:]
    /// By account: what was made up to this instant does not count.
    var accounts: [String: Int64] = [:]
    var readMs: Int64 = .min
    var isReading = false
    /// Calls of others, and how many of them the last reading has answered.
    var calls = 0
    var answered = 0
    /// The reading for a call. Whoever comes meanwhile waits for it.
    var answering: Task<Void, Never>?
    var listening: Task<Void, Never>?
  }

  private let database: any Database
  private let time: any TimeSource
  private let lifeMs: Int64
  private let bus: (any MessageBus)?
  /// This process need not hear its own calls.
  private let name = Array(Identifier.make(at: SystemTime()).utf8)
  private let state = Mutex(State())

  /// `lifeMs`: of an access token. `bus`: by which processes call to each other, if they do.
  init(database: any Database, time: any TimeSource, lifeMs: Int64, bus: (any MessageBus)? = nil) {
    self.database = database
    self.time = time
    self.lifeMs = lifeMs
    self.bus = bus
    guard let bus else { return }
    let signals = bus.subscribe(to: Self.channel)
    let listening = Task { [weak self, name] in
      // `joined` as well: calls may have been lost before.
      for await signal in signals where signal != .message(name) { self?.state.withLock { $0.calls += 1 } }
    }
    state.withLock { $0.listening = listening }
  }

  deinit { state.withLock { $0.listening }?.cancel() }

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

  /// This process need not wait to read what it wrote itself, and others hear that there is something to
  /// read.
  func remember(_ subjects: [Subject]) {
    guard !subjects.isEmpty else { return }
    let nowMs = time.nowMs
    state.withLock { state in for subject in subjects { Self.add(subject, nowMs, to: &state) } }
    guard let bus else { return }
    Task { [name] in try? await bus.publish(name, to: Self.channel) }
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

  /// Whether what began then by a token of that session has lost its right to go on.
  func isOver(session: String, of account: String, begunMs: Int64) async -> Bool {
    await catchUp()
    return state.withLock { state in
      if state.sessions[session] != nil { return true }
      // It may have begun by an older token, before this process had heard.
      return state.accounts[account].map { begunMs - Self.pollMs <= $0 } ?? false
    }
  }

  /// Of many requests one reads; the others go on with what is known, unless somebody called. So they do if
  /// the database is away: a token lives for minutes anyway.
  private func catchUp() async {
    // Twice: what is being read already may have been asked for before the call.
    for _ in 0..<2 {
      let answering = state.withLock { state -> Task<Void, Never>? in
        if let answering = state.answering { return answering }
        guard state.calls > state.answered else { return nil }
        let calls = state.calls
        state.answering = Task { await answer(calls) }
        return state.answering
      }
      guard let answering else { break }
      await answering.value
    }
    let isDue = state.withLock { state in
      let nowMs = time.nowMs
      guard !state.isReading, nowMs - Self.pollMs >= state.readMs || nowMs < state.readMs else {
        return false
      }
      state.isReading = true
      return true
    }
    guard isDue else { return }
    await read()
    state.withLock { $0.isReading = false }
  }

  private func answer(_ calls: Int) async {
    await read()
    state.withLock { state in
      // Also if it failed: the next look is due by time, and nobody waits for that.
      state.answered = calls
      state.answering = nil
    }
  }

  private func read() async {
    let nowMs = time.nowMs
    let from = state.withLock { max(nowMs - lifeMs, min($0.readMs, nowMs)) - Self.overlapMs }
    let found = try? await database.read {
      try $0.query(
        "SELECT subject, kind, noted_at_ms FROM revocations WHERE noted_at_ms >= ?", [.integer(from)]
      ).map { (try $0.text("subject"), try $0.text("kind"), try $0.integer("noted_at_ms")) }
    }
    guard let found else { return }
    state.withLock { state in
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
