internal import Contract
public import Features
public import Foundation
internal import Platform

extension Generations {
  /// Workers of one process that ask providers: a slow answer holds one up.
  private static let asking = 3

  /// `workFolder`: where files lie until they are taken in.
  public func feature(workFolder: URL) -> Feature {
    let workers =
      Array(repeating: GenerationWorker.Kind.asking, count: Self.asking) + [GenerationWorker.Kind.storing]
    return Feature(
      endpoints: endpoints, jobs: [],
      periodicTasks: workers.map { kind in
        PeriodicTask(.processes(every: .seconds(1)), failure: "clips cannot be made from words now") {
          try await GenerationWorker(generations: self, kind: kind, workFolder: workFolder).run()
        }
      } + [
        PeriodicTask(
          .processes(every: .seconds(30)), failure: "what was not made in time cannot be ended now"
        ) { try await expireLate() },
        PeriodicTask(.hourly, failure: "old generations cannot be removed now") { try await sweep() },
      ], merging: nil, erasing: self, exporting: self)
  }
}
