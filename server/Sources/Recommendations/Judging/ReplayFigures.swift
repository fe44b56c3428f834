public import Ranking
public import RankingJudgement

/// What settings of a page would have brought at places that the lot gave.
public struct ReplayFigures: Sendable {
  /// Of one setting.
  public struct Brought: Sendable {
    public let name: String
    public let settings: Ranker.PageSettings
    public let estimates: OffPolicyEstimates
    /// What it would have brought more than the first setting, doubly robust; nil: it is the first.
    public let difference: Estimate?
  }

  /// One thing that may come of a clip.
  public struct Outcome: Sendable {
    public let name: String
    public let settings: [Brought]
  }

  /// Places that the lot gave in these days, and those of them at which nobody came by, which count for
  /// nothing.
  public let places: Int
  public let unseen: Int
  /// Events that the model had learned in the end.
  public let learned: Int
  public let outcomes: [Outcome]

  /// Equal weights from which on an estimate says something (`OffPolicyEstimates.effectiveCases`).
  public static let fewestCases = 30.0
  public var isEnough: Bool {
    outcomes.allSatisfy { outcome in
      outcome.settings.allSatisfy { $0.estimates.effectiveCases >= Self.fewestCases }
    }
  }
}

/// A place that the lot gave, as it was written down.
struct DrawnPlace: Sendable, Equatable {
  let viewer: String
  let walk: String
  let place: Int64
  let clip: String
  let atMs: Int64
  /// How likely the clip was to be drawn there, if the lot drew.
  let propensity: Double
}

/// What was known of the viewer when the place was given.
struct PlaceContext: Sendable {
  var gone: Set<EntityID> = []
  var authors: Set<EntityID> = []
  var tags: Set<UInt64> = []
  var sounds: Set<UInt64> = []
  var followed: [EntityID] = []
}
