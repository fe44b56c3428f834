internal import Foundation

/// What somebody likes next, told from the order of their last watches: attention over them gives a vector,
/// and its product with a clip's, with a bias of the clip, is the logarithm of how likely it is next.
///
/// Kang, McAuley: "Self-attentive sequential recommendation", ICDM 2018, with these differences: one block; a
/// place is a learned bias of attention by distance; nothing is normalised; a token says if the watch was
/// positive; vectors of clips are the same going in and coming out. The loss is a softmax over the clip and a
/// sample of those that were positive lately, with the logarithm of how often each is drawn taken off (Yi et
/// al.: "Sampling-bias-corrected neural modeling for large corpus item recommendations", RecSys 2019). One
/// step by AdaGrad (Duchi 2011) for each positive, when it comes.
///
/// It knows no viewers: whose watches they are is the caller's, and nothing of it is kept here.
public struct SequenceModel: Sendable, Equatable {
  public struct Settings: Sendable, Equatable {
    /// Numbers in a vector, 4 to 256.
    public var dimensions = 32
    /// Clips that one is told from at a step.
    public var samples = 64
    /// Steps of what all clips share, and of clips.
    public var rate: Float = 0.01
    public var clipRate: Float = 0.2
    /// The last positives, of which samples are drawn.
    public var recent = 65_536

    public init() {}
  }

  /// Watches that count.
  static let length = SequenceAttention.length
  /// In a watch: it was positive. The rest is the clip's number.
  static let positive: UInt32 = 1 << 31
  /// Where a clip's bias begins: about the logarithm of one among ten thousand.
  static let unknownBias: Float = -9

  let settings: Settings
  var attention: SequenceAttention
  /// By weight of it: sums of squared gradients.
  var squares: [Float]
  // By clip: its vector, how much more it is liked than others, and the sums of both.
  var clips: [Float] = []
  var biases: [Float] = []
  var clipSquares: [Float] = []
  var biasSquares: [Float] = []
  /// The last positives, a ring of which the oldest stands at `next`, and how often each clip is in it.
  private var recent: [UInt32] = []
  private var next = 0
  private var counts: [Float] = []
  var generator: SeededGenerator

  init(settings: Settings, seed: UInt64) {
    var settings = settings
    settings.dimensions = min(max(settings.dimensions, 4), 256)
    settings.samples = min(max(settings.samples, 1), 4_096)
    settings.recent = min(max(settings.recent, 1_024), 1 << 24)
    self.settings = settings
    generator = SeededGenerator(seed: seed ^ 0x5E9)
    attention = SequenceAttention(size: settings.dimensions, by: &generator)
    squares = [Float](repeating: Self.firstSquare, count: attention.weights.count)
  }

  private static let firstSquare: Float = 1e-4
  private static let firstBiasSquare: Float = 1e-2
  /// Sums end there, and steps go on, small.
  private static let mostSquare: Float = 1e12

  private var size: Int { attention.size }
  private var math: VectorMath { attention.math }

  // MARK: Clips

  var clipCount: Int { biases.count }

  /// A clip of which nothing is known: one more, or in place of one that is gone.
  mutating func begin(_ clip: Int) {
    while biases.count <= clip {
      clips.append(contentsOf: repeatElement(0, count: size))
      biases.append(0)
      clipSquares.append(0)
      biasSquares.append(0)
      counts.append(0)
    }
    // Evenly, of a length of about .3: what nothing was learned of says little.
    let most = 0.3 * (3 / Double(size)).squareRoot()
    for column in 0..<size { clips[clip * size + column] = Float((2 * generator.uniform() - 1) * most) }
    biases[clip] = Self.unknownBias
    clipSquares[clip] = Self.firstSquare
    biasSquares[clip] = Self.firstBiasSquare
  }

  /// From here on nothing is told from clips that are gone.
  mutating func remove(where isGone: (UInt32) -> Bool) { refill(inOrder.filter { !isGone($0) }) }

  /// The last positives, the oldest first.
  var inOrder: [UInt32] { Array(recent[next...] + recent[..<next]) }

  /// - Parameter positives: clips that have begun, the oldest first.
  mutating func refill(_ positives: [UInt32]) {
    recent = Array(positives.suffix(settings.recent))
    next = 0
    counts = [Float](repeating: 0, count: biases.count)
    for clip in recent { counts[Int(clip)] += 1 }
  }

  private mutating func count(_ clip: UInt32) {
    counts[Int(clip)] += 1
    guard recent.count == settings.recent else {
      // Before it is full the ring begins at its start.
      recent.append(clip)
      return
    }
    counts[Int(recent[next])] -= 1
    recent[next] = clip
    next = (next + 1) % recent.count
  }

  // MARK: Answers

  /// The vector that a clip's is compared with, after these watches, the latest last; empty without any.
  func answer(after watches: [UInt32]) -> [Float] {
    guard !watches.isEmpty else { return [] }
    let answer = attention.trace(tokens(watches.suffix(Self.length))).answer
    return answer.allSatisfy(\.isFinite) ? answer : []
  }

  func tokens(_ watches: ArraySlice<UInt32>) -> [Float] {
    var tokens = [Float](repeating: 0, count: watches.count * size)
    for (place, watch) in watches.enumerated() {
      math.add(clips, Int(watch & ~Self.positive) * size, times: 1, to: &tokens, place * size)
      math.add(attention.weights, outcome(watch), times: 1, to: &tokens, place * size)
    }
    return tokens
  }

  private func outcome(_ watch: UInt32) -> Int { attention.outcome(isPositive: watch & Self.positive != 0) }

  /// How likely a clip is next: a logarithm, but for a constant of the answer.
  func score(of clip: UInt32, _ answer: [Float]) -> Float {
    guard answer.count == size, Int(clip) < biases.count else { return Self.unknownBias }
    return math.dot(answer, 0, clips, Int(clip) * size) + biases[Int(clip)]
  }

  /// By clip.
  func scores(_ answer: [Float]) -> [Float] {
    guard answer.count == size else { return biases }
    var scores = math.products(of: answer, with: clips)
    for clip in scores.indices { scores[clip] += biases[clip] }
    return scores
  }

  /// Those of a clip are read soon.
  @inline(__always)
  func prefetch(_ clip: UInt32) {
    guard Int(clip) < biases.count else { return }
    clips.withUnsafeBufferPointer { DotProduct.prefetch($0.baseAddress! + Int(clip) * size, size) }
    biases.withUnsafeBufferPointer { DotProduct.prefetch($0.baseAddress! + Int(clip), 1) }
  }

  // MARK: Learning

  /// After these watches, the latest last, came a clip that was positive.
  mutating func learn(_ clip: UInt32, after watches: some Collection<UInt32>) {
    guard Int(clip) < biases.count else { return }
    count(clip)
    guard !watches.isEmpty else { return }
    let watches = Array(watches.suffix(Self.length))
    let trace = attention.trace(tokens(watches[...]))
    guard trace.answer.allSatisfy(\.isFinite) else { return }
    let among = [clip] + sample(without: clip)
    let errors = errors(among, trace.answer)
    var ofAnswer = [Float](repeating: 0, count: size)
    for (other, error) in zip(among, errors) {
      math.add(clips, Int(other) * size, times: error, to: &ofAnswer, 0)
    }
    var (ofWeights, ofTokens) = attention.gradients(trace, of: ofAnswer)
    for (other, error) in zip(among, errors) where abs(error) > 1e-5 {
      step(Int(other), trace.answer, 0, times: error)
      stepBias(Int(other), error)
    }
    for (place, watch) in watches.enumerated() {
      math.add(ofTokens, place * size, times: 1, to: &ofWeights, outcome(watch))
      step(Int(watch & ~Self.positive), ofTokens, place * size, times: 1)
    }
    step(ofWeights)
  }

  /// Of the last positives, as often as they are among them; places count from the oldest, so that a ring
  /// that was read in anew gives the same.
  private mutating func sample(without clip: UInt32) -> [UInt32] {
    var others: [UInt32] = []
    for _ in 0..<settings.samples {
      let place = next + generator.below(recent.count)
      let other = recent[place < recent.count ? place : place - recent.count]
      if other != clip { others.append(other) }
    }
    return others
  }

  /// How much more likely each is said to be than it is, where the first is the one that came.
  func errors(_ among: [UInt32], _ answer: [Float]) -> [Float] {
    let total = Float(max(recent.count, 1))
    var errors = among.map { score(of: $0, answer) - log(max(counts[Int($0)], 1) / total) }
    SequenceAttention.normalise(&errors)
    errors[0] -= 1
    return errors
  }

  private mutating func step(_ gradient: [Float]) {
    let rate = settings.rate
    gradient.withUnsafeBufferPointer { gradient in
      squares.withUnsafeMutableBufferPointer { squares in
        attention.weights.withUnsafeMutableBufferPointer { weights in
          for place in gradient.indices {
            squares[place] = min(squares[place] + gradient[place] * gradient[place], Self.mostSquare)
            weights[place] -= rate * gradient[place] / squares[place].squareRoot()
          }
        }
      }
    }
  }

  /// One length of step for a whole vector.
  private mutating func step(_ clip: Int, _ row: [Float], _ from: Int, times factor: Float) {
    let norm = math.dot(row, from, row, from) * factor * factor / Float(size)
    guard norm > 0, norm.isFinite else { return }
    clipSquares[clip] = min(clipSquares[clip] + norm, Self.mostSquare)
    let rate = -settings.clipRate * factor / clipSquares[clip].squareRoot()
    math.add(row, from, times: rate, to: &clips, clip * size)
  }

  private mutating func stepBias(_ clip: Int, _ error: Float) {
    biasSquares[clip] = min(biasSquares[clip] + error * error, Self.mostSquare)
    biases[clip] -= settings.clipRate * error / biasSquares[clip].squareRoot()
  }
}
