public import Platform

/// What was shown and what people did then, for whoever judges the order. It reads, and changes nothing.
public struct RankingLog: Sendable {
  let database: any Database
  let time: any TimeSource
  let snapshots: SnapshotStore

  public init(database: any Database, time: any TimeSource, snapshots: SnapshotStore) {
    self.database = database
    self.time = time
    self.snapshots = snapshots
  }

  /// For so long behind the moment in which a clip was shown what is done with it counts as done with that.
  static let effectMs: Int64 = 86_400_000
}
