internal import Synchronization

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
  /// Grows with every claim. Whoever holds an older number has lost the job and must not write any more.
  public let fencing: Int64
  public let step: String
  public let progressPermille: Int
  public let failureCode: String?
  public let failureDetail: String?

  init(_ row: Row) throws {
    id = try row.text("id")
    kind = try row.text("kind")
    key = try row.text("job_key")
    payload = try row.text("payload")
    state = State(rawValue: try row.text("state")) ?? .failed
    attempts = Int(try row.integer("attempts"))
    fencing = try row.integer("fencing")
    step = try row.text("step")
    progressPermille = Int(try row.integer("progress_permille"))
    failureCode = row.optionalText("failure_code")
    failureDetail = row.optionalText("failure_detail")
  }
}

/// Does one kind of job. It may be started again at any time, so every step can be repeated.
public protocol JobHandler: Sendable {
  var kind: String { get }
  /// Returns what must happen in the transaction that ends the job: both become true together, or neither.
  func run(_ job: Job, progress: JobProgress) async throws -> @Sendable (any Transaction) throws -> Void
  /// The job is given up for good; called in the transaction that says so.
  func gaveUp(_ job: Job, because error: AppError, in transaction: any Transaction) throws
  /// The job has ended, well or not: what was kept only for it can go.
  func ended(_ job: Job) async
}

/// Where a handler says how far it is; the worker writes it down now and then.
public final class JobProgress: Sendable {
  private let state = Mutex<(step: String, permille: Int)>(("", 0))

  public init() {}

  public func report(_ step: String, permille: Int) {
    state.withLock { $0 = (step, min(max(permille, 0), 1000)) }
  }

  public var current: (step: String, permille: Int) { state.withLock { $0 } }
}
