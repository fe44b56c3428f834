internal import Foundation
public import RankingJudgement

/// How well something is ranked, summed over cases.
public struct RankSums: ViewerSums, Sendable, Equatable {
  public var cases = 0.0
  public var hits20 = 0.0
  public var gain20 = 0.0
  public var hits100 = 0.0

  public init() {}

  /// A case whose one right answer stands at this place, from 0.
  public mutating func add(place: Int) {
    cases += 1
    if place < 20 {
      hits20 += 1
      gain20 += 1 / log2(Double(place) + 2)
    }
    if place < 100 { hits100 += 1 }
  }

  public mutating func add(_ other: RankSums) {
    cases += other.cases
    hits20 += other.hits20
    gain20 += other.gain20
    hits100 += other.hits100
  }

  public var hitRate20: Double { cases > 0 ? hits20 / cases : 0 }
  public var ndcg20: Double { cases > 0 ? gain20 / cases : 0 }
  public var hitRate100: Double { cases > 0 ? hits100 / cases : 0 }
}

/// Measures of probabilities against what came.
public enum ProbabilityMeasures {
  /// The probability that a positive stands above a negative; ties count half.
  public static func auc(_ scores: [Float], _ labels: [Bool]) -> Double? {
    let order = scores.indices.sorted { scores[$0] < scores[$1] }
    var rankSum = 0.0
    var positives = 0.0
    var start = 0
    while start < order.count {
      var end = start
      while end < order.count, scores[order[end]] == scores[order[start]] { end += 1 }
      let rank = Double(start + end + 1) / 2
      for place in start..<end where labels[order[place]] {
        rankSum += rank
        positives += 1
      }
      start = end
    }
    let negatives = Double(order.count) - positives
    guard positives > 0, negatives > 0 else { return nil }
    return (rankSum - positives * (positives + 1) / 2) / (positives * negatives)
  }

  /// The mean of `auc` by group, weighted by its cases; groups of one kind only are left out.
  public static func groupedAUC(_ scores: [Float], _ labels: [Bool], groups: [Int]) -> Double {
    var byGroup: [Int: [Int]] = [:]
    for place in groups.indices { byGroup[groups[place], default: []].append(place) }
    var sum = 0.0
    var weight = 0.0
    for key in byGroup.keys.sorted() {
      let places = byGroup[key] ?? []
      guard let area = auc(places.map { scores[$0] }, places.map { labels[$0] }) else { continue }
      sum += area * Double(places.count)
      weight += Double(places.count)
    }
    return weight > 0 ? sum / weight : 0.5
  }

  public static func logLoss(_ probabilities: [Float], _ labels: [Bool]) -> Double {
    let sum = zip(probabilities, labels).reduce(0.0) { sum, pair in
      sum + ProgressiveCalibration.logLoss(Double(pair.0), pair.1 ? 1 : 0)
    }
    return sum / Double(max(labels.count, 1))
  }

  /// Of the labels on the logits: 1 and 0 where probabilities are right.
  public static func calibration(_ probabilities: [Float], _ labels: [Bool]) -> (
    slope: Double, intercept: Double
  ) {
    let line = CalibrationLine(
      zip(probabilities, labels).map { CalibrationLine.Point(Double($0), $1 ? 1 : 0) })
    return (line.slope, line.intercept)
  }
}
