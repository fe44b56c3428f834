public import Features
public import Platform

extension Uploads {
  public func feature(sealing: any ClipSealing) -> Feature {
    Feature(
      endpoints: endpoints(sealing: sealing), jobs: [],
      periodicTasks: [
        PeriodicTask(
          .servers(every: .seconds(600)), failure: "uploads that nobody goes on with cannot be ended now"
        ) {
          try await sweep()
        }
      ],
      merging: self, erasing: self, exporting: self)
  }
}
