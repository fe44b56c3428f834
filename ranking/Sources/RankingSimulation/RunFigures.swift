internal import Foundation

/// What came of a world under one policy.
public struct RunFigures: Sendable, Equatable {
  /// A mean that is added to.
  public struct Mean: Sendable, Equatable {
    public private(set) var sum = 0.0
    public private(set) var count = 0.0

    mutating func add(_ value: Double) {
      sum += value
      count += 1
    }

    public var value: Double { count > 0 ? sum / count : 0 }
  }

  public let policy: String
  public let seed: UInt64
  /// Seconds.
  public internal(set) var watchByDay: [Double]
  public internal(set) var visitsByDay: [Double]
  public internal(set) var impressions = 0
  public internal(set) var skips = 0
  /// Clips that came in and were there for a whole day, and those that got their hundred impressions in it.
  public internal(set) var newClips = 0
  public internal(set) var newClipsWithAudience = 0
  /// Gini coefficient of creators' impressions: 0 if all have as many, near 1 if one has them all.
  public internal(set) var gini = 0.0
  /// Of the clips of a page from each other, by what they are truly about.
  public internal(set) var pageDistance = Mean()
  /// Impressions by clip, and those within a day of publication.
  public internal(set) var byClip: [Int: Int] = [:]
  /// Impressions of the clip that a ring pushes, of people who do not belong to it, since it began.
  public internal(set) var reachOfPushed = 0
  var firstDayByClip: [Int: Int] = [:]

  init(policy: String, seed: UInt64, days: Int) {
    self.policy = policy
    self.seed = seed
    watchByDay = [Double](repeating: 0, count: days)
    visitsByDay = watchByDay
  }

  /// Seconds, over a range of days that is cut to those there are.
  public func watchPerVisit(_ days: Range<Int>? = nil) -> Double {
    let days = (days ?? watchByDay.indices).clamped(to: watchByDay.indices)
    return watchByDay[days].reduce(0, +) / max(visitsByDay[days].reduce(0, +), 1)
  }

  public var shareWithAudience: Double { Double(newClipsWithAudience) / Double(max(newClips, 1)) }
  public var skipShare: Double { Double(skips) / Double(max(impressions, 1)) }

  /// Gini 1912, by the ordered values.
  static func gini(_ values: [Double]) -> Double {
    let sum = values.reduce(0, +)
    guard sum > 0 else { return 0 }
    let ranked = values.sorted().enumerated().reduce(0) { $0 + Double($1.offset + 1) * $1.element }
    let count = Double(values.count)
    return (2 * ranked / sum - count - 1) / count
  }
}
