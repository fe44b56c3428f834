internal import Ranking

/// Intervals by drawing viewers with replacement (Efron 1979): events of one viewer belong together, so
/// that viewers are drawn and not events.
public enum Bootstrap {
  /// The 2.5th and the 97.5th percentile of a measure over `rounds` draws.
  public static func interval(
    _ byViewer: [RankSums], rounds: Int = 500, seed: UInt64 = 1, of measure: (RankSums) -> Double
  ) -> (low: Double, high: Double) {
    guard !byViewer.isEmpty else { return (0, 0) }
    var generator = SeededGenerator(seed: seed)
    var values: [Double] = []
    for _ in 0..<max(rounds, 1) {
      var sums = RankSums()
      for _ in byViewer.indices { sums.add(byViewer[generator.below(byViewer.count)], times: 1) }
      values.append(measure(sums))
    }
    values.sort()
    return (values[values.count * 25 / 1_000], values[min(values.count * 975 / 1_000, values.count - 1)])
  }
}
