internal import Ranking
internal import RankingJudgement

/// Whether a day of learning made the model worse.
///
/// At the end of a day (of the events, in UTC) its weights are kept, and say beside the ones that go on
/// learning what they expect of each impression of the next day. At the end of that day the two are compared
/// by their log loss of positives: where the weights that learned did worse by more than chance makes, the
/// kept ones take their place again; otherwise the new ones are kept for the next day.
///
/// Losses are weighed by trust, so a crowd of doubtful accounts cannot vote a model out. Viewers are put into
/// groups by a hash, which are what is independent: memory does not grow with people.
///
/// Both come from the events alone, so each server comes to it by itself, and servers that read the same
/// events come to the same.
struct NightlyCheck: Codable, Equatable, Sendable {
  /// Enough for a normal interval; an instance with fewer viewers has as many as it has.
  static let groups = 256
  /// Impressions, and groups that had any, without which nothing is decided.
  static let fewest = 1_000.0
  static let fewestGroups = 30.0

  /// Nil: nothing was learned yet.
  private(set) var day: Int64?
  private(set) var impressions = 0.0
  /// By group: what the new weights lost more, and what it counts.
  private var losses: [Double]
  private var weights: [Double]
  /// What came of the last day that is over.
  private(set) var last: Night?

  struct Night: Codable, Equatable, Sendable {
    enum Outcome: String, Codable, CaseIterable, Sendable {
      /// The new weights are no worse.
      case new
      /// The old ones are back.
      case old
      /// Too little happened to say.
      case few
    }

    let day: Int64
    let outcome: Outcome
    /// What the new weights lost more an impression, with its 95 % interval.
    let difference: Double
    let low: Double
    let high: Double
  }

  init() {
    losses = [Double](repeating: 0, count: Self.groups)
    weights = losses
  }

  /// Before an event of this moment is learned. Says what came of the day if one is over, and begins the
  /// next: then the weights have to be kept, or those that are kept taken.
  ///
  /// An event of the day before that comes late counts for the present day. A clock that was far ahead is
  /// not waited for.
  mutating func begin(atMs: Int64) -> Night? {
    let now = CalibrationTable.day(of: atMs)
    // An id that is none says no time.
    guard now > 0 else { return nil }
    guard let day else {
      self.day = now
      return nil
    }
    guard now > day || now < day - 1 else { return nil }
    let night = verdict(of: day)
    last = night
    self = NightlyCheck(day: now, last: night)
    return night
  }

  private init(day: Int64, last: Night) {
    self.init()
    self.day = day
    self.last = last
  }

  mutating func observe(_ impression: LearnedImpression) {
    guard let label = impression.lesson.outcome[.positive],
      let new = impression.lesson.predicted[.positive], let old = impression.lesson.byKept?[.positive]
    else { return }
    let difference =
      ProgressiveCalibration.logLoss(Double(new), Double(label))
      - ProgressiveCalibration.logLoss(Double(old), Double(label))
    let group = Int(clamping: StableHash.of(impression.viewer.uuid) % UInt64(Self.groups))
    impressions += 1
    losses[group] += Double(impression.trust) * difference
    weights[group] += Double(impression.trust)
  }

  private func verdict(of day: Int64) -> Night {
    var sums = RatioOverViewers()
    for (loss, weight) in zip(losses, weights) where weight > 0 { sums.add(loss, by: weight) }
    let difference = sums.estimate
    let isEnough = impressions >= Self.fewest && sums.viewers >= Self.fewestGroups
    return Night(
      day: day, outcome: isEnough ? (difference.low > 0 ? .old : .new) : .few, difference: difference.value,
      low: difference.low, high: difference.high)
  }

  /// What was kept elsewhere may be anything.
  var isSound: Bool {
    losses.count == Self.groups && weights.count == Self.groups
      && (losses + weights + [impressions]).allSatisfy { $0.isFinite && abs($0) < 1e12 }
      && weights.allSatisfy { $0 >= 0 }
      && last.map { [$0.difference, $0.low, $0.high].allSatisfy(\.isFinite) } ?? true
  }
}
