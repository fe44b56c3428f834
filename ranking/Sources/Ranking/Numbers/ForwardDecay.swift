internal import Foundation

/// Forward decay (Cormode, Shkapenyuk, Srivastava, Xu: "Forward decay: a practical time decay model for
/// streaming systems", ICDE 2009): what happens at t is added with weight 2^((t − landmark) / half-life),
/// and what is read is divided by the weight of the present. So nothing has to be touched as time passes,
/// and an order of sums stays until one grows.
///
/// A clock that jumps cannot do harm: time does not run backwards here, and a leap ahead is cut at
/// `longestLeap`.
public struct ForwardDecay: Sendable, Equatable {
  /// Of a weight, in milliseconds.
  public let halfLife: Int64
  /// When a weight is 1, in milliseconds since 1970.
  public private(set) var landmark: Int64
  /// The latest time that was seen.
  public private(set) var now: Int64
  /// What something at this moment weighs in sums. At most 2^32 if what `advance` returns is heeded.
  public private(set) var weight: Float = 1

  /// A leap beyond it counts as this: sixteen half-lives make anything small.
  var longestLeap: Int64 { halfLife.multipliedReportingOverflow(by: 16).partialValue }

  /// - Parameter halfLife: in milliseconds; cut to between a second and a thousand years.
  public init(halfLife: Int64, at now: Int64) {
    self.halfLife = min(max(halfLife, 1_000), 31_557_600_000_000)
    landmark = now
    self.now = now
  }

  /// Goes on to a moment. Returns the factor by which all sums must be multiplied now, when weights have
  /// become large.
  public mutating func advance(to time: Int64) -> Float? {
    guard time > now else { return nil }
    let (leap, overflow) = time.subtractingReportingOverflow(now)
    // The landmark follows a leap, so that a second one does not add up to what no weight can hold.
    if overflow || leap > longestLeap {
      let kept = Float(exp2(-16.0)) / weight
      now = time
      landmark = time
      weight = 1
      return kept
    }
    now = time
    weigh()
    guard now &- landmark > halfLife &* 16 else { return nil }
    let factor = 1 / weight
    landmark = now
    weight = 1
    return factor
  }

  private mutating func weigh() { weight = Float(exp2(Double(now &- landmark) / Double(halfLife))) }
}

extension ForwardDecay {
  /// As a snapshot has it; nothing if no clock can have made it.
  init?(halfLife: Int64, landmark: Int64, now: Int64) {
    self.init(halfLife: halfLife, at: landmark)
    let (age, overflow) = now.subtractingReportingOverflow(landmark)
    guard !overflow, age >= 0, age / 16 <= self.halfLife else { return nil }
    self.now = now
    weigh()
  }
}
