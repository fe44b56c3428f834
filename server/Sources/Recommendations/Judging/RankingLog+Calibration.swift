public import RankingJudgement

/// How the model of the last snapshot has done.
public struct CalibrationFigures: Sendable {
  public struct Night: Sendable {
    /// The day (UTC) that was judged, in milliseconds since 1970.
    public let dayMs: Int64
    /// Whether the weights of before are back; nil: too little happened to say.
    public let isOldBack: Bool?
    /// What the new weights lost more an impression, in nats, with its interval.
    public let difference: Estimate
  }

  /// By head, of the last two days and of all that are kept.
  public let lately: [CalibratedHead: ProgressiveCalibration]
  public let all: [CalibratedHead: ProgressiveCalibration]
  /// What came of the last night; nil: none has been judged yet.
  public let night: Night?
}

extension RankingLog {
  /// Nil: there is no snapshot yet, or it cannot be read.
  public func calibration() async throws -> CalibrationFigures? {
    guard let saved = try await snapshots.last() else { return nil }
    let judgement = SelfJudgement(saved.judgement)
    func figures(_ days: Int) -> [CalibratedHead: ProgressiveCalibration] {
      Dictionary(
        uniqueKeysWithValues: CalibratedHead.allCases.map { ($0, judgement.calibration.last(days, of: $0)) })
    }
    return CalibrationFigures(
      lately: figures(2), all: figures(CalibrationTable.days),
      night: judgement.night.last.map { night in
        CalibrationFigures.Night(
          dayMs: night.day * CalibrationTable.dayMs,
          isOldBack: night.outcome == .few ? nil : night.outcome == .old,
          difference: Estimate(value: night.difference, low: night.low, high: night.high))
      })
  }
}
