public import CoreMetrics
public import Foundation
public import Platform
internal import Synchronization

/// What a process has learned, and how it keeps up: one for all stores that are made in it.
public final class RankingState: Sendable {
  let engine: RankingEngine
  let reader: LogReader
  public let snapshots: SnapshotStore
  private let conducted = Mutex<RankingExperiment?>(nil)
  private let scoring = Mutex<ModelScoring?>(nil)

  /// - Parameters:
  ///   - blobs: where snapshots lie. Nobody fetches from it: a snapshot says what people like.
  ///   - patience: how long a page may take before the feed goes on without it.
  ///   - seed: of all that is drawn by lot; nil: another each time.
  public convenience init(
    database: any Database, time: any TimeSource, blobs: any BlobStore, workFolder: URL,
    patience: Duration = .milliseconds(150), seed: UInt64? = nil
  ) {
    self.init(
      database: database, time: time, blobs: blobs, workFolder: workFolder, patience: patience, seed: seed,
      soon: LogReader.soon)
  }

  /// - Parameter soon: as `LogReader` has it.
  init(
    database: any Database, time: any TimeSource, blobs: any BlobStore, workFolder: URL, patience: Duration,
    seed: UInt64?, soon: @escaping @Sendable () async throws -> Void
  ) {
    engine = RankingEngine(patience: patience, seed: seed)
    snapshots = SnapshotStore(database: database, time: time, blobs: blobs, workFolder: workFolder)
    reader = LogReader(database: database, time: time, engine: engine, snapshots: snapshots, soon: soon)
  }

  /// What is tried on viewers at the moment; nil: nothing.
  var experiment: RankingExperiment? { conducted.withLock { $0 } }

  public func conduct(_ experiment: RankingExperiment?) { conducted.withLock { $0 = experiment } }

  /// An operator's own model; nil: there is none.
  var model: ModelScoring? { scoring.withLock { $0 } }

  /// Pages go by an operator's own model from here on.
  ///
  /// - Parameter limit: how long a page waits for it. It should leave most of a page's patience to others.
  public func score(by scorer: any CandidateScoring, within limit: Duration) {
    scoring.withLock { $0 = ModelScoring(scorer, limit: limit) }
  }

  public func measure(by factory: any MetricsFactory) { engine.measure(by: factory) }
}
