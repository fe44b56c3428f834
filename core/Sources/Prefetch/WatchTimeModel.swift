import CoreTypes

/// How long this person stays with clips: a rate of leaving for each stretch of a clip, from the
/// watch times of this session, begun with what is common. For clips of which the server has sent no
/// retention.
///
/// The rates are those of a life table: leavings over time at risk. A clip that is still playing
/// counts as time at risk, so that nothing is known too early.
struct WatchTimeModel: Sendable {
  /// Where the stretches end, in seconds watched; the last one is open.
  private static let ends: [Double] = [0.5, 1, 2, 3, 5, 8, 13, 21, .greatestFiniteMagnitude]
  /// Leavings per second in each, before anything is known: many short looks, and whoever stays,
  /// stays longer and longer (the shape of the public retention curves of short-video services).
  private static let priors: [Double] = [0.2, 0.3, 0.22, 0.15, 0.12, 0.08, 0.06, 0.05, 0.05]
  /// Seconds at risk that the prior counts for, and, within a class of length, all clips together.
  private static let priorWeight = 8.0
  private static let pooledWeight = 12.0
  /// Clips up to this long (s) are of the first class, of the second class; the rest are long.
  private static let classEnds: [Double] = [12, 30]
  /// Share that leaves when a clip begins again, before anything is known, and its weight.
  private static let endPrior = 0.3
  private static let endWeight = 4.0

  private var leavings = [Double](repeating: 0, count: priors.count * 3)
  private var times = [Double](repeating: 0, count: priors.count * 3)
  private var ended = 0.0
  private var leftAtEnd = 0.0

  /// A clip of that length was left after so many seconds of watching.
  mutating func note(watched: Double, of duration: Double) {
    let row = Self.lengthClass(duration) * Self.priors.count
    let watched = min(max(watched, 0), 600)
    var start = 0.0
    for stretch in Self.ends.indices {
      let end = Self.ends[stretch]
      times[row + stretch] += max(0, min(watched, end) - start)
      if watched < end {
        leavings[row + stretch] += 1
        break
      }
      start = end
    }
    if watched >= duration - 0.7 {
      ended += 1
      if watched <= duration + 0.7 { leftAtEnd += 1 }
    }
  }

  /// Leavings per second in a stretch, for clips of one class of length.
  func rate(_ stretch: Int, _ lengthClass: Int) -> Double {
    var left = Self.priors[stretch] * Self.priorWeight
    var time = Self.priorWeight
    for other in 0..<3 {
      left += leavings[other * Self.priors.count + stretch]
      time += times[other * Self.priors.count + stretch]
    }
    let place = lengthClass * Self.priors.count + stretch
    return (left / time * Self.pooledWeight + leavings[place]) / (Self.pooledWeight + times[place])
  }

  /// Share that leaves when a clip ends and begins again.
  var endShare: Double {
    (Self.endPrior * Self.endWeight + leftAtEnd) / (Self.endWeight + ended)
  }

  static func lengthClass(_ duration: Double) -> Int {
    duration <= classEnds[0] ? 0 : duration <= classEnds[1] ? 1 : 2
  }

  /// Walks along the curve in steps of a second.
  struct Walk {
    private let watchTimes: WatchTimeModel
    private let lengthClass: Int
    private let duration: Double
    private var stretch = 0
    private(set) var seconds: Double
    private(set) var share = 1.0

    /// The share counts from those who are still there after so many seconds.
    init(_ watchTimes: WatchTimeModel, duration: Double, from seconds: Double) {
      self.watchTimes = watchTimes
      self.duration = duration
      self.seconds = seconds
      lengthClass = WatchTimeModel.lengthClass(duration)
      while WatchTimeModel.ends[stretch] <= seconds { stretch += 1 }
    }

    mutating func advance() {
      var rest = 1.0
      if seconds < duration, seconds + 1 >= duration { share *= 1 - watchTimes.endShare }
      while rest > 0 {
        let part = min(rest, WatchTimeModel.ends[stretch] - seconds)
        let expected = part * watchTimes.rate(stretch, lengthClass)
        // e^−x to the second order, which is between 0 and 1 for every x ≥ 0.
        share /= 1 + expected + expected * expected / 2
        seconds += part
        rest -= part
        if rest > 0 { stretch += 1 }
      }
    }
  }
}
