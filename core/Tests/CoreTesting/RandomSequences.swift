public import CoreTypes

/// Runs a property over many random sequences; the seed names the one that failed.
public func forEachSeed(
  _ count: UInt64, _ body: (_ seed: UInt64, _ generator: inout SeededGenerator) throws -> Void
) rethrows {
  for seed in 1...count {
    var generator = SeededGenerator(seed: seed)
    try body(seed, &generator)
  }
}

extension SeededGenerator {
  /// Mostly sensible numbers, sometimes the ones that break arithmetic.
  public mutating func hostileInteger(around magnitude: Int64) -> Int64 {
    switch next(below: 20) {
    case 0: .max
    case 1: .min
    case 2: 0
    case 3: -1
    default: next(below: magnitude * 2 + 1) - magnitude
    }
  }
}
