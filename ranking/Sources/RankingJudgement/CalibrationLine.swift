internal import Foundation

/// A logistic regression of what came on the logits of what was said (Cox, "Two further applications of a
/// model for binary regression", Biometrika 1958): slope 1 and intercept 0 where probabilities are right. A
/// slope below 1: they are too sure of themselves; an intercept above 0: they are too low.
public struct CalibrationLine: Sendable, Equatable {
  public private(set) var slope = 1.0
  public private(set) var intercept = 0.0

  /// A probability, what came of it (0 to 1), and how often.
  public struct Point: Sendable {
    let logit: Double
    let label: Double
    let weight: Double

    public init(_ probability: Double, _ label: Double, weight: Double = 1) {
      let kept = min(max(probability, 1e-6), 1 - 1e-6)
      logit = log(kept / (1 - kept))
      self.label = label
      self.weight = weight
    }
  }

  /// By Newton's method. Of points that say too little, such as those of one probability alone, it is where
  /// the search ends.
  public init(_ points: [Point]) {
    for _ in 0..<25 {
      var (g0, g1, h00, h01, h11) = (0.0, 0.0, 1e-9, 0.0, 1e-9)
      for point in points {
        let expected = 1 / (1 + exp(-(slope * point.logit + intercept)))
        let error = point.weight * (point.label - expected)
        let variance = point.weight * expected * (1 - expected)
        g0 += error
        g1 += error * point.logit
        h00 += variance
        h01 += variance * point.logit
        h11 += variance * point.logit * point.logit
      }
      let determinant = h00 * h11 - h01 * h01
      guard abs(determinant) > 1e-12 else { break }
      let dIntercept = (h11 * g0 - h01 * g1) / determinant
      let dSlope = (h00 * g1 - h01 * g0) / determinant
      guard dIntercept.isFinite, dSlope.isFinite else { break }
      intercept += dIntercept
      slope += dSlope
      if abs(dIntercept) + abs(dSlope) < 1e-9 { break }
    }
  }
}
