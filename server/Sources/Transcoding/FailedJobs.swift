internal import Contract
public import Platform

/// Jobs of clips that have failed, and how an operator has them done again.
public struct FailedJobs: Sendable {
  private let queue: JobQueue
  private let sources: any BlobStore
  private let reopen: @Sendable (_ clipID: String, any Transaction) throws -> Void

  /// `reopen` makes a clip wait for its conversion again.
  public init(
    queue: JobQueue, sources: any BlobStore,
    reopen: @escaping @Sendable (_ clipID: String, any Transaction) throws -> Void
  ) {
    self.queue = queue
    self.sources = sources
    self.reopen = reopen
  }

  /// Has the jobs of a clip done again that failed. Throws `job_not_found`, also if the clip's source is
  /// gone.
  public func tryAgain(_ clipID: String) async throws {
    let failed = try await queue.failed(key: clipID)
    guard !failed.isEmpty else {
      throw AppError(.jobNotFound, "No job of the clip \(clipID) has failed.")
    }
    for job in failed where job.kind != TranscodeHandler.kind {
      try await queue.tryAgain(kind: job.kind, key: job.key) { _ in }
    }
    guard let job = failed.first(where: { $0.kind == TranscodeHandler.kind }) else { return }
    guard let source = BlobName(hash: job.payload, ext: "bin"), try await sources.size(source) != nil else {
      throw AppError(
        .jobNotFound, "The source of the clip \(clipID) is gone; it must be uploaded or imported again.")
    }
    try await queue.tryAgain(kind: job.kind, key: job.key) { [reopen] in try reopen(clipID, $0) }
  }
}

extension JobQueue {
  /// Waits until somebody's worker has ended the clip's conversion; `progress` hears of it meanwhile.
  public func waitForTranscode(
    of clipID: String, progress: (ProcessingReport) -> Void
  ) async throws -> Job {
    while true {
      guard let job = try await job(kind: TranscodeHandler.kind, key: clipID) else {
        throw AppError(.internalError, "The job of clip \(clipID) is gone.")
      }
      if job.state == .done || job.state == .failed { return job }
      progress(ProcessingReport(job))
      try await Task.sleep(for: .milliseconds(150))
    }
  }
}
