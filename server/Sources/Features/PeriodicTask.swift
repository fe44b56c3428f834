/// What is done again and again without anybody's asking. Any number of processes may do it at the same time.
public struct PeriodicTask: Sendable {
  public enum Schedule: Sendable, Equatable {
    /// In every server, the first time at its start.
    case servers(every: Duration)
    /// In every server, and in every worker that runs without one.
    case processes(every: Duration)
    /// In one process of the instance, every hour.
    case hourly
  }

  /// What the log says if it does not work: "old events cannot be removed now".
  public let failure: String
  public let schedule: Schedule
  public let work: @Sendable () async throws -> Void

  public init(
    _ schedule: Schedule, failure: String, _ work: @escaping @Sendable () async throws -> Void
  ) {
    self.schedule = schedule
    self.failure = failure
    self.work = work
  }
}
