public import Features
internal import Platform

extension DeviceStore {
  public var feature: Feature {
    Feature(
      endpoints: endpoints, jobs: [],
      periodicTasks: [
        PeriodicTask(.hourly, failure: "old devices cannot be removed now") { try await sweep() }
      ],
      merging: self, erasing: self, exporting: self)
  }
}
