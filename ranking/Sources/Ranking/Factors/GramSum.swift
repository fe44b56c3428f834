/// α MᵀM of a tall matrix, in steps. Blocks of fixed size are summed by themselves: so a sum of a million
/// rows does not drown small numbers, and is the same however the steps are spread.
struct GramSum: Sendable {
  static let block = 1_024

  private let dimensions: Int
  private let scale: Float
  private let rows: Int
  private var done = 0
  /// The upper triangle.
  private(set) var sum: [Float]

  init(of matrix: Matrix, settings: ClipFactors.Settings) {
    dimensions = settings.dimensions
    scale = settings.unobservedWeight
    rows = matrix.rows
    sum = [Float](repeating: 0, count: dimensions * dimensions)
  }

  /// Adds a block. Returns whether all are added.
  mutating func step(_ matrix: Matrix) -> Bool {
    let end = min(done + Self.block, rows)
    var part = [Float](repeating: 0, count: sum.count)
    part.withUnsafeMutableBufferPointer { part in
      matrix.values.withUnsafeBufferPointer { values in
        for row in done..<end {
          DotProduct.addOuter(
            values.baseAddress! + row * dimensions, times: scale, dimensions, to: part.baseAddress!)
        }
      }
    }
    for place in sum.indices { sum[place] += part[place] }
    done = end
    return done == rows
  }
}
