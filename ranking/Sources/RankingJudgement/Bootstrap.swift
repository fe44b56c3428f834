internal import Ranking

/// Sums of one viewer's events, which can be added up.
public protocol ViewerSums {
  init()
  mutating func add(_ other: Self)
}

/// A figure with its 95 % interval.
public struct Estimate: Sendable, Equatable {
  public let value: Double
  public let low: Double
  public let high: Double

  public init(value: Double, low: Double, high: Double) {
    self.value = value
    self.low = low
    self.high = high
  }

  public func contains(_ truth: Double) -> Bool { low <= truth && truth <= high }
}

/// Intervals by drawing viewers with replacement (Efron, "Bootstrap methods: another look at the
/// jackknife", 1979): events of one viewer belong together, so viewers are drawn and not events.
public enum Bootstrap {
  /// Several measures over the same draws, each with the 2.5th and the 97.5th percentile.
  ///
  /// - Parameters:
  ///   - byViewer: in an order that does not hang on a hash, or the same data give other intervals.
  ///   - rounds: how often as many viewers are drawn as there are.
  public static func estimates<Sums: ViewerSums>(
    _ byViewer: [Sums], rounds: Int = 500, seed: UInt64 = 1, of measures: [(Sums) -> Double]
  ) -> [Estimate] {
    guard !byViewer.isEmpty else { return measures.map { _ in Estimate(value: 0, low: 0, high: 0) } }
    var generator = SeededGenerator(seed: seed)
    var values = [[Double]](repeating: [], count: measures.count)
    for _ in 0..<max(rounds, 1) {
      var sums = Sums()
      for _ in byViewer.indices { sums.add(byViewer[generator.below(byViewer.count)]) }
      for (place, measure) in measures.enumerated() { values[place].append(measure(sums)) }
    }
    var all = Sums()
    for sums in byViewer { all.add(sums) }
    return measures.indices.map { place in
      let sorted = values[place].sorted()
      return Estimate(
        value: measures[place](all), low: sorted[sorted.count * 25 / 1_000],
        high: sorted[min(sorted.count * 975 / 1_000, sorted.count - 1)])
    }
  }

  /// The interval of one measure.
  public static func interval<Sums: ViewerSums>(
    _ byViewer: [Sums], rounds: Int = 500, seed: UInt64 = 1, of measure: @escaping (Sums) -> Double
  ) -> (low: Double, high: Double) {
    let estimate = estimates(byViewer, rounds: rounds, seed: seed, of: [measure])[0]
    return (estimate.low, estimate.high)
  }
}
