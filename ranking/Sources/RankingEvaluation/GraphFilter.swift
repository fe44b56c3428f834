internal import Foundation
public import Ranking

/// Co-watch of a whole matrix at once, as a filter on its graph.
///
/// Shen et al.: "How powerful is graph convolution for recommendation?", CIKM 2021 (GF-CF): x R̃ᵀR̃ + α x
/// D^−½ V Vᵀ D^½ with R̃ = Dᵤ^−½ R Dᵢ^−½ and V its first right singular vectors. The first term is what
/// `CoWatch` keeps live, here exact; the second lets pass what many share. Its vectors come from a
/// randomised decomposition (Halko, Martinsson, Tropp: "Finding structure with randomness", SIAM Review
/// 2011).
public struct GraphFilter: Sendable {
  private let rows: Interactions
  private let columns: Interactions
  /// 1 / √degree of rows and columns; 0 of those without one.
  private let rowScale: [Float]
  private let columnScale: [Float]
  private let lowPass: Float
  /// V, a row for each column of R.
  private let basis: Matrix

  public init(_ interactions: Interactions, rank: Int, lowPass: Float, seed: UInt64 = 1) {
    rows = interactions
    columns = interactions.transposed()
    rowScale = Self.scales(rows)
    columnScale = Self.scales(columns)
    self.lowPass = lowPass
    let rank = min(rank, rows.rowCount, columns.rowCount)
    basis =
      rank > 0 && lowPass != 0
      ? Self.rightVectors(rows, columns, rowScale, columnScale, rank: rank, seed: seed)
      : Matrix(rows: 0, columns: 1)
  }

  /// A score for every column, for who has these.
  public func scores(of liked: ArraySlice<UInt32>) -> [Float] {
    var near = [Float](repeating: 0, count: rows.rowCount)
    for column in liked {
      for row in columns[Int(column)] { near[Int(row)] += columnScale[Int(column)] }
    }
    var scores = [Float](repeating: 0, count: columns.rowCount)
    for row in near.indices where near[row] > 0 {
      let weight = near[row] * rowScale[row] * rowScale[row]
      for column in rows[row] { scores[Int(column)] += weight }
    }
    for column in scores.indices { scores[column] *= columnScale[column] }
    guard basis.rows > 0 else { return scores }
    var query = [Float](repeating: 0, count: basis.columns)
    for column in liked {
      for (place, value) in basis[Int(column)].enumerated() {
        query[place] += value * columnScale[Int(column)]
      }
    }
    for (column, product) in basis.products(with: query).enumerated() where columnScale[column] > 0 {
      scores[column] += lowPass * product / columnScale[column]
    }
    return scores
  }

  private static func scales(_ interactions: Interactions) -> [Float] {
    (0..<interactions.rowCount).map { row in
      interactions[row].isEmpty ? 0 : 1 / Float(interactions[row].count).squareRoot()
    }
  }

  // MARK: The first singular vectors

  private static func rightVectors(
    _ rows: Interactions, _ columns: Interactions, _ rowScale: [Float], _ columnScale: [Float], rank: Int,
    seed: UInt64
  ) -> Matrix {
    var generator = SeededGenerator(seed: seed)
    let width = min(rank + 16, rows.rowCount, columns.rowCount)
    var right = Matrix(rows: columns.rowCount, columns: width, deviation: 1, by: &generator)
    for _ in 0..<4 {
      let left = multiply(rows, right, rowScale, columnScale).orthonormalised()
      right = multiply(columns, left, columnScale, rowScale)
      if width < 2 { break }
      right = right.orthonormalised()
    }
    // Within the subspace: the largest directions of R̃ are those of the small matrix (R̃ V)ᵀ(R̃ V).
    let image = multiply(rows, right, rowScale, columnScale)
    let directions = SymmetricEigen(image.gram(), size: width).vectors(rank)
    return right.times(directions)
  }

  /// The scaled matrix, or its transpose, times a dense one.
  private static func multiply(
    _ interactions: Interactions, _ dense: Matrix, _ rowScale: [Float], _ columnScale: [Float]
  ) -> Matrix {
    var product = Matrix(rows: interactions.rowCount, columns: dense.columns)
    for row in 0..<interactions.rowCount {
      product.add(dense, rows: interactions[row], weights: columnScale, times: rowScale[row], to: row)
    }
    return product
  }
}
