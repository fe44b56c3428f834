internal import Foundation

/// Whether probabilities mean what they say, from predictions that were made before what came of them was
/// known (progressive validation: Blum, Kalai, Langford, "Beating the hold-out", COLT 1999).
///
/// Buckets of equal width: reliability (Murphy 1973), and the expected calibration error, the mean distance
/// between what was said and what came, weighted by bucket (Naeini, Cooper, Hauskrecht, "Obtaining well
/// calibrated probabilities using Bayesian binning", AAAI 2015). Beside it the log loss, also as a share of
/// what the base rate alone would have (normalised entropy: He et al., "Practical lessons from predicting
/// clicks on ads at Facebook", ADKDD 2014): below 1 the model knows something.
///
/// Fixed memory; parts of a log can be added up.
public struct ProgressiveCalibration: Sendable, Equatable, Codable {
  public struct Bucket: Sendable, Equatable, Codable {
    public internal(set) var weight = 0.0
    var predictions = 0.0
    var labels = 0.0

    /// What was said, and what came, on average; 0 where there is nothing.
    public var predicted: Double { weight > 0 ? predictions / weight : 0 }
    public var observed: Double { weight > 0 ? labels / weight : 0 }

    /// Of what came (Wilson 1927), where weights are events.
    public var interval: Estimate {
      guard weight > 0 else { return Estimate(value: 0, low: 0, high: 1) }
      let z = 1.959964
      let middle = (observed + z * z / (2 * weight)) / (1 + z * z / weight)
      let spread = observed * (1 - observed) / weight + z * z / (4 * weight * weight)
      let half = z * spread.squareRoot() / (1 + z * z / weight)
      return Estimate(value: observed, low: max(middle - half, 0), high: min(middle + half, 1))
    }
  }

  public private(set) var buckets: [Bucket]
  private var losses = 0.0
  private var squares = 0.0

  /// - Parameter buckets: 2 to 1,000.
  public init(buckets: Int = 20) {
    self.buckets = [Bucket](repeating: Bucket(), count: min(max(buckets, 2), 1_000))
  }

  /// - Parameters:
  ///   - label: what came: 0 or 1, or a share between them.
  ///   - weight: 0 or more; what is no number is left out.
  public mutating func observe(_ probability: Double, _ label: Double, weight: Double = 1) {
    guard !probability.isNaN, !label.isNaN, weight > 0, weight.isFinite else { return }
    let probability = min(max(probability, 0), 1)
    let label = min(max(label, 0), 1)
    let place = min(Int(probability * Double(buckets.count)), buckets.count - 1)
    buckets[place].weight += weight
    buckets[place].predictions += weight * probability
    buckets[place].labels += weight * label
    losses += weight * Self.logLoss(probability, label)
    squares += weight * (probability - label) * (probability - label)
  }

  /// Adds what was observed elsewhere; nothing if it has other buckets.
  public mutating func add(_ other: Self) {
    guard other.buckets.count == buckets.count else { return }
    for place in buckets.indices {
      buckets[place].weight += other.buckets[place].weight
      buckets[place].predictions += other.buckets[place].predictions
      buckets[place].labels += other.buckets[place].labels
    }
    losses += other.losses
    squares += other.squares
  }

  public var weight: Double { buckets.reduce(0) { $0 + $1.weight } }
  public var baseRate: Double { buckets.reduce(0) { $0 + $1.labels } / max(weight, .leastNormalMagnitude) }
  public var logLoss: Double { losses / max(weight, .leastNormalMagnitude) }
  /// Mean squared error (Brier 1950).
  public var brierScore: Double { squares / max(weight, .leastNormalMagnitude) }

  public var expectedError: Double {
    buckets.reduce(0) { $0 + $1.weight * abs($1.predicted - $1.observed) }
      / max(weight, .leastNormalMagnitude)
  }

  /// Of the buckets, each at the mean of what was said in it. Nothing where all of it lies in one.
  public var line: CalibrationLine? {
    let points = buckets.filter { $0.weight > 0 }
      .map { CalibrationLine.Point($0.predicted, $0.observed, weight: $0.weight) }
    return points.count > 1 ? CalibrationLine(points) : nil
  }

  /// Whether these are numbers that `observe` can have come to; what was kept elsewhere may be anything.
  public var isSound: Bool {
    (2...1_000).contains(buckets.count) && losses.isFinite && losses >= 0 && squares.isFinite && squares >= 0
      && buckets.allSatisfy { bucket in
        let (all, sums) = (bucket.weight, [bucket.predictions, bucket.labels])
        // Sums are rounded.
        return all.isFinite && all >= 0 && sums.allSatisfy { $0 >= 0 && $0 <= all * 1.000_001 }
      }
  }

  /// 1 where the base rate does as well; 0 if nothing was observed.
  public var normalisedEntropy: Double {
    guard weight > 0 else { return 0 }
    return logLoss / max(Self.logLoss(baseRate, baseRate), 1e-12)
  }

  /// −log of the probability that was given to what came. Certainty that was wrong costs 13.8 and not
  /// infinity.
  public static func logLoss(_ probability: Double, _ label: Double) -> Double {
    let kept = min(max(probability, 1e-6), 1 - 1e-6)
    return -(label * log(kept) + (1 - label) * log(1 - kept))
  }
}
