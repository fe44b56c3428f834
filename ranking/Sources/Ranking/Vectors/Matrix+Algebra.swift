internal import Foundation

/// What decompositions of tall matrices are made of.
extension Matrix {
  /// The product of every row with a vector; zeros if it has another length.
  public func products(with vector: [Float]) -> [Float] {
    guard vector.count == columns, rows > 0 else { return [Float](repeating: 0, count: rows) }
    return [Float](unsafeUninitializedCapacity: rows) { out, count in
      values.withUnsafeBufferPointer {
        DotProduct.ofRows(vector, $0.baseAddress!, rows: rows, columns: columns, into: out.baseAddress!)
      }
      count = rows
    }
  }

  /// Adds rows of another matrix of as many columns to a row, each with its weight times a factor.
  public mutating func add(
    _ other: Matrix, rows chosen: some Sequence<UInt32>, weights: [Float], times factor: Float, to row: Int
  ) {
    precondition(other.columns == columns)
    let count = columns
    values.withUnsafeMutableBufferPointer { values in
      other.values.withUnsafeBufferPointer { others in
        for one in chosen {
          DotProduct.add(
            others.baseAddress! + Int(one) * count, times: weights[Int(one)] * factor, count,
            to: values.baseAddress! + row * count)
        }
      }
    }
  }

  /// MᵀM, whole.
  public func gram() -> [Float] {
    var sum = [Double](repeating: 0, count: columns * columns)
    var part = [Float](repeating: 0, count: columns * columns)
    for start in stride(from: 0, to: rows, by: 1_024) {
      for place in part.indices { part[place] = 0 }
      part.withUnsafeMutableBufferPointer { part in
        values.withUnsafeBufferPointer { values in
          for row in start..<min(start + 1_024, rows) {
            DotProduct.addOuter(
              values.baseAddress! + row * columns, times: 1, columns, to: part.baseAddress!)
          }
        }
      }
      for place in part.indices { sum[place] += Double(part[place]) }
    }
    return (0..<columns * columns).map { place in
      let (row, column) = (place / columns, place % columns)
      return Float(row <= column ? sum[place] : sum[column * columns + row])
    }
  }

  /// Columns of the same span that are orthogonal and of length 1: M (Uᵀ)⁻¹ with UᵀU = MᵀM. A column that
  /// the others make up becomes zeros.
  public func orthonormalised() -> Matrix {
    var upper = gram().map(Double.init)
    let n = columns
    var isNull = [Bool](repeating: false, count: n)
    for row in 0..<n {
      let pivot = upper[row * n + row]
      isNull[row] = pivot < 1e-7
      let scale = isNull[row] ? 0 : 1 / pivot.squareRoot()
      for column in row..<n { upper[row * n + column] *= scale }
      for below in row + 1..<max(n, row + 1) {
        let factor = upper[row * n + below]
        for column in below..<n { upper[below * n + column] -= factor * upper[row * n + column] }
      }
    }
    let factors = upper.map { Float($0) }
    var result = self
    for row in 0..<rows {
      // Forward through the columns; the numbers behind are changed in one go.
      result.values.withUnsafeMutableBufferPointer { values in
        factors.withUnsafeBufferPointer { factors in
          let here = values.baseAddress! + row * n
          for column in 0..<n {
            here[column] = isNull[column] ? 0 : here[column] / factors[column * n + column]
            DotProduct.add(
              factors.baseAddress! + column * n + column + 1, times: -here[column], n - column - 1,
              to: here + column + 1)
          }
        }
      }
    }
    return result
  }

  /// The product with a matrix whose rows are as many as the columns here.
  public func times(_ other: Matrix) -> Matrix {
    precondition(other.rows == columns)
    var product = Matrix(rows: rows, columns: other.columns)
    let all = (0..<UInt32(columns)).map { $0 }
    for row in 0..<rows { product.add(other, rows: all, weights: Array(self[row]), times: 1, to: row) }
    return product
  }
}

/// Eigenvectors of a symmetric matrix by Jacobi's rotations (Golub, Van Loan: "Matrix computations", 8.5):
/// for small ones.
public struct SymmetricEigen: Sendable {
  private let size: Int
  private var matrix: [Double]
  /// By row; rows are turned together with the matrix, so that at last they are the eigenvectors.
  private var turned: [Double]

  public init(_ matrix: [Float], size: Int) {
    precondition(matrix.count == size * size)
    self.size = size
    self.matrix = matrix.map(Double.init)
    turned = [Double](repeating: 0, count: size * size)
    for place in 0..<size { turned[place * size + place] = 1 }
    for _ in 0..<12 where sweep() < 1e-9 { break }
  }

  public var values: [Float] { (0..<size).map { Float(matrix[$0 * size + $0]) } }

  /// Those of the largest eigenvalues, one in each column.
  public func vectors(_ count: Int) -> Matrix {
    let order = (0..<size).sorted { matrix[$0 * size + $0] > matrix[$1 * size + $1] }.prefix(count)
    var result = Matrix(rows: size, columns: max(order.count, 1))
    for row in 0..<size { result.set(row, to: order.map { Float(turned[$0 * size + row]) }) }
    return result
  }

  /// Turns every pair once. Returns what is left beside the diagonal, relative to it.
  private mutating func sweep() -> Double {
    var left = 0.0
    for p in 0..<size {
      for q in p + 1..<max(size, p + 1) {
        let beside = matrix[p * size + q]
        left += beside * beside
        guard abs(beside) > 1e-14 else { continue }
        let angle = (matrix[q * size + q] - matrix[p * size + p]) / (2 * beside)
        let t = (angle < 0 ? -1 : 1) / (abs(angle) + (angle * angle + 1).squareRoot())
        let c = 1 / (t * t + 1).squareRoot()
        turn(p, q, c, t * c)
      }
    }
    let diagonal = (0..<size).reduce(1e-30) { $0 + matrix[$1 * size + $1] * matrix[$1 * size + $1] }
    return left / diagonal
  }

  private mutating func turn(_ p: Int, _ q: Int, _ c: Double, _ s: Double) {
    for k in 0..<size {
      let (a, b) = (matrix[p * size + k], matrix[q * size + k])
      matrix[p * size + k] = c * a - s * b
      matrix[q * size + k] = s * a + c * b
      let (x, y) = (turned[p * size + k], turned[q * size + k])
      turned[p * size + k] = c * x - s * y
      turned[q * size + k] = s * x + c * y
    }
    for k in 0..<size {
      let (a, b) = (matrix[k * size + p], matrix[k * size + q])
      matrix[k * size + p] = c * a - s * b
      matrix[k * size + q] = s * a + c * b
    }
  }
}
