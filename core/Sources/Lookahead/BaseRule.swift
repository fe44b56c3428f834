/// A plain rule that says what to do next in any situation: what a rollout goes on with after the
/// action that is being weighed. Several of them, from thrifty to bold, are tried for each.
///
/// In this order: the current clip while it is short of buffer; the first segment of the next; the
/// current clip up to its target, if the person probably gets there; more of the next; the first
/// segments of the one after; pause. Times in seconds.
struct BaseRule {
  /// How long a segment may take to come: this share of what the current clip has to play from and so many
  /// seconds more, but at most so many times its own length.
  struct Haste {
    var share: Double
    var more: Double
    var lengths: Double

    @inline(__always)
    func limit(lead: Double, length: Double) -> Double { min(share * lead + more, lengths * length) }
  }

  /// With less than this to play from, the current clip comes first…
  var lead: Double
  /// …with more where its next segment takes long: for each second of it in the second rate…
  var leadPerLoad = 0.0
  /// …and with less where people leave: for the share of them that does within the next second.
  var leadPerLeaving = 0.0
  /// Up to here the current clip is filled if its end is seen so probably.
  var target = 0.0
  var targetShare = 1.0
  /// Seconds of the next clip that are fetched ahead, and how probably they have to be seen.
  var nextDepth: Double
  var nextShare: Double
  /// Seconds of the clip after the next that are fetched ahead, and what the current one has to play from
  /// then.
  var farDepth: Double
  var farLead = 0.0
  /// For segments of the current clip, and of those after it.
  var haste: Haste
  var nextHaste: Haste
  /// How many of the best rates are left out.
  var dropped = 0
  /// Of fitted rules: a better rate than before is taken if so many times what it brings until the person
  /// leaves is worth the change…
  var climb = 0.0
  /// …and a worse one if even this share of the time that the rate before takes is too long.
  var hold = 1.0

  /// The most rules that an objective has.
  static let limit = 6

  /// Two for each number of rates left out: one keeps little and follows its buffer, one keeps more and its
  /// rate, which hangs on the network alone.
  @inline(__always)
  private static func plain(_ index: Int) -> BaseRule {
    let isSteady = index % 2 == 1
    let haste = Haste(share: isSteady ? 0 : 0.9, more: isSteady ? 1e9 : 0.1, lengths: 1.3)
    return BaseRule(
      lead: 1.2, target: isSteady ? 8 : 2.5, targetShare: 0.6, nextDepth: isSteady ? 3.2 : 1.1,
      nextShare: 0.6, farDepth: 1.1, haste: haste, nextHaste: haste, dropped: index / 2)
  }

  /// Two that were fitted to the challenge's formula by an evolution strategy (Hansen, "The CMA Evolution
  /// Strategy", 2016): a bold one, for links that carry more than the best rate, and a careful one. The
  /// people, times and orders of clips were others than those of the measurement (`benchmarks/README.md`).
  private static let fitted = [
    BaseRule(
      lead: 1.2, leadPerLoad: 1.07, leadPerLeaving: 2.9, nextDepth: 2.4, nextShare: 0.5, farDepth: 2.1,
      farLead: 1.9, haste: Haste(share: 0, more: 1.05, lengths: 1.03),
      nextHaste: Haste(share: 1.45, more: 1.5, lengths: 1), climb: 1.04, hold: 0.68),
    BaseRule(
      lead: 2.85, leadPerLoad: 0.28, leadPerLeaving: 5.6, nextDepth: 3.3, nextShare: 0.5, farDepth: 2.8,
      farLead: 0.4, haste: Haste(share: 0.3, more: 0.31, lengths: 1.6),
      nextHaste: Haste(share: 1.5, more: 0.58, lengths: 0.89), climb: 0.47, hold: 0.53),
  ]

  /// One of an objective's rules.
  @inline(__always)
  static func of(_ objective: Objective, _ index: Int) -> BaseRule {
    objective.hasFittedRules ? fitted[index] : plain(index)
  }

  /// How many rules an objective has for clips with so many rates.
  static func count(_ objective: Objective, rates: Int) -> Int {
    objective.hasFittedRules ? fitted.count : min(rates * 2, limit)
  }
}

/// The next thing to do: a download, or a pause of so many seconds.
struct Step {
  var clip = 0
  var rate = 0
  var pause = 0.0
}
