public import Features
internal import Platform

extension WatchStore {
  /// `owning`: who is told how a clip does.
  public func feature(owning: any ClipOwning) -> Feature {
    Feature(
      endpoints: endpoints(owning), jobs: [],
      periodicTasks: [
        PeriodicTask(.hourly, failure: "old watch events cannot be removed now") { _ = try await sweep() },
        PeriodicTask(.processes(every: .seconds(5)), failure: "how clips were left cannot be added up now") {
          _ = try await RetentionCurves(database: database).fold()
        },
      ],
      merging: self, erasing: self, exporting: self)
  }
}
