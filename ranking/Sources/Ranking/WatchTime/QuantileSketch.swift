internal import Foundation

/// Where a value stands among all that came before, in fixed memory: a histogram whose bounds grow by a
/// constant factor.
///
/// Masson, Rim, Lee: "DDSketch: a fast and fully-mergeable quantile sketch with relative-error guarantees",
/// VLDB 2019. A quantile is off by at most `accuracy` of itself. For values of 1 to 86,400,000 (a day in
/// milliseconds), which is cut to. Old values fade: when the sum is `memory`, all is halved.
public struct QuantileSketch: Sendable, Equatable {
  /// α of the paper.
  public static let accuracy = 0.02
  static let largest = 86_400_000.0
  private static let ratio = (1 + accuracy) / (1 - accuracy)
  /// Weight of observations after which all is halved.
  static let memory: Float = 1_000_000

  /// By ⌈log γ value⌉; the first is for 1 and less.
  private(set) var counts: [Float]
  public private(set) var total: Float = 0

  public init() {
    counts = [Float](repeating: 0, count: Self.place(of: Self.largest) + 1)
  }

  init?(counts: [Float]) {
    self.init()
    guard counts.count == self.counts.count, counts.allSatisfy({ $0 >= 0 && $0 <= Self.memory }) else {
      return nil
    }
    self.counts = counts
    total = counts.reduce(0, +)
  }

  private static func place(of value: Double) -> Int {
    let kept = value.bounded(1...largest)
    return Int((log(kept) / log(ratio)).rounded(.up))
  }

  public mutating func observe(_ value: Double, weight: Float = 1) {
    let added = weight.bounded(0...1)
    counts[Self.place(of: value)] += added
    total += added
    guard total >= Self.memory else { return }
    for place in counts.indices { counts[place] /= 2 }
    total = counts.reduce(0, +)
  }

  /// The share of observations below this value, half of its own bucket among them; 0 to 1. One half if
  /// there are none.
  public func rank(of value: Double) -> Float {
    guard total > 0 else { return 0.5 }
    let place = Self.place(of: value)
    let below = counts[..<place].reduce(0, +)
    return ((below + counts[place] / 2) / total).bounded(0...1)
  }

  /// The value below which this share of observations lies; nothing if there are none.
  public func quantile(_ share: Double) -> Double? {
    guard total > 0 else { return nil }
    let wanted = Float(share.bounded(0...1)) * total
    var sum: Float = 0
    for place in counts.indices where counts[place] > 0 {
      sum += counts[place]
      // The middle of the bucket, by which the relative error is the same to both sides.
      if sum >= wanted { return 2 * pow(Self.ratio, Double(place)) / (Self.ratio + 1) }
    }
    return Self.largest
  }
}
