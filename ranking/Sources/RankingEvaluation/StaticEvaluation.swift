internal import Foundation
internal import Ranking

/// All clips ranked for every viewer of the test part, what they had in training left out (LightGCN's
/// protocol).
public struct StaticEvaluation: Sendable {
  public struct Row: Sendable {
    public let name: String
    public fileprivate(set) var recall20 = 0.0
    public fileprivate(set) var ndcg20 = 0.0
  }

  /// - Parameter progress: is told what is done.
  public static func rows(_ split: Split, _ settings: SplitSettings, progress: (String) -> Void = { _ in })
    -> [Row]
  {
    progress("\(split.name): \(settings.sweeps) sweeps")
    var generator = SeededGenerator(seed: 1)
    var factors = ClipFactors(clips: split.train.columnCount, settings: settings.factors, by: &generator)
    for _ in 0..<settings.sweeps {
      var sweep = FactorSweep(split.train, from: factors)
      var finished: ClipFactors?
      while finished == nil { finished = sweep.step() }
      factors = finished ?? factors
    }
    progress("\(split.name): graph filter")
    let filter = GraphFilter(split.train, rank: settings.rank, lowPass: settings.lowPass)
    let counts = split.train.transposed()
    let popularity = (0..<split.train.columnCount).map { Float(counts[$0].count) }

    var rows = ["popularity", "iALS", "graph filter", "blend, 1 : 1"].map { Row(name: $0) }
    var viewers = 0.0
    for viewer in 0..<split.test.rowCount where !split.test[viewer].isEmpty {
      let liked = split.train[viewer]
      let near = factors.scores(of: factors.foldIn(Array(liked)))
      let filtered = filter.scores(of: liked)
      let blend = zip(standardised(near), standardised(filtered)).map { $0 + $1 }
      for (place, scores) in [popularity, near, filtered, blend].enumerated() {
        add(scores, liked: liked, wanted: split.test[viewer], to: &rows[place])
      }
      viewers += 1
      if Int(viewers) % 5_000 == 0 { progress("\(split.name): \(Int(viewers)) viewers") }
    }
    return rows.map { row in
      var mean = row
      mean.recall20 /= max(viewers, 1)
      mean.ndcg20 /= max(viewers, 1)
      return mean
    }
  }

  private static func add(
    _ scores: [Float], liked: ArraySlice<UInt32>, wanted: ArraySlice<UInt32>, to row: inout Row
  ) {
    var open = scores
    for clip in liked { open[Int(clip)] = -.infinity }
    let wanted = Set(wanted)
    var gain = 0.0
    var hits = 0
    for (place, clip) in best(20, of: open).enumerated() where wanted.contains(clip) {
      gain += 1 / log2(Double(place) + 2)
      hits += 1
    }
    let ideal = (0..<min(20, wanted.count)).reduce(0.0) { $0 + 1 / log2(Double($1) + 2) }
    row.recall20 += Double(hits) / Double(wanted.count)
    row.ndcg20 += gain / ideal
  }

  /// By insertion, since few are wanted.
  static func best(_ count: Int, of scores: [Float]) -> [UInt32] {
    var top: [(clip: UInt32, score: Float)] = []
    for (clip, score) in scores.enumerated() {
      if top.count == count, let worst = top.last, score <= worst.score { continue }
      let place = top.firstIndex { $0.score < score } ?? top.count
      top.insert((UInt32(clip), score), at: place)
      if top.count > count { top.removeLast() }
    }
    return top.map(\.clip)
  }

  private static func standardised(_ values: [Float]) -> [Float] {
    let mean = values.reduce(0.0) { $0 + Double($1) } / Double(max(values.count, 1))
    let variance =
      values.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(max(values.count, 1))
    let scale = 1 / (variance.squareRoot() + 1e-9)
    return values.map { Float((Double($0) - mean) * scale) }
  }
}
