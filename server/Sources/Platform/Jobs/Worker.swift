internal import Contract
public import Logging

/// Takes jobs from the queue and has them done, one at a time. It knows nothing of what a job does.
public struct Worker: Sendable {
  /// How often an idle worker looks; a job waits this long at most before it starts. Of a job that is queued
  /// in this process it hears at once.
  public static let idle = Duration.milliseconds(250)
  /// How often progress is written down while a job runs.
  static let heartbeat = Duration.milliseconds(500)

  private let queue: JobQueue
  private let handlers: [any JobHandler]
  private let idle: Duration
  private let logger: Logger
  private let ended: @Sendable (JobEnd) -> Void

  /// `ended` hears of every job that this worker has had; without it they are counted in this process.
  public init(
    queue: JobQueue, handlers: [any JobHandler], idle: Duration = Self.idle, logger: Logger,
    ended: @escaping @Sendable (JobEnd) -> Void = { $0.count() }
  ) {
    self.queue = queue
    self.handlers = handlers
    self.idle = idle
    self.logger = logger
    self.ended = ended
  }

  /// Works until the task is cancelled; the job in hand then goes back to the queue.
  public func run() async {
    while !Task.isCancelled {
      do {
        let heard = queue.bell.rings
        try await queue.reclaimFromTheDead()
        if try await !runNext() { try await queue.bell.wait(after: heard, atMost: idle) }
      } catch is CancellationError {
        return
      } catch {
        // The database is busy or gone for a moment; the worker must outlive that.
        logger.error("worker cannot take a job", metadata: ["error": "\(error)"])
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }

  /// Does one job if there is one.
  public func runNext() async throws -> Bool {
    guard let job = try await queue.claim(kinds: handlers.map(\.kind)),
      let handler = handlers.first(where: { $0.kind == job.kind })
    else { return false }
    let progress = JobProgress()
    let began = ContinuousClock.now
    var outcome = JobEnd.Outcome.givenBack
    defer { ended(JobEnd(kind: job.kind, outcome: outcome, took: ContinuousClock.now - began)) }
    guard job.attempts <= JobQueue.maximumAttempts else {
      outcome = .failed
      try await giveUp(
        job, handler, because: AppError(.transcodingFailed, "Each attempt ended the program that made it."))
      return true
    }
    do {
      let effects = try await withHeartbeat(of: job, progress) {
        try await handler.run(job, under: JobLease(job, in: queue, progress))
      }
      try await patiently { try await queue.complete(job, effects) }
      outcome = .done
      await handler.ended(job, failure: nil)
    } catch is JobQueue.LostLease {
      outcome = .lost
      logger.warning("job was taken over by another worker", metadata: ["job": "\(job.id)"])
    } catch let later as JobQueue.StandsBack {
      try await patiently { try await queue.standBack(job, to: later.priority) }
    } catch  where error is CancellationError || Task.isCancelled {
      // NB: a cancelled task cannot wait for the database; the release gets a task of its own.
      try? await Task { try await queue.release(job) }.value
      throw CancellationError()
    } catch {
      let problem = error as? AppError ?? unforeseen(error, job)
      if handler.isPassing(problem), queue.isWorthWaiting(for: job) {
        outcome = .retried
        logger.warning(
          "job waits for what is away or full", metadata: ["job": "\(job.id)", "error": "\(error)"])
        let took = ContinuousClock.now - began
        try await patiently { try await queue.postpone(job, because: problem, took: took) }
      } else if problem.code.retryable, job.attempts < JobQueue.maximumAttempts {
        outcome = .retried
        logger.warning(
          "job failed, will be tried again", metadata: ["job": "\(job.id)", "error": "\(error)"])
        try await patiently { try await queue.retry(job, because: problem) }
      } else {
        outcome = .failed
        try await giveUp(job, handler, because: problem)
      }
    }
    return true
  }

  private func giveUp(_ job: Job, _ handler: any JobHandler, because problem: AppError) async throws {
    logger.notice("job refused", metadata: ["job": "\(job.id)", "reason": "\(problem)"])
    try await patiently {
      try await queue.fail(job, because: problem) { try handler.gaveUp(job, because: problem, in: $0) }
    }
    await handler.ended(job, failure: problem)
  }

  /// What no handler has a word for may name anything (paths of ours), so only the log has it.
  private func unforeseen(_ error: any Error, _ job: Job) -> AppError {
    logger.error("job met an unforeseen error", metadata: ["job": "\(job.id)", "error": "\(error)"])
    return AppError(.transcodingFailed)
  }

  /// A database that is away or full for a moment must not cost the minutes that a job took. It is asked
  /// again as long as the lease may still be ours; if the first time was kept after all, the second one loses
  /// the lease and changes nothing.
  private func patiently(_ work: () async throws -> Void) async throws {
    let end = ContinuousClock.now + .milliseconds(JobQueue.leaseMs)
    while true {
      do {
        return try await work()
      } catch let error as AppError
        where (error.code == .unavailable || error.code == .storageFull) && ContinuousClock.now < end
      {
        try await Task.sleep(for: Self.heartbeat)
      }
    }
  }

  /// Runs the work beside a heartbeat; when the lease is lost, or cannot be renewed before its end, the work
  /// is cancelled.
  private func withHeartbeat<Value: Sendable>(
    of job: Job, _ progress: JobProgress, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await work() }
      group.addTask {
        let began = ContinuousClock.now
        var remaining = RemainingTime()
        var renewed = began
        while true {
          try await Task.sleep(for: Self.heartbeat)
          var now = progress.current
          let elapsed = ContinuousClock.now - began
          now.remainingMs = remaining.observe(
            permille: now.permille, atMs: Int64(clamping: (elapsed / .milliseconds(1)).rounded(.towardZero)))
          do {
            guard try await queue.heartbeat(job, now) else { throw JobQueue.LostLease() }
            renewed = .now
          } catch let error as AppError
            where error.code == .unavailable && .now - renewed < .milliseconds(JobQueue.leaseMs)
          {}
        }
      }
      defer { group.cancelAll() }
      guard let value = try await group.next(), let value else { throw CancellationError() }
      return value
    }
  }
}
