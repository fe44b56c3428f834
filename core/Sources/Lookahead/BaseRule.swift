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

  /// With less than this to play from, the current clip comes first.
  var lead: Double
  /// Up to here the current clip is filled if its end is seen so probably.
  var target: Double
  var targetShare: Double
  /// Seconds of the next clip that are fetched ahead, and how probably they have to be seen.
  var nextDepth: Double
  var nextShare: Double
  /// Seconds of the clip after the next that are fetched ahead.
  var farDepth: Double
  var haste: Haste
  /// How many of the best rates are left out.
  var dropped: Int

  /// The most rules that there are.
  static let limit = 6

  /// Two for each number of rates left out: one keeps little and follows its buffer, one keeps more and its
  /// rate, which hangs on the network alone.
  @inline(__always)
  static func of(_ index: Int) -> BaseRule {
    let isSteady = index % 2 == 1
    let haste = Haste(share: isSteady ? 0 : 0.9, more: isSteady ? 1e9 : 0.1, lengths: 1.3)
    return BaseRule(
      lead: 1.2, target: isSteady ? 8 : 2.5, targetShare: 0.6, nextDepth: isSteady ? 3.2 : 1.1,
      nextShare: 0.6, farDepth: 1.1, haste: haste, dropped: index / 2)
  }

  /// How many rules there are for clips with so many rates.
  static func count(rates: Int) -> Int { min(rates * 2, limit) }
}

/// The next thing to do: a download, or a pause of so many seconds.
struct Step {
  var clip = 0
  var rate = 0
  var pause = 0.0
}
