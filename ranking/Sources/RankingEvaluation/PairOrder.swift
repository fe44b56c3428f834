public import RankingJudgement

/// How well one viewer's impressions are ordered as a page would order them: of a pair whose one was positive
/// and whose other was not, both are scored at the moment of the earlier, before anything is learned of
/// either.
///
/// The grouped AUC of a stream compares probabilities of different moments instead. Between them the viewer's
/// own rate moves by the very outcomes that are to be predicted: where somebody has one positive and one
/// negative, the one that comes second is always expected wrongly by it. Within a page that rate is the same
/// for all, and changes no order.
public struct PairOrder: ViewerSums, Sendable, Equatable {
  /// So many of a viewer's next impressions are compared with each.
  static let reach = 20

  public private(set) var pairs = 0.0
  public private(set) var ordered = 0.0
  public private(set) var impressions = 0.0
  /// Sums over viewers of the share of their pairs, weighted by their impressions as in the grouped AUC.
  private var area = 0.0
  private var weight = 0.0

  public init() {}

  /// Of one viewer.
  mutating func addPair(positive: Float, negative: Float) {
    pairs += 1
    ordered += positive > negative ? 1 : positive == negative ? 0.5 : 0
  }

  mutating func addImpression() { impressions += 1 }

  public mutating func add(_ viewer: Self) {
    guard viewer.pairs > 0 else { return }
    area += viewer.ordered / viewer.pairs * viewer.impressions
    weight += viewer.impressions
  }

  /// Of the viewers that were added; one half if none has a pair.
  public var share: Double { weight > 0 ? area / weight : 0.5 }
}
