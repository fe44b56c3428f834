/// A plain rule that says what to do next in any situation: what a rollout goes on with after the
/// action that is being weighed. Several of them, from greedy to thrifty, are tried for each.
///
/// In this order: the current clip while it is short of buffer; the first segment of the next; the
/// current clip up to its target, if the person probably gets there; the second of the next; the
/// first segment of the one after; pause.
struct BaseRule {
  /// Below this the current clip comes first, in seconds.
  static let lowLead = 1.2
  /// What is not seen with at least this probability is not fetched ahead of need.
  static let likely = 0.6
  /// Seconds of the next clip, and of the one after it, that are fetched ahead.
  static let nextDepth = 2.2
  static let farDepth = 1.1
  /// A segment may take this many times its own length to come…
  static let longestLoad = 1.3
  /// …and this share of what the current clip has to play from, with this many seconds more.
  static let slackShare = 0.9
  static let slackMore = 0.1

  /// What the current clip should have to play from, in seconds.
  let target: Double
  /// How many of the best rates are left out.
  let dropped: Int
}

/// The next thing to do: a download, or a pause of so many seconds.
struct Step {
  var clip = 0
  var rate = 0
  var pause = 0.0
}
