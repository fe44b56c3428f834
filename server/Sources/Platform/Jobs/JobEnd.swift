internal import CoreMetrics

/// That a worker is done with a job, for who counts.
public struct JobEnd: Sendable, Equatable {
  public enum Outcome: String, Sendable {
    case done, failed, retried, lost
    case givenBack = "given_back"
  }

  public let kind: String
  public let outcome: Outcome
  public let took: Duration

  public init(kind: String, outcome: Outcome, took: Duration) {
    (self.kind, self.outcome, self.took) = (kind, outcome, took)
  }

  /// In the metrics of this process.
  public func count() {
    CoreMetrics.Counter(
      label: "clipfeed_jobs_ended_total", dimensions: [("kind", kind), ("outcome", outcome.rawValue)]
    )
    .increment()
    Timer(
      label: "clipfeed_job_duration_seconds", dimensions: [("kind", kind)], preferredDisplayUnit: .seconds
    ).recordNanoseconds(Int64(clamping: (took / .nanoseconds(1)).rounded(.towardZero)))
  }
}
