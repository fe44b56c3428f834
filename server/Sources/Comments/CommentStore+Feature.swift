public import Features
internal import Platform

extension CommentStore {
  public var feature: Feature {
    Feature(
      endpoints: endpoints, jobs: [],
      periodicTasks: [
        PeriodicTask(.hourly, failure: "what comments leave behind cannot be removed now") {
          try await sweep()
        }
      ],
      merging: self, erasing: self, exporting: self)
  }
}
