internal import Contract

/// Jobs in the database: at least once, leased, fenced.
///
/// A lease is what a worker holds while it works. It ends by itself (`leaseMs`), or at once when the owner is
/// a process of this machine that is gone.
public struct JobQueue: Sendable {
  public static let leaseMs: Int64 = 30_000
  /// Counted when a job is claimed, so that one which ends its worker (a trap, a lack of memory, kill -9)
  /// ends three of them.
  public static let maximumAttempts = 3
  /// Work of an account's jobs within a day that weighs as much as one more of them in the queue.
  static let shareMs: Int64 = 300_000
  static let dayMs: Int64 = 86_400_000
  /// Behind all other work but that of steps of the schema for what was there before them (1,000,000).
  static let lastPriority: Int64 = 999_999
  /// A job waits no longer at a time for what is away or full, so that it is done soon after that is back.
  static let longestPauseMs: Int64 = 60_000
  /// But four times as long as what failed took, up to this: it may be what fills the disk.
  static let longestRestMs: Int64 = 900_000

  public static let migrations = [
    Migration(
      "0002_jobs",
      [
        """
        CREATE TABLE jobs (
            id TEXT PRIMARY KEY, kind TEXT NOT NULL, job_key TEXT NOT NULL, payload TEXT NOT NULL,
            state TEXT NOT NULL, attempts BIGINT NOT NULL, run_at_ms BIGINT NOT NULL,
            owner TEXT, lease_until_ms BIGINT, fencing BIGINT NOT NULL,
            step TEXT NOT NULL, progress_permille BIGINT NOT NULL,
            failure_code TEXT, failure_detail TEXT,
            created_at_ms BIGINT NOT NULL, updated_at_ms BIGINT NOT NULL,
            UNIQUE (kind, job_key))
        """,
        "CREATE INDEX jobs_next ON jobs (state, run_at_ms)",
      ]),
    Migration(
      "0005_job_parts",
      [
        "ALTER TABLE jobs ADD COLUMN remaining_ms BIGINT",
        "ALTER TABLE jobs ADD COLUMN parts TEXT NOT NULL DEFAULT ''",
      ]),
    Migration(
      "0007_job_priority",
      [
        "ALTER TABLE jobs ADD COLUMN account TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE jobs ADD COLUMN priority BIGINT NOT NULL DEFAULT 0",
        "DROP INDEX jobs_next",
        "CREATE INDEX jobs_next ON jobs (state, priority, run_at_ms)",
        "CREATE INDEX jobs_of_account ON jobs (account, state)",
      ]),
    Migration(
      "0026_jobs_without_addresses",
      // What stood here was the address of a guest. Each job has a turn of its own instead.
      ["UPDATE jobs SET account = 'guest:' || id WHERE account LIKE 'guest:%'"]),
    Migration(
      "0035_job_time",
      [
        "ALTER TABLE jobs ADD COLUMN spent_ms BIGINT NOT NULL DEFAULT 0",
        "CREATE INDEX jobs_of_account_by_time ON jobs (account, updated_at_ms)",
      ]),
    // In the order in which they are taken, however many of another kind wait.
    Migration(
      "0076_jobs_by_kind",
      [
        "CREATE INDEX jobs_by_kind ON jobs (kind, state, priority, run_at_ms, id)",
        // All about one thing: when it goes, or is tried again.
        "CREATE INDEX jobs_of_key ON jobs (job_key)",
      ]),
  ]

  private let database: any Database
  private let time: any TimeSource
  private let owner: ProcessIdentity
  /// Of this queue and its copies.
  let bell = JobSignal()

  public init(database: any Database, time: any TimeSource, owner: ProcessIdentity = .current) {
    self.database = database
    self.time = time
    self.owner = owner
  }

  /// Queues the job, or queues it anew if it failed before, or if it is done and `again` is said. One that
  /// waits or runs stays as it is: whoever asks for it again while it runs must see to it in its last
  /// transaction.
  ///
  /// Accounts take turns: the first open job of each comes before the second of any, so that nobody who
  /// brings many can make the others wait for all of them; and whose jobs took long within a day comes later
  /// by as much. Guests come one turn behind: addresses to be a guest from cost nothing, and who has an
  /// account should not wait for each of them. `isLast`: nobody waits for it, and it comes behind everything.
  public func enqueue(
    kind: String, key: String, payload: String, account: String = "", again: Bool = false,
    isLast: Bool = false, in transaction: any Transaction
  ) throws {
    let now = SQLValue.integer(time.nowMs)
    let priority = try isLast ? Self.lastPriority : priority(of: account, in: transaction)
    try transaction.execute(
      """
      INSERT INTO jobs (id, kind, job_key, payload, account, priority, state, attempts, run_at_ms, fencing, step,
                        progress_permille, created_at_ms, updated_at_ms)
      VALUES (?, ?, ?, ?, ?, ?, 'queued', 0, ?, 0, '', 0, ?, ?)
      ON CONFLICT (kind, job_key) DO UPDATE SET state = 'queued', attempts = 0, run_at_ms = excluded.run_at_ms,
          payload = excluded.payload, account = excluded.account, priority = excluded.priority,
          failure_code = NULL, failure_detail = NULL, step = '', progress_permille = 0,
          created_at_ms = excluded.created_at_ms, updated_at_ms = excluded.updated_at_ms
      WHERE jobs.state = 'failed' OR (jobs.state = 'done' AND \(again ? 1 : 0) = 1)
      """,
      [
        .text(Identifier.make(at: time)), .text(kind), .text(key), .text(payload), .text(account),
        .integer(priority), now, now, now,
      ])
    transaction.afterCommit("jobs") { [bell] in bell.ring() }
  }

  private func priority(of account: String, in transaction: any Transaction) throws -> Int64 {
    let open = try transaction.query(
      "SELECT COUNT(*) AS n FROM jobs WHERE account = ? AND state IN ('queued', 'running')",
      [.text(account)])[0].integer("n")
    let spent = try transaction.query(
      "SELECT COALESCE(SUM(spent_ms), 0) AS ms FROM jobs WHERE account = ? AND updated_at_ms > ?",
      [.text(account), .integer(time.nowMs - Self.dayMs)])[0].integer("ms")
    let isGuest = UploadOwner(account)?.isAccount == false
    return open + max(0, spent) / Self.shareMs + (isGuest ? 1 : 0)
  }

  /// Calls `hear` behind each commit that has queued a job here, for as long as this queue lives. It must be
  /// short.
  public func listen(_ hear: @escaping @Sendable () -> Void) { bell.listen(hear) }

  /// Somebody else has queued a job: the idle workers of this queue look at once.
  public func ring() { bell.ring() }

  /// Removes every job about a thing that goes. One that runs has lost its lease.
  public func remove(key: String, in transaction: any Transaction) throws {
    try transaction.execute("DELETE FROM jobs WHERE job_key = ?", [.text(key)])
  }

  /// What failed of the jobs about a thing.
  public func failed(key: String) async throws -> [Job] {
    try await database.read {
      try $0.query("SELECT * FROM jobs WHERE job_key = ? AND state = 'failed'", [.text(key)]).map(Job.init)
    }
  }

  public func job(kind: String, key: String) async throws -> Job? {
    try await database.read {
      try $0.query("SELECT * FROM jobs WHERE kind = ? AND job_key = ?", [.text(kind), .text(key)]).first
        .map(Job.init)
    }
  }

  /// All jobs that are not done, oldest first, and the failed ones.
  public func open() async throws -> [Job] {
    try await database.read {
      try $0.query("SELECT * FROM jobs WHERE state <> 'done' ORDER BY created_at_ms, id").map(Job.init)
    }
  }

  /// The payloads that jobs of this kind may still need: those that wait or run, and those that failed since
  /// then, which an operator may want to try again.
  public func payloads(of kind: String, neededSince failedMs: Int64) async throws -> Set<String> {
    try await database.read { transaction in
      Set(
        try transaction.query(
          """
          SELECT DISTINCT payload FROM jobs WHERE kind = ? AND
              (state IN ('queued', 'running') OR (state = 'failed' AND updated_at_ms >= ?))
          """, [.text(kind), .integer(failedMs)]
        ).map { try $0.text("payload") })
    }
  }

  /// Gives the jobs of dead processes of this machine back to the queue, at once instead of after the lease.
  /// What may have ended its worker comes behind what has not been tried.
  @discardableResult
  public func reclaimFromTheDead() async throws -> Int {
    let owners = try await database.read {
      try $0.query("SELECT DISTINCT owner FROM jobs WHERE state = 'running'").compactMap {
        $0.optionalText("owner")
      }
    }
    let gone = owners.filter { ProcessIdentity($0)?.isCertainlyGone ?? false }
    guard !gone.isEmpty else { return 0 }
    let now = time.nowMs
    return try await database.write { transaction in
      try gone.reduce(0) { count, owner in
        try count
          + transaction.execute(
            """
            UPDATE jobs SET state = 'queued', owner = NULL, lease_until_ms = NULL, run_at_ms = ?,
                priority = priority + 1, updated_at_ms = ? WHERE state = 'running' AND owner = ?
            """, [.integer(now), .integer(now), .text(owner)])
      }
    }
  }

  /// By state, when a job of a kind can be taken at a time.
  private static let due = [
    (state: "queued", condition: "kind = ? AND state = 'queued' AND run_at_ms <= ?"),
    (state: "running", condition: "kind = ? AND state = 'running' AND lease_until_ms < ?"),
  ]

  /// The next job that is due, leased to this process; nil if there is none.
  public func claim(kinds: [String]) async throws -> Job? {
    guard !kinds.isEmpty else { return nil }
    let now = time.nowMs
    // A look outside of a write first: an idle worker must not disturb those who write. Of each kind and
    // state the first by its index, since very many may wait.
    let firsts = kinds.indices.flatMap { kind in
      Self.due.map { due in
        """
        SELECT * FROM (SELECT kind, state, priority, run_at_ms, id FROM jobs WHERE \(due.condition)
        ORDER BY priority, run_at_ms, id LIMIT 1) of_\(kind)_\(due.state)
        """
      }
    }
    let next = firsts.joined(separator: " UNION ALL ") + " ORDER BY priority, run_at_ms, id LIMIT 1"
    let values = kinds.flatMap { kind in
      Self.due.flatMap { _ -> [SQLValue] in [.text(kind), .integer(now)] }
    }
    guard let first = try await database.read({ try $0.query(next, values).first }),
      case let (kind, state) = (try first.text("kind"), try first.text("state")),
      let condition = Self.due.first(where: { $0.state == state })?.condition
    else { return nil }
    return try await database.write { [owner] transaction in
      // What another worker is taking right now is left to it.
      let rows = try transaction.query(
        "SELECT * FROM jobs WHERE \(condition) ORDER BY priority, run_at_ms, id LIMIT 1",
        [.text(kind), .integer(now)], locking: .skip)
      guard let found = try rows.first.map(Job.init) else { return nil }
      try transaction.execute(
        """
        UPDATE jobs SET state = 'running', owner = ?, lease_until_ms = ?, fencing = fencing + 1,
            attempts = attempts + 1, step = '', progress_permille = 0, remaining_ms = NULL, updated_at_ms = ? WHERE id = ?
        """,
        [.text(owner.description), .integer(now + Self.leaseMs), .integer(now), .text(found.id)])
      return try transaction.query("SELECT * FROM jobs WHERE id = ?", [.text(found.id)]).first.map(Job.init)
    }
  }

  /// Renews the lease and writes the progress down. False: the job belongs to another worker by now.
  public func heartbeat(_ job: Job, _ progress: JobProgress.Snapshot) async throws -> Bool {
    let now = time.nowMs
    return try await database.write { try renew(job, progress, now, in: $0) }
  }

  /// A heartbeat with effects. Throws `LostLease` and changes nothing if another worker has the job.
  ///
  /// As all that ends a job, it locks what the job is about (its key) before the job itself: so does
  /// everybody who changes such a thing and asks for work on it, and nobody waits for somebody who waits for
  /// him.
  public func checkpoint(
    _ job: Job, _ progress: JobProgress.Snapshot,
    _ effects: @escaping @Sendable (any Transaction) throws -> Void
  ) async throws {
    let now = time.nowMs
    try await database.write { transaction in
      try transaction.lock(job.key)
      guard try renew(job, progress, now, in: transaction) else { throw LostLease() }
      try effects(transaction)
    }
  }

  private func renew(
    _ job: Job, _ progress: JobProgress.Snapshot, _ now: Int64, in transaction: any Transaction
  ) throws -> Bool {
    try transaction.execute(
      """
      UPDATE jobs SET lease_until_ms = ?, step = ?, progress_permille = ?, remaining_ms = ?, parts = ?,
          spent_ms = \(Self.spent), updated_at_ms = ?
      WHERE id = ? AND fencing = ? AND state = 'running'
      """,
      [
        .integer(now + Self.leaseMs), .text(progress.step), SQLValue(progress.permille),
        SQLValue(progress.remainingMs), .text(JobPart.text(of: progress.parts)), .integer(now), .integer(now),
        .integer(now),
        .text(job.id), .integer(job.fencing),
      ]) == 1
  }

  /// With the time since the job was claimed or last heard of: so the time of a worker that is killed counts
  /// as well. A clock may be set back.
  private static let spent =
    "spent_ms + CASE WHEN ? > updated_at_ms THEN ? - updated_at_ms ELSE 0 END"

  /// Ends the job together with its effects. Throws `LostLease` and changes nothing if another worker has it.
  public func complete(_ job: Job, _ effects: @escaping @Sendable (any Transaction) throws -> Void)
    async throws
  {
    try await end(job, "state = 'done', progress_permille = 1000, step = ''", [], effects)
  }

  /// Gives the job back unharmed, as when the process is told to stop: it is due at once, the attempt does
  /// not count.
  public func release(_ job: Job) async throws {
    try await end(job, "state = 'queued', attempts = attempts - 1, run_at_ms = ?", [.integer(time.nowMs)])
  }

  /// Whether a job of this kind is due that comes before all of that priority.
  func hasMoreUrgent(than priority: Int64, kind: String) async throws -> Bool {
    let now = time.nowMs
    return try await database.read {
      try !$0.query(
        "SELECT id FROM jobs WHERE state = 'queued' AND priority < ? AND run_at_ms <= ? AND kind = ? LIMIT 1",
        [.integer(priority), .integer(now), .text(kind)]
      ).isEmpty
    }
  }

  /// Gives the job back until what is more urgent is done; the attempt does not count.
  func standBack(_ job: Job, to priority: Int64) async throws {
    try await end(
      job, "state = 'queued', attempts = attempts - 1, priority = ?, run_at_ms = ?",
      [.integer(priority), .integer(time.nowMs)])
  }

  /// For a day since it was queued. What is still in its way then is there to stay.
  func isWorthWaiting(for job: Job) -> Bool { time.nowMs - job.createdMs < Self.dayMs }

  /// Gives the job back until what is in its way has passed. The attempt does not count, and it keeps its
  /// turn, since all wait for the same. Nothing counts the pauses; they grow with the age of the job: a
  /// second more than a quarter of it, and a minute at most. `took`: how long the attempt was.
  func postpone(_ job: Job, because error: AppError, took: Duration) async throws {
    let now = time.nowMs
    // A clock may be set back.
    let waited = min(1000 + max(0, now - job.createdMs) / 4, Self.longestPauseMs)
    let rest = min(max(0, took.components.seconds), Self.longestRestMs / 4000) * 4000
    let pause = max(waited, rest)
    try await end(
      job,
      """
      state = 'queued', attempts = attempts - 1, step = '', run_at_ms = ?, failure_code = ?, failure_detail = ?
      """,
      [.integer(now + pause), .text(error.code.rawValue), .text(error.message)])
  }

  /// Queues the job for later: after 1 s, 4 s, 16 s… It comes behind what has not been tried, the more so the
  /// longer it took.
  public func retry(_ job: Job, because error: AppError) async throws {
    let delay = Int64(1000) << (2 * Int64(max(0, job.attempts - 1)))
    try await end(
      job,
      """
      state = 'queued', priority = priority + 1 + spent_ms / \(Self.shareMs), run_at_ms = ?, failure_code = ?,
      failure_detail = ?
      """,
      [.integer(time.nowMs + delay), .text(error.code.rawValue), .text(error.message)])
  }

  public func fail(
    _ job: Job, because error: AppError, _ effects: @escaping @Sendable (any Transaction) throws -> Void
  ) async throws {
    try await end(
      job, "state = 'failed', failure_code = ?, failure_detail = ?",
      [.text(error.code.rawValue), .text(error.message)], effects)
  }

  /// Queues a job that failed anew, together with `effects`. Throws `job_not_found` if no such job has
  /// failed.
  public func tryAgain(
    kind: String, key: String, _ effects: @escaping @Sendable (any Transaction) throws -> Void
  ) async throws {
    let now = SQLValue.integer(time.nowMs)
    try await database.write { transaction in
      try transaction.lock(key)
      let changed = try transaction.execute(
        """
        UPDATE jobs SET state = 'queued', attempts = 0, run_at_ms = ?, failure_code = NULL, failure_detail = NULL,
            created_at_ms = ?, updated_at_ms = ? WHERE kind = ? AND job_key = ? AND state = 'failed'
        """, [now, now, now, .text(kind), .text(key)])
      guard changed == 1 else { throw AppError(.jobNotFound, "No \(kind) job of \(key) has failed.") }
      try effects(transaction)
    }
  }

  public struct LostLease: Error {}

  /// Thrown by the work on a job: others are to come first.
  struct StandsBack: Error {
    let priority: Int64
  }

  private func end(
    _ job: Job, _ assignments: String, _ values: [SQLValue],
    _ effects: @escaping @Sendable (any Transaction) throws -> Void = { _ in }
  ) async throws {
    let now = time.nowMs
    try await database.write { transaction in
      try transaction.lock(job.key)
      let changed = try transaction.execute(
        """
        UPDATE jobs SET \(assignments), owner = NULL, lease_until_ms = NULL, remaining_ms = NULL,
            spent_ms = \(Self.spent), updated_at_ms = ?
        WHERE id = ? AND fencing = ? AND state = 'running'
        """,
        values + [.integer(now), .integer(now), .integer(now), .text(job.id), .integer(job.fencing)])
      guard changed == 1 else { throw LostLease() }
      try effects(transaction)
    }
  }
}

extension JobQueue: ViewerErasing {
  /// Jobs that were done stay, as proof that they were; they are nobody's.
  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE jobs SET account = 'guest:' || id WHERE account = ?",
      [.text(UploadOwner.account(viewer).description)])
  }
}
