public import Features
internal import Platform

extension SearchStore {
  public var feature: Feature {
    Feature(
      endpoints: endpoints, jobs: [],
      periodicTasks: [
        // Once after an update, and then there is nothing to do.
        PeriodicTask(.servers(every: .seconds(300)), failure: "what was there cannot be made findable now") {
          try await index.catchUp(in: database)
        },
        PeriodicTask(.hourly, failure: "what is found cannot be put in order now") {
          try await index.reorder(in: database)
        },
      ],
      // Nobody's searches are kept. What an account left goes with its clips and its face, in the same
      // transaction.
      merging: nil, erasing: nil, exporting: nil)
  }
}
