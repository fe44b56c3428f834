/// A plain rule that says what to do next in any situation: what a rollout goes on with after the
/// action that is being weighed. Several of them, from thrifty to careful, are tried for each.
///
/// In this order: the current clip while it is short of buffer; the first segment of the next; the
/// current clip up to its target, if the person probably gets there; more of the next; the first
/// segment of the one after; pause.
struct BaseRule {
  /// What is not seen with at least this probability is not fetched ahead of need.
  static let likely = 0.6
  /// Seconds of the clip after the next that are fetched ahead.
  static let farDepth = 1.1
  /// A segment may take this many times its own length to come…
  static let longestLoad = 1.3
  /// …and this share of what the current clip has to play from, with this many seconds more.
  static let slackShare = 0.9
  static let slackMore = 0.1

  /// The most of the best rates that a rule leaves out.
  static let mostDropped = 2

  /// Below this the current clip comes first, in seconds.
  let lowLead: Double
  /// What the current clip should have to play from, in seconds.
  let target: Double
  /// Seconds of the next clip that are fetched ahead.
  let nextDepth: Double
  /// The rate hangs on the network alone, and not on what is left to play.
  let isSteady: Bool
  /// How many of the best rates are left out.
  let dropped: Int

  /// Two for each number of rates left out: one keeps little and follows its buffer, one keeps more
  /// and its rate.
  init(_ index: Int, _ objective: Objective) {
    isSteady = index % 2 == 1
    lowLead = objective.lowLead
    target = isSteady ? objective.longLead : objective.shortLead
    nextDepth = isSteady ? 3.2 : 1.1
    dropped = index / 2
  }

  /// The number of rules for clips with so many rates.
  static func count(rates: Int) -> Int { min(rates, mostDropped + 1) * 2 }

  /// The longest that a segment may take to come for a rule that follows its buffer, if the current clip
  /// has so much to play from.
  @inline(__always)
  static func longestLoad(lead: Double) -> Double { slackShare * lead + slackMore }
}

/// The next thing to do: a download, or a pause of so many seconds.
struct Step {
  var clip = 0
  var rate = 0
  var pause = 0.0
}
