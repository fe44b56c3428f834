internal import Foundation

extension Ranker {
  /// The vector of a viewer, folded in from their likes where something is new; empty if there are none.
  func vector(of viewer: inout ViewerRecord) -> [Float] {
    if let vector = viewer.vector { return vector }
    guard !viewer.positives.isEmpty else { return [] }
    let vector = factors.foldIn(viewer.positives, weights: viewer.weights(fading: settings.vectorFading))
    viewer.vector = vector
    return vector
  }

  /// What one clip has in common with a viewer's history.
  func similarity(of number: UInt32, to viewer: ViewerRecord) -> Float {
    var sum: Float = 0
    let weights = viewer.weights(fading: settings.coWatchFading)
    for (clip, weight) in zip(viewer.positives, weights) { sum += weight * coWatch.similarity(clip, number) }
    return sum
  }

  /// What the last watches lead to, as `SequenceModel` has it; empty if nothing is known of it.
  func answer(after viewer: ViewerRecord) -> [Float] { sequence?.answer(after: viewer.watches) ?? [] }

  /// A score for every clip, by its number: the blend by which candidates are chosen, over the whole
  /// catalogue. For evaluations and for small instances; `candidates` looks only where something may be
  /// found.
  ///
  /// - Parameters:
  ///   - factors: other vectors than the present ones, such as those of an older state.
  ///   - fading: how much less a like weighs than the one after it, in the viewer's vector.
  public func blendedScores(
    of id: EntityID, blend: Blend, factors other: ClipFactors? = nil, fading: Float? = nil
  ) -> [Float] {
    var sum = [Float](repeating: 0, count: clips.count)
    guard let viewer = viewers[id], !viewer.positives.isEmpty else {
      for number in sum.indices { sum[number] = popularity.logarithm(of: UInt32(number)) }
      return sum
    }
    if blend.factors != 0 {
      let model = other ?? factors
      let vector = model.foldIn(
        viewer.positives, weights: viewer.weights(fading: fading ?? settings.vectorFading))
      Self.add(model.scores(of: vector), times: blend.factors, to: &sum)
    }
    if blend.coWatch != 0 {
      scores.begin(count: clips.count)
      coWatch.score(viewer.positives, weights: viewer.weights(fading: settings.coWatchFading), into: &scores)
      Self.add(Array(scores.values.prefix(clips.count)), times: blend.coWatch, to: &sum)
    }
    if blend.popularity != 0 {
      let logarithms = clips.indices.map { popularity.logarithm(of: UInt32($0)) }
      Self.add(logarithms, times: blend.popularity, to: &sum)
    }
    if blend.sequence != 0 {
      let answer = answer(after: viewer)
      if let sequence, !answer.isEmpty {
        Self.add(logarithms: sequence.scores(answer), times: blend.sequence, to: &sum)
      }
    }
    return sum
  }

  /// Adds terms brought to mean 0 and variance 1.
  static func add(_ terms: [Float], times weight: Float, to sum: inout [Float]) {
    let (mean, deviation) = moments(terms)
    for place in terms.indices where place < sum.count {
      sum[place] += weight * (terms[place] - mean) / (deviation + 1e-9)
    }
  }

  /// Adds terms as they are.
  static func add(logarithms terms: [Float], times weight: Float, to sum: inout [Float]) {
    for place in terms.indices where place < sum.count {
      sum[place] += weight * terms[place].bounded(-100...100)
    }
  }

  static func moments(_ values: [Float]) -> (mean: Float, deviation: Float) {
    guard !values.isEmpty else { return (0, 0) }
    var sum = 0.0
    var squares = 0.0
    for value in values {
      sum += Double(value)
      squares += Double(value) * Double(value)
    }
    let mean = sum / Double(values.count)
    return (Float(mean), Float(max(squares / Double(values.count) - mean * mean, 0).squareRoot()))
  }

  /// The number of a clip in what `blendedScores` gives.
  public func number(of clip: EntityID) -> Int? { numbers[clip].map(Int.init) }

  /// The present vectors, to be kept beside later ones.
  public var clipFactors: ClipFactors { factors }
}
