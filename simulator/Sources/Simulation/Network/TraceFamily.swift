public import CoreTypes
internal import Foundation

/// Kinds of links, each a generator of traces with stated parameters. docs/design/simulator.md says where
/// each number comes from.
public enum TraceFamily: String, CaseIterable, Sendable {
  /// HSDPA on the move.
  case threeG = "3g"
  /// LTE, walking and in a car.
  case fourG = "4g"
  /// LTE in a train: far from masts, handovers, tunnels.
  case train
  /// LTE, with rides in a steel cabin.
  case lift
  /// A home network that is fast and now and then gone for moments.
  case wifi

  /// What a browser's `navigator.connection.type` or a phone would say.
  public var isCellular: Bool { self != .wifi }

  /// How long a generated trace is before it repeats.
  public static let duration = Milliseconds(600_000)
  /// Length of one sample.
  static let step = Milliseconds(250)

  public func trace(seed: UInt64) -> Trace {
    var chance = SeededGenerator(seed: seed, stream: Self.stream + UInt64(index))
    let count = Int(Self.duration.rawValue / Self.step.rawValue)
    var rates = parameters.rates(count: count, &chance)
    for gap in parameters.gaps { gap.cut(&rates, &chance) }
    let trips = parameters.roundTrips(count: count, &chance)
    let samples = zip(rates, trips).map { rate, trip in
      Trace.Sample(kilobits: Int64(rate), roundTrip: Milliseconds(Int64(trip)))
    }
    return Trace(samples, each: Self.step)
  }

  private static let stream: UInt64 = 0x6C69_6E6B_0000
  private var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  private var parameters: Parameters {
    switch self {
    case .threeG:
      Parameters(
        median: 1_600, spread: 0.35, variation: 0.37, ceiling: 6_000, roundTrip: 180, jitter: 0.25,
        gaps: [.losses(every: 12)])
    case .fourG:
      Parameters(
        median: 8_500, spread: 0.45, variation: 0.6, ceiling: 60_000, roundTrip: 75, jitter: 0.2,
        gaps: [.losses(every: 20)])
    case .train:
      Parameters(
        median: 5_500, spread: 0.4, variation: 1.1, ceiling: 40_000, roundTrip: 90, jitter: 0.35,
        gaps: [
          .losses(every: 10), Gap(every: 25, length: 0.3...1.5, rate: 0),
          Gap(every: 70, length: 4...15, rate: 0.01),
        ])
    case .lift:
      Parameters(
        median: 9_000, spread: 0.4, variation: 0.5, ceiling: 60_000, roundTrip: 70, jitter: 0.2,
        gaps: [.losses(every: 20), Gap(every: 75, length: 15...35, rate: 0.012)])
    case .wifi:
      Parameters(
        median: 30_000, spread: 0.5, variation: 0.3, ceiling: 200_000, roundTrip: 25, jitter: 0.3,
        gaps: [.losses(every: 30), Gap(every: 25, length: 0.5...3, rate: 0.02)])
    }
  }
}

/// Times are s, rates kbit/s, round trips ms.
private struct Parameters {
  /// Of the means of different people's links, and the deviation of their logarithms.
  let median: Double
  let spread: Double
  /// Deviation over mean of one link in time.
  let variation: Double
  let ceiling: Double
  let roundTrip: Double
  /// Deviation of the logarithm of round trips.
  let jitter: Double
  let gaps: [Gap]

  /// Log-normal in the whole, with a fast and a slow part: the logs of Riiser et al. correlate by 0.77
  /// after 1 s, 0.45 after 5 s, 0.3 after 10 s, which an exponential of one time constant cannot.
  func rates(count: Int, _ chance: inout SeededGenerator) -> [Double] {
    let mean = chance.logNormal(median: median, spread: spread)
    let deviation = log(1 + variation * variation).squareRoot()
    var fast = Wander(timeConstant: 2, &chance)
    var slow = Wander(timeConstant: 20, &chance)
    return (0..<count).map { _ in
      let value = 0.5.squareRoot() * (fast.next(&chance) + slow.next(&chance))
      return min(ceiling, mean * exp(deviation * value - deviation * deviation / 2))
    }
  }

  func roundTrips(count: Int, _ chance: inout SeededGenerator) -> [Double] {
    let base = chance.logNormal(median: roundTrip, spread: 0.15)
    var wander = Wander(timeConstant: 1, &chance)
    return (0..<count).map { _ in max(5, base * exp(jitter * wander.next(&chance))) }
  }
}

/// A normal variable that remembers: its correlation falls to 1/e after the time constant (s).
private struct Wander {
  private let memory: Double
  private var value: Double

  init(timeConstant: Double, _ chance: inout SeededGenerator) {
    memory = exp(-Double(TraceFamily.step.rawValue) / 1_000 / timeConstant)
    value = chance.normal()
  }

  mutating func next(_ chance: inout SeededGenerator) -> Double {
    value = memory * value + (1 - memory * memory).squareRoot() * chance.normal()
    return value
  }
}

/// Times in which the link carries little or nothing.
private struct Gap {
  /// Mean time between two, s.
  let every: Double
  let length: ClosedRange<Double>
  /// What is left of the rate.
  let rate: Double

  /// A lost packet at the end of a burst stops the flow until TCP's retransmission timer has run out,
  /// at least 200 ms on Linux.
  static func losses(every: Double) -> Gap { Gap(every: every, length: 0.25...0.75, rate: 0) }

  func cut(_ rates: inout [Double], _ chance: inout SeededGenerator) {
    let step = Double(TraceFamily.step.rawValue) / 1_000
    var time = chance.exponential(mean: every)
    while true {
      let length = chance.uniform(self.length)
      let first = Int(time / step)
      guard first < rates.count else { return }
      let last = min(rates.count, first + max(1, Int((length / step).rounded())))
      for index in first..<last { rates[index] *= rate }
      time += length + chance.exponential(mean: every)
    }
  }
}
