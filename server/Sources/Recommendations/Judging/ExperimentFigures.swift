public import RankingJudgement

/// What came of an experiment.
public struct ExperimentFigures: Sendable {
  /// A figure of both arms.
  public struct Measure: Sendable {
    public let name: String
    /// Whether it is a share of 1, as people say in percent.
    public let isShare: Bool
    public let control: Estimate
    public let treatment: Estimate
    /// What the treatment has more.
    public let difference: Estimate

    /// Whether chance alone seldom (one time of twenty) makes such a difference.
    public var isClear: Bool { !difference.contains(0) }
  }

  public let name: String
  /// Of the first and the last page that was shown.
  public let firstMs: Int64
  public let lastMs: Int64
  public let controlViewers: Int
  public let treatmentViewers: Int
  /// Who was in both arms, since a guest became an account; they count for neither.
  public let crossedViewers: Int
  public let measures: [Measure]

  /// How likely the arms are as uneven, or more, by chance (`RatioOverViewers.sampleRatioMismatch`).
  public var mismatch: Double {
    RatioOverViewers.sampleRatioMismatch(Double(controlViewers), Double(treatmentViewers))
  }

  /// Below it something loses viewers of one arm, and no figure means anything.
  public static let leastMismatch = 0.001
  public var isLopsided: Bool { mismatch < Self.leastMismatch }

  /// Viewers of each arm from which on intervals hold: the delta method counts on sums being normal.
  public static let fewestViewers = 100
  public var isEnough: Bool { min(controlViewers, treatmentViewers) >= Self.fewestViewers }
}

/// All that one viewer brought.
struct ViewerTally: Sendable, Equatable {
  var shown = 0.0
  var visits = 0.0
  var watched = 0.0
  var seconds = 0.0
  var completions = 0.0
  var skips = 0.0
  var likes = 0.0
  var dismissals = 0.0

  struct Kind: Sendable {
    let name: String
    let isShare: Bool
    let above: @Sendable (ViewerTally) -> Double
    let below: @Sendable (ViewerTally) -> Double
  }

  static let kinds: [Kind] = [
    Kind(name: "seconds watched, a visit", isShare: false, above: { $0.seconds }, below: { $0.visits }),
    Kind(name: "seconds watched, a clip shown", isShare: false, above: { $0.seconds }, below: { $0.shown }),
    Kind(name: "clips watched, a visit", isShare: false, above: { $0.watched }, below: { $0.visits }),
    Kind(
      name: "to the end, of clips watched", isShare: true, above: { $0.completions }, below: { $0.watched }),
    Kind(name: "skipped, of clips watched", isShare: true, above: { $0.skips }, below: { $0.watched }),
    Kind(name: "likes, of clips shown", isShare: true, above: { $0.likes }, below: { $0.shown }),
    Kind(
      name: "not interested, of clips shown", isShare: true, above: { $0.dismissals }, below: { $0.shown }),
  ]
}

/// Sums of one arm, by kind.
struct ArmSums: Sendable {
  private(set) var viewers = 0
  private(set) var ratios = [RatioOverViewers](repeating: RatioOverViewers(), count: ViewerTally.kinds.count)

  mutating func add(_ tally: ViewerTally) {
    viewers += 1
    for (place, kind) in ViewerTally.kinds.enumerated() {
      ratios[place].add(kind.above(tally), by: kind.below(tally))
    }
  }

  static func measures(control: ArmSums, treatment: ArmSums) -> [ExperimentFigures.Measure] {
    ViewerTally.kinds.enumerated().map { place, kind in
      let (one, other) = (control.ratios[place], treatment.ratios[place])
      return ExperimentFigures.Measure(
        name: kind.name, isShare: kind.isShare, control: one.estimate, treatment: other.estimate,
        difference: RatioOverViewers.difference(other, from: one))
    }
  }
}
