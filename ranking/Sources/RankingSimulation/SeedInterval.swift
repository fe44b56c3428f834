internal import Foundation

/// Mean of one figure over worlds of several seeds, with the 95 % interval of Student's t: worlds are
/// independent, their figures near enough to normal.
public struct SeedInterval: Sendable, Equatable {
  public let mean: Double
  /// Half of the interval's width; infinite of fewer than two.
  public let halfWidth: Double

  public init(_ values: [Double]) {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / max(count, 1)
    self.mean = mean
    guard values.count > 1 else {
      halfWidth = .infinity
      return
    }
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    halfWidth = Self.quantile(degrees: values.count - 1) * (variance / count).squareRoot()
  }

  public var low: Double { mean - halfWidth }
  public var high: Double { mean + halfWidth }

  /// The 97.5th percentile of t: of few degrees from the table, above them by the expansion of Cornish and
  /// Fisher (Abramowitz and Stegun 26.7.5).
  static func quantile(degrees: Int) -> Double {
    let table = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]
    if degrees < 1 { return .infinity }
    if degrees <= table.count { return table[degrees - 1] }
    let z = 1.959964
    let n = Double(degrees)
    return z + (pow(z, 3) + z) / (4 * n) + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * n * n)
  }
}
