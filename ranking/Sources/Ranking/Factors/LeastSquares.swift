/// Solves one row of iALS: (G + Σ wᵢ vᵢ vᵢᵀ + r I) x = Σ wᵢ vᵢ, by Cholesky (symmetric, positive definite
/// for r > 0). Holds what it needs to work in, so that thousands of rows cost no memory.
struct LeastSquares: Sendable {
  private let dimensions: Int
  private var matrix: [Float]
  private var right: [Float]

  init(dimensions: Int) {
    self.dimensions = dimensions
    matrix = [Float](repeating: 0, count: dimensions * dimensions)
    right = [Float](repeating: 0, count: dimensions)
  }

  /// Begins a row with the upper triangle of a Gram matrix.
  mutating func begin(gram: [Float]) {
    // Not by assignment, which would make a copy with the first number that changes.
    for place in matrix.indices { matrix[place] = gram[place] }
    for place in right.indices { right[place] = 0 }
  }

  mutating func add(_ vector: UnsafePointer<Float>, weight: Float) {
    matrix.withUnsafeMutableBufferPointer {
      DotProduct.addOuter(vector, times: weight, dimensions, to: $0.baseAddress!)
    }
    right.withUnsafeMutableBufferPointer {
      DotProduct.add(vector, times: weight, dimensions, to: $0.baseAddress!)
    }
  }

  /// The solution; zeros where rounding has left nothing to divide by, or a number is none.
  mutating func solve(regularisation: Float, into out: UnsafeMutablePointer<Float>) {
    let n = dimensions
    let isSolved = matrix.withUnsafeMutableBufferPointer { matrix in
      right.withUnsafeMutableBufferPointer { right in
        Self.solve(matrix.baseAddress!, right.baseAddress!, n, regularisation, into: out)
      }
    }
    if !isSolved { for place in 0..<n { out[place] = 0 } }
  }

  /// Row by row: `matrix` becomes U of UᵀU, `right` what solves Uᵀ y = right; then U x = y from below. Rows
  /// are worked on from whole blocks of eight on, since what is left of the diagonal is nobody's.
  private static func solve(
    _ matrix: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ n: Int,
    _ regularisation: Float, into out: UnsafeMutablePointer<Float>
  ) -> Bool {
    for row in 0..<n {
      let here = matrix + row * n
      let pivot = here[row] + regularisation
      guard pivot > 1e-12, pivot.isFinite else { return false }
      let scale = 1 / pivot.squareRoot()
      for column in row..<n { here[column] *= scale }
      // The diagonal holds the reciprocal from here on.
      here[row] = scale
      right[row] *= scale
      for below in row + 1..<max(n, row + 1) {
        let from = below / 8 * 8
        // `from` may be at or left of this row's diagonal: the numbers there are read by nobody again.
        DotProduct.add(here + from, times: -here[below], n - from, to: matrix + below * n + from)
      }
      DotProduct.add(here + row + 1, times: -right[row], n - row - 1, to: right + row + 1)
    }
    for row in (0..<n).reversed() {
      let here = matrix + row * n
      out[row] = (right[row] - DotProduct.of(here + row + 1, out + row + 1, n - row - 1)) * here[row]
      guard out[row].isFinite else { return false }
    }
    return true
  }
}
