public import Features
public import Platform

extension SocialStore {
  public func feature(sealing: any ClipSealing) -> Feature {
    Feature(
      endpoints: endpoints(sealing: sealing), jobs: [],
      periodicTasks: [],
      merging: self, erasing: self, exporting: self)
  }
}
