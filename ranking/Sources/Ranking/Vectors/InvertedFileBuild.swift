/// Makes an inverted file in steps of some hundred clips, so that a million of them does not hold anything
/// up.
struct InvertedFileBuild: Sendable {
  static let rowsPerStep = 512

  private enum Phase: Sendable { case sample(round: Int), assign, done }

  private let settings: InvertedFile.Settings
  private let columns: Int
  /// Clips that have a vector, ascending.
  private let clips: [UInt32]
  private var centres: Matrix
  private var sums: Matrix
  private let sample: [UInt32]
  private var lists: [UInt32]
  private var next = 0
  private var phase: Phase
  private var products: [Float]

  /// - Parameter clips: who is to be found; all of them have a row in `vectors`.
  init(
    _ clips: [UInt32], of vectors: Matrix, settings: InvertedFile.Settings,
    by generator: inout SeededGenerator
  ) {
    self.settings = settings
    self.clips = clips
    columns = vectors.columns
    let isExact = clips.count < settings.exactBelow
    let count = isExact ? 1 : max(clips.count / max(settings.clipsPerList, 1), 1)
    var sample: [UInt32] = []
    if !isExact {
      for _ in 0..<min(count * max(settings.samplesPerList, 1), clips.count) {
        sample.append(clips[generator.below(clips.count)])
      }
    }
    self.sample = sample
    centres = Matrix(rows: count, columns: columns)
    for list in 0..<count where !isExact {
      centres.set(list, to: Self.unit(vectors[Int(sample[list * sample.count / count])]))
    }
    sums = Matrix(rows: count, columns: columns)
    lists = [UInt32](repeating: 0, count: clips.count)
    products = [Float](repeating: 0, count: count)
    phase = isExact ? .assign : .sample(round: 0)
    if isExact { next = clips.count }
  }

  /// Does a little. Returns the file when that was the last step.
  mutating func step(_ vectors: Matrix) -> InvertedFile? {
    switch phase {
    case .sample(let round):
      let end = min(next + Self.rowsPerStep, sample.count)
      for place in next..<end {
        let clip = Int(sample[place])
        let list = nearest(to: clip, in: vectors)
        for (column, value) in Self.unit(vectors[clip]).enumerated() {
          sums.values[Int(list) * columns + column] += value
        }
      }
      next = end
      guard end == sample.count else { return nil }
      moveCentres()
      next = 0
      phase = round + 1 < settings.rounds ? .sample(round: round + 1) : .assign
    case .assign:
      let end = min(next + Self.rowsPerStep, clips.count)
      for place in next..<end { lists[place] = nearest(to: Int(clips[place]), in: vectors) }
      next = end
      guard end == clips.count else { return nil }
      phase = .done
      return file(of: vectors)
    case .done: break
    }
    return nil
  }

  private mutating func nearest(to clip: Int, in vectors: Matrix) -> UInt32 {
    vectors.values.withUnsafeBufferPointer { values in
      centres.values.withUnsafeBufferPointer { centres in
        products.withUnsafeMutableBufferPointer {
          DotProduct.ofRows(
            values.baseAddress! + clip * columns, centres.baseAddress!, rows: $0.count, columns: columns,
            into: $0.baseAddress!)
        }
      }
    }
    var best = 0
    for list in products.indices where products[list] > products[best] { best = list }
    return UInt32(best)
  }

  /// A centre that nothing came to stays where it is.
  private mutating func moveCentres() {
    for list in 0..<centres.rows where sums[list].contains(where: { $0 != 0 }) {
      centres.set(list, to: Self.unit(sums[list]))
    }
    sums = Matrix(rows: centres.rows, columns: columns)
  }

  private func file(of vectors: Matrix) -> InvertedFile {
    var starts = [Int](repeating: 0, count: centres.rows + 1)
    for list in lists { starts[Int(list) + 1] += 1 }
    for list in 0..<centres.rows { starts[list + 1] += starts[list] }
    var places = starts
    var ordered = [UInt32](repeating: 0, count: clips.count)
    var rows = QuantisedVectors(rows: clips.count, columns: columns)
    var longest = [Float](repeating: 0, count: centres.rows)
    vectors.values.withUnsafeBufferPointer { values in
      for (clip, list) in zip(clips, lists) {
        let vector = values.baseAddress! + Int(clip) * columns
        let place = places[Int(list)]
        ordered[place] = clip
        rows.set(place, to: vector)
        longest[Int(list)] = max(longest[Int(list)], DotProduct.of(vector, vector, columns).squareRoot())
        places[Int(list)] += 1
      }
    }
    return InvertedFile(
      settings: settings, columns: columns, centres: centres, starts: starts, longest: longest, rows: rows,
      clips: ordered)
  }

  private static func unit(_ vector: some Sequence<Float>) -> [Float] {
    let values = Array(vector)
    let length = DotProduct.of(values, values).squareRoot()
    return length > 0 && length.isFinite ? values.map { $0 / length } : values
  }
}
