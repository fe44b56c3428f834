internal import Foundation

/// Numbers of strangers meet arithmetic only after one of these. What is no number is taken for nothing.
extension Float {
  func bounded(_ range: ClosedRange<Float>) -> Float {
    isNaN
      ? min(max(0, range.lowerBound), range.upperBound) : min(max(self, range.lowerBound), range.upperBound)
  }
}

extension Double {
  func bounded(_ range: ClosedRange<Double>) -> Double {
    isNaN
      ? min(max(0, range.lowerBound), range.upperBound) : min(max(self, range.lowerBound), range.upperBound)
  }
}

/// The logarithm of the odds of a probability, which is kept away from 0 and 1.
func logit(_ probability: Double) -> Double {
  let kept = probability.bounded(1e-6...1 - 1e-6)
  return log(kept / (1 - kept))
}

/// The inverse of `logit`.
func logistic(_ logit: Double) -> Double { 1 / (1 + exp(-logit.bounded(-30...30))) }
