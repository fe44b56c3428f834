internal import Foundation
public import Ranking

/// Two settings at once: which viewers have which.
public struct Experiment: Sendable, Equatable {
  public enum Arm: Sendable, Hashable, CaseIterable { case control, treatment }

  /// Of its name; so that the viewers of one experiment are not those of another.
  private let salt: UInt64
  /// The share of viewers who have the treatment; as many are its control. 0 to 1/2.
  public let share: Double

  public init(name: String, share: Double) {
    salt = StableHash.of(name)
    self.share = share > 0 ? min(share, 0.5) : 0
  }

  /// By a hash: the same for a viewer at all times and in every process. Nothing for who is in neither.
  public func arm(of viewer: EntityID) -> Arm? {
    var generator = SeededGenerator(seed: salt ^ viewer.high &* 0x9E37_79B9_7F4A_7C15 ^ viewer.low)
    let place = generator.uniform()
    return place < share ? .treatment : place >= 1 - share ? .control : nil
  }
}

/// A ratio of sums over viewers, such as seconds watched by visits, with its interval: the delta method in
/// the form of Deng, Knoblich, Lu, "Applying the delta method in metric analytics" (KDD 2018). Viewers are
/// what is independent, and what the arms were made of; visits of one viewer are not.
///
/// Sums alone are kept, so a log of any length is read once, and parts of it can be added up.
public struct RatioOverViewers: Sendable, Equatable {
  public private(set) var viewers = 0.0
  private var x = 0.0
  private var y = 0.0
  private var xx = 0.0
  private var yy = 0.0
  private var xy = 0.0

  public init() {}

  /// All that one viewer brought: of what is above the line and below it. What is no number is left out.
  public mutating func add(_ above: Double, by below: Double) {
    guard above.isFinite, below.isFinite, abs(above) < 1e12, abs(below) < 1e12 else { return }
    viewers += 1
    x += above
    y += below
    xx += above * above
    yy += below * below
    xy += above * below
  }

  public mutating func add(_ other: Self) {
    viewers += other.viewers
    x += other.x
    y += other.y
    xx += other.xx
    yy += other.yy
    xy += other.xy
  }

  public var ratio: Double { y != 0 ? x / y : 0 }

  /// The variance of the ratio; 0 of fewer than two viewers.
  public var variance: Double {
    guard viewers > 1, y != 0 else { return 0 }
    let (meanX, meanY) = (x / viewers, y / viewers)
    let of = { (sum: Double, product: Double) in (sum - self.viewers * product) / (self.viewers - 1) }
    let spread =
      of(xx, meanX * meanX) - 2 * ratio * of(xy, meanX * meanY) + ratio * ratio * of(yy, meanY * meanY)
    return max(spread, 0) / (viewers * meanY * meanY)
  }

  public var estimate: Estimate { Self.estimate(ratio, variance: variance) }

  /// What the treatment has more, in the ratio's unit.
  public static func difference(_ treatment: Self, from control: Self) -> Estimate {
    estimate(treatment.ratio - control.ratio, variance: treatment.variance + control.variance)
  }

  /// What the treatment has more as a share of the control; of no use where that is near 0.
  public static func relativeDifference(_ treatment: Self, from control: Self) -> Estimate {
    guard control.ratio != 0 else { return Estimate(value: 0, low: -.infinity, high: .infinity) }
    let quotient = treatment.ratio / control.ratio
    let variance =
      (treatment.variance + quotient * quotient * control.variance) / (control.ratio * control.ratio)
    return estimate(quotient - 1, variance: variance)
  }

  private static func estimate(_ value: Double, variance: Double) -> Estimate {
    let half = 1.959964 * variance.squareRoot()
    return Estimate(value: value, low: value - half, high: value + half)
  }

  /// How likely arms of equal shares differ so much in viewers, or more, by chance (Fabijan et al.,
  /// "Diagnosing sample ratio mismatch", KDD 2019). Below a thousandth something lost viewers of one arm, and
  /// no figure of the experiment means anything.
  public static func sampleRatioMismatch(_ one: Double, _ other: Double) -> Double {
    let sum = one + other
    guard sum > 0, one >= 0, other >= 0, sum.isFinite else { return 1 }
    return erfc(abs(one - other) / (2 * sum).squareRoot())
  }
}
