public import Features
public import Platform

extension Accounts {
  /// Accounts hand on what becomes of viewers; what they keep themselves goes in `delete`.
  public func feature(clips: any ClipSealing) -> Feature {
    Feature(
      endpoints: endpoints(clips: clips), jobs: [],
      periodicTasks: [
        // Messages that another process left, or that were not taken.
        PeriodicTask(.servers(every: .seconds(60)), failure: "a notice was not sent") {
          try await sendNotices()
        },
        PeriodicTask(.servers(every: .seconds(3600)), failure: "sessions cannot be swept now") {
          try await sweep()
        },
        PeriodicTask(.servers(every: .seconds(3600)), failure: "a provider did not hear of a revocation") {
          try await sendRevocations()
        },
      ],
      merging: nil, erasing: nil, exporting: AccountRecords())
  }
}
