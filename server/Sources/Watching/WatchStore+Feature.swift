public import Features
internal import Platform

extension WatchStore {
  public var feature: Feature {
    Feature(
      endpoints: endpoints, jobs: [],
      periodicTasks: [
        PeriodicTask(.hourly, failure: "old watch events cannot be removed now") { _ = try await sweep() },
        PeriodicTask(.processes(every: .seconds(5)), failure: "how clips were left cannot be added up now") {
          _ = try await RetentionCurves(database: database).fold()
        },
      ],
      merging: self, erasing: self)
  }
}
