/// One sweep of alternating least squares, in steps of some hundred rows: all viewers from the clips'
/// vectors, then all clips from the viewers'. Started from the last result it is a warm one, and one is
/// enough to take in what is new.
///
/// A value: the host calls `step()` when there is time, and drops it to stop. Steps do not change the
/// result.
public struct FactorSweep: Sendable {
  /// Rows that a step solves.
  public static let rowsPerStep = 256

  private enum Phase: Sendable { case clipGram, viewers, viewerGram, clips, gram, done }

  private let settings: ClipFactors.Settings
  private let byViewer: Interactions
  private let byClip: Interactions
  private var clips: Matrix
  private var viewers: Matrix
  private var gram: GramSum
  private var solver: LeastSquares
  private var phase = Phase.clipGram
  private var next = 0

  /// - Parameter interactions: rows are viewers, columns are clips; as many as `factors` has, or fewer.
  public init(_ interactions: Interactions, from factors: ClipFactors) {
    settings = factors.settings
    byViewer = interactions
    byClip = interactions.transposed()
    clips = factors.vectors
    viewers = Matrix(rows: interactions.rowCount, columns: settings.dimensions)
    gram = GramSum(of: clips, settings: settings)
    solver = LeastSquares(dimensions: settings.dimensions)
  }

  /// How much is done, 0 to 1.
  public var progress: Double {
    if phase == .done { return 1 }
    let rows = Double(max(viewers.rows + clips.rows, 1))
    let solved =
      switch phase {
      case .clipGram: 0
      case .viewers: next
      case .viewerGram: viewers.rows
      case .clips: viewers.rows + next
      case .gram, .done: viewers.rows + clips.rows
      }
    return min(Double(solved) / rows, 0.999)
  }

  /// Does a little. Returns the new vectors when that was the last step, and nothing before.
  public mutating func step() -> ClipFactors? {
    switch phase {
    case .clipGram:
      if gram.step(clips) { phase = .viewers }
    case .viewers:
      if Self.solve(byViewer, from: clips, into: &viewers, gram.sum, settings, &solver, &next) {
        gram = GramSum(of: viewers, settings: settings)
        phase = .viewerGram
      }
    case .viewerGram:
      if gram.step(viewers) { phase = .clips }
    case .clips:
      if Self.solve(byClip, from: viewers, into: &clips, gram.sum, settings, &solver, &next) {
        gram = GramSum(of: clips, settings: settings)
        phase = .gram
      }
    case .gram:
      guard gram.step(clips) else { return nil }
      phase = .done
      return ClipFactors(vectors: clips, gram: gram.sum, settings: settings)
    case .done: break
    }
    return nil
  }

  /// Solves the next rows of one side. Returns whether they were the last, and begins anew then.
  private static func solve(
    _ interactions: Interactions, from other: Matrix, into rows: inout Matrix, _ gram: [Float],
    _ settings: ClipFactors.Settings, _ solver: inout LeastSquares, _ next: inout Int
  ) -> Bool {
    let dimensions = settings.dimensions
    let end = min(next + rowsPerStep, interactions.rowCount)
    rows.values.withUnsafeMutableBufferPointer { rows in
      other.values.withUnsafeBufferPointer { other in
        for row in next..<end {
          let columns = interactions[row]
          let out = rows.baseAddress! + row * dimensions
          guard !columns.isEmpty else {
            for place in 0..<dimensions { out[place] = 0 }
            continue
          }
          solver.begin(gram: gram)
          for column in columns {
            solver.add(other.baseAddress! + Int(column) * dimensions, weight: 1)
          }
          let diagonal = settings.diagonal(weight: Float(columns.count), rows: interactions.columnCount)
          solver.solve(regularisation: diagonal, into: out)
        }
      }
    }
    next = end
    guard end == interactions.rowCount else { return false }
    next = 0
    return true
  }
}
