public import Features
internal import Platform

extension LiveLog {
  public var feature: Feature {
    Feature(
      endpoints: [], jobs: [],
      periodicTasks: [
        PeriodicTask(.hourly, failure: "old live events cannot be removed now") { _ = try await sweep() }
      ],
      merging: self, erasing: self, exporting: self)
  }
}
