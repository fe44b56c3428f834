public import Features
internal import Platform

extension MessageStore {
  public var feature: Feature {
    Feature(
      endpoints: endpoints, jobs: [],
      periodicTasks: [],
      merging: self, erasing: self, exporting: self)
  }
}
