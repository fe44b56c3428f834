internal import Platform
public import Recommendations

/// How the order of the feed is judged.
extension Instance {
  /// What is tried on viewers from here on; nil: nothing.
  public func conduct(_ experiment: RankingExperiment?) { ranking.conduct(experiment) }

  public var rankingLog: RankingLog {
    RankingLog(database: database, time: time, snapshots: ranking.snapshots)
  }
}
