import Testing

@testable import Ranking

@Suite struct FactorTests {
  private static let settings = ClipFactors.Settings(
    dimensions: 12, unobservedWeight: 0.1, regularisation: 0.02)

  /// Viewers of two tastes: even clips, or odd ones.
  private static func interactions(viewers: Int = 40, clips: Int = 30, seed: UInt64 = 1) -> Interactions {
    var generator = SeededGenerator(seed: seed)
    var interactions = Interactions(columnCount: clips)
    for viewer in 0..<viewers {
      interactions.append(
        (0..<UInt32(clips)).filter { Int($0) % 2 == viewer % 2 && generator.uniform() < 0.5 })
    }
    return interactions
  }

  private static func sweep(_ interactions: Interactions, from start: ClipFactors) -> ClipFactors {
    var sweep = FactorSweep(interactions, from: start)
    while true { if let done = sweep.step() { return done } }
  }

  /// The normal equations by Gauss, in doubles.
  private static func direct(_ liked: [UInt32], _ factors: ClipFactors) -> [Double] {
    let n = factors.settings.dimensions
    let (alpha, lambda) = (Double(factors.settings.unobservedWeight), Double(factors.settings.regularisation))
    var rows = [[Double]](repeating: [Double](repeating: 0, count: n + 1), count: n)
    for clip in 0..<factors.vectors.rows {
      let vector = factors.vectors[clip].map(Double.init)
      let isLiked = liked.contains(UInt32(clip))
      for i in 0..<n {
        for j in 0..<n { rows[i][j] += (alpha + (isLiked ? 1 : 0)) * vector[i] * vector[j] }
        rows[i][n] += isLiked ? vector[i] : 0
      }
    }
    for i in 0..<n { rows[i][i] += lambda * (Double(liked.count) + alpha * Double(factors.vectors.rows)) }
    for i in 0..<n {
      for j in 0..<n where j != i {
        let factor = rows[j][i] / rows[i][i]
        for k in i...n { rows[j][k] -= factor * rows[i][k] }
      }
    }
    return (0..<n).map { rows[$0][n] / rows[$0][$0] }
  }

  private static func start(clips: Int) -> ClipFactors {
    var generator = SeededGenerator(seed: 9)
    return ClipFactors(clips: clips, settings: settings, by: &generator)
  }

  @Test func foldInSolvesTheNormalEquations() {
    let factors = Self.sweep(Self.interactions(), from: Self.start(clips: 30))
    for liked: [UInt32] in [[3], [0, 2, 4], Array(0..<30)] {
      for (found, wanted) in zip(factors.foldIn(liked), Self.direct(liked, factors)) {
        #expect(abs(Double(found) - wanted) < 1e-3)
      }
    }
  }

  @Test func aViewersSolutionInASweepIsTheirFoldIn() {
    // Viewers and clips exchanged, the sweep's second half solves what fold-in solves: with the same other
    // side.
    let interactions = Self.interactions()
    let clips = Self.sweep(interactions, from: Self.start(clips: 30))
    let again = Self.sweep(interactions, from: clips)
    var viewers = Matrix(rows: interactions.rowCount, columns: 12)
    for row in 0..<interactions.rowCount { viewers.set(row, to: clips.foldIn(Array(interactions[row]))) }
    var gram = GramSum(of: viewers, settings: Self.settings)
    while !gram.step(viewers) {}
    let other = ClipFactors(vectors: viewers, gram: gram.sum, settings: Self.settings)
    let turned = interactions.transposed()
    for clip in 0..<30 { #expect(other.foldIn(Array(turned[clip])) == Array(again.vectors[clip])) }
  }

  @Test func warmSweepsLowerTheLossAndTellTastesFromEachOther() {
    let interactions = Self.interactions()
    var factors = Self.start(clips: 30)
    for _ in 0..<6 { factors = Self.sweep(interactions, from: factors) }
    let scores = factors.scores(of: factors.foldIn([0, 2, 4]))
    let even = stride(from: 6, to: 30, by: 2).map { scores[$0] }
    let odd = stride(from: 7, to: 30, by: 2).map { scores[$0] }
    #expect(even.reduce(0, +) > 3 * odd.reduce(0, +))
  }

  @Test func transposingTwiceIsTheSame() {
    let interactions = Self.interactions()
    let twice = interactions.transposed().transposed()
    #expect(twice.columns == interactions.columns)
    #expect(twice.starts == interactions.starts)
  }

  @Test func nothingOrNonsenseGivesZeros() {
    let factors = Self.start(clips: 3)
    #expect(factors.foldIn([]) == [Float](repeating: 0, count: 12))
    #expect(factors.foldIn([7, .max]) == [Float](repeating: 0, count: 12))
    #expect(factors.foldIn([1], weights: [.nan]) == [Float](repeating: 0, count: 12))
    #expect(factors.foldIn([1, 2], weights: [.infinity, 1]).allSatisfy { $0.isFinite })
    let empty = Self.sweep(Interactions(columnCount: 0), from: Self.start(clips: 0))
    #expect(empty.vectors.rows == 0)
    #expect(empty.scores(of: [Float](repeating: 1, count: 12)).isEmpty)
  }
}
