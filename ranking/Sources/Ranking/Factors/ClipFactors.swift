/// Implicit alternating least squares: vectors of viewers and clips whose product is near 1 for what was
/// liked and near 0 for all else.
///
/// Hu, Koren, Volinsky: "Collaborative filtering for implicit feedback datasets", ICDM 2008, with the
/// regularisation and settings of Rendle, Krichene, Zhang, Koren: "Revisiting the performance of iALS on
/// item recommendation benchmarks", RecSys 2022:
///
///     Σ over liked (1 − w·h)² + α Σ over all (w·h)² + λ Σ (n + α N) |x|²
///
/// where n is how often a row was liked, and N how many rows the other side has.
///
/// Only clips' vectors are kept. A viewer's follows from the clips they liked (fold-in), so it is never
/// older than their last swipe.
public struct ClipFactors: Sendable, Equatable {
  public struct Settings: Sendable, Equatable {
    /// Numbers in a vector.
    public var dimensions: Int
    /// α: what one that is not liked weighs beside one that is.
    public var unobservedWeight: Float
    /// λ.
    public var regularisation: Float

    public init(dimensions: Int = 64, unobservedWeight: Float = 0.1, regularisation: Float = 0.01) {
      self.dimensions = min(max(dimensions, 1), 1_024)
      self.unobservedWeight = unobservedWeight.bounded(1e-6...10)
      self.regularisation = regularisation.bounded(1e-6...10)
    }

    /// What is added to the diagonal of a row of so much weight, with so many rows on the other side.
    func diagonal(weight: Float, rows: Int) -> Float {
      regularisation * (weight + unobservedWeight * Float(rows))
    }
  }

  public let settings: Settings
  /// One row for each clip.
  public internal(set) var vectors: Matrix
  /// α times the upper triangle of HᵀH.
  public private(set) var gram: [Float]

  /// Small random vectors: before the first sweep they say nothing.
  public init(clips: Int, settings: Settings, by generator: inout SeededGenerator) {
    let deviation = 0.1 / Float(settings.dimensions).squareRoot()
    let start = Matrix(
      rows: clips, columns: settings.dimensions, deviation: deviation, by: &generator)
    var gram = GramSum(of: start, settings: settings)
    while !gram.step(start) {}
    self.init(vectors: start, gram: gram.sum, settings: settings)
  }

  init(vectors: Matrix, gram: [Float], settings: Settings) {
    self.settings = settings
    self.vectors = vectors
    self.gram = gram
  }

  /// The vector of who liked these clips with these weights (one each, or all 1).
  ///
  /// - Parameter clips: rows; those that are not there are left out.
  public func foldIn(_ clips: [UInt32], weights: [Float]? = nil) -> [Float] {
    var solver = LeastSquares(dimensions: settings.dimensions)
    var vector = [Float](repeating: 0, count: settings.dimensions)
    var sum: Float = 0
    solver.begin(gram: gram)
    vectors.values.withUnsafeBufferPointer { rows in
      for (place, clip) in clips.enumerated() where Int(clip) < vectors.rows {
        let weight = weights.map { place < $0.count ? $0[place].bounded(0...1_000) : 0 } ?? 1
        guard weight > 0 else { continue }
        solver.add(rows.baseAddress! + Int(clip) * settings.dimensions, weight: weight)
        sum += weight
      }
    }
    guard sum > 0 else { return vector }
    let diagonal = settings.diagonal(weight: sum, rows: vectors.rows)
    vector.withUnsafeMutableBufferPointer {
      solver.solve(regularisation: diagonal, into: $0.baseAddress!)
    }
    return vector
  }

  /// The product of a viewer's vector with every clip's.
  public func scores(of viewer: [Float]) -> [Float] {
    guard viewer.count == settings.dimensions, vectors.rows > 0 else { return [] }
    return [Float](unsafeUninitializedCapacity: vectors.rows) { out, count in
      vectors.values.withUnsafeBufferPointer {
        DotProduct.ofRows(
          viewer, $0.baseAddress!, rows: vectors.rows, columns: settings.dimensions, into: out.baseAddress!)
      }
      count = vectors.rows
    }
  }
}

extension ClipFactors {
  /// One more clip, of which nothing is known: a small random vector. The Gram matrix has it from the next
  /// sweep on.
  public mutating func appendRow(by generator: inout SeededGenerator) {
    vectors.grow(to: vectors.rows + 1)
    let deviation = 0.1 / Float(settings.dimensions).squareRoot()
    let row = (0..<settings.dimensions).map { _ in Float(generator.normal()) * deviation }
    vectors.set(vectors.rows - 1, to: row)
  }

  mutating func clearRow(_ row: Int) {
    guard row < vectors.rows else { return }
    vectors.set(row, to: repeatElement(0, count: settings.dimensions))
  }
}
