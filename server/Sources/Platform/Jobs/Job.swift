internal import Contract

/// A piece of work in the database.
public struct Job: Sendable, Equatable {
  public enum State: String, Sendable { case queued, running, done, failed }

  public let id: String
  public let kind: String
  /// What the work is about; one job of a kind exists per key.
  public let key: String
  public let payload: String
  public let state: State
  public let attempts: Int
  /// The lower the sooner.
  public let priority: Int64
  /// Grows with every claim. Whoever holds an older number has lost the job and must not write any more.
  public let fencing: Int64
  public let step: String
  public let progressPermille: Int
  /// Nil: nobody can say.
  public let remainingMs: Int64?
  public let parts: [JobPart]
  public let failureCode: String?
  public let failureDetail: String?
  public let createdMs: Int64

  /// Why it failed, or why it must be tried again, as the operator may read it.
  public var failure: AppError? {
    failureCode.map { AppError(ErrorCode(rawValue: $0) ?? .internalError, failureDetail) }
  }

  init(_ row: Row) throws {
    id = try row.text("id")
    kind = try row.text("kind")
    key = try row.text("job_key")
    payload = try row.text("payload")
    state = State(rawValue: try row.text("state")) ?? .failed
    attempts = Int(try row.integer("attempts"))
    priority = try row.integer("priority")
    fencing = try row.integer("fencing")
    step = try row.text("step")
    progressPermille = Int(try row.integer("progress_permille"))
    remainingMs = row.optionalInteger("remaining_ms").flatMap(RemainingTime.bounded)
    parts = JobPart.parts(in: try row.text("parts"))
    failureCode = row.optionalText("failure_code")
    failureDetail = row.optionalText("failure_detail")
    createdMs = try row.integer("created_at_ms")
  }
}

/// Does one kind of job. It may be started again at any time, so every step can be repeated.
public protocol JobHandler: Sendable {
  var kind: String { get }
  /// Returns what must happen in the transaction that ends the job: both become true together, or neither.
  func run(_ job: Job, under lease: JobLease) async throws -> @Sendable (any Transaction) throws -> Void
  /// The job is given up for good; called in the transaction that says so.
  func gaveUp(_ job: Job, because error: AppError, in transaction: any Transaction) throws
  /// Whether this says nothing of the job, and passes by itself or with the operator's help: then it counts
  /// as no attempt, and the job waits for up to a day. NB: not what a file or a program is to blame for.
  func isPassing(_ error: AppError) -> Bool
  /// The job has ended, well (`failure` is nil) or not: what was kept only for it can go.
  func ended(_ job: Job, failure: AppError?) async
}

extension JobHandler {
  /// The database or the storage is away, or has no room.
  public func isPassing(_ error: AppError) -> Bool {
    error.code == .unavailable || error.code == .storageFull
  }
}

/// What a handler holds while it works on a job.
public struct JobLease: Sendable {
  public let progress: JobProgress
  private let job: Job
  private let queue: JobQueue

  init(_ job: Job, in queue: JobQueue, _ progress: JobProgress) {
    self.job = job
    self.queue = queue
    self.progress = progress
  }

  /// For work that turns out to be costly: gives the job back if others wait that come before this priority.
  /// Once it has had to stand back it is taken up when its turn comes, and goes on.
  public func standBack(to priority: Int64) async throws {
    guard job.priority < priority, try await queue.hasMoreUrgent(than: priority, kind: job.kind) else {
      return
    }
    throw JobQueue.StandsBack(priority: priority)
  }

  /// Makes a step of the job true before its end, together with the progress so far. Throws `LostLease` and
  /// changes nothing if another worker has the job by now.
  public func checkpoint(_ effects: @escaping @Sendable (any Transaction) throws -> Void) async throws {
    try await queue.checkpoint(job, progress.current, effects)
  }
}
