internal import Contract

/// How far the work on something is, as the person who waits for it may know it: read from the job's row
/// alone.
public struct ProcessingReport: Sendable, Equatable {
  public let state: Job.State
  /// What is being done now, in a word; empty when nothing is.
  public let step: String
  public let permille: Int
  /// Nil: nobody can say yet.
  public let remainingMs: Int64?
  /// In ascending quality. One that is `ready` can be seen, whatever becomes of the rest.
  public let parts: [JobPart]
  /// Why it failed, or why it must be tried again.
  public let failure: AppError?

  public init(_ job: Job) {
    state = job.state
    step = job.step
    permille = job.state == .done ? 1000 : job.progressPermille
    remainingMs = job.state == .running ? job.remainingMs : nil
    // What was under way when a job ended or went back to the queue is under way no more.
    parts = job.parts.map { part in
      switch job.state {
      case .done: JobPart(part.name, .ready)
      case .running: part
      case .queued, .failed: JobPart(part.name, part.state == .running ? .queued : part.state)
      }
    }
    // A refusal says in our own words what is wrong with the file. What else went wrong is the operator's
    // business: its detail may be another program's, with paths of this machine.
    failure = job.failure.map { $0.code.retryable ? AppError($0.code) : $0 }
  }

  /// "transcoding 42 %, 12 s left, 360 ready, 540 running": what is known of work that runs.
  public var line: String {
    var words = step.isEmpty ? [] : [permille > 0 ? "\(step) \(permille / 10) %" : step]
    if let remainingMs { words.append(Self.remaining(remainingMs)) }
    words += parts.map { "\($0.name) \($0.state.rawValue)" }
    return words.joined(separator: ", ")
  }

  /// Rounded up, and coarser the longer it takes: seconds would pretend to know.
  private static func remaining(_ ms: Int64) -> String {
    let seconds = (ms + 999) / 1000
    return seconds < 60 ? "\(seconds) s left" : "\((seconds + 59) / 60) min left"
  }
}
