internal import Foundation

/// One block of self-attention, read at its last place, and what it learns by. Of tokens x of `size` numbers,
/// the latest last:
///
/// ```
/// shares = softmax over t of (Wq x_last · Wk x_t / √size + bias of the distance from the last)
/// mixed  = x_last + Wv Σ shares_t x_t
/// answer = mixed + W2 max(W1 mixed + b, 0)
/// ```
///
/// Since only the last place is read and values are linear, `Wk` and `Wv` are applied to one vector, not to
/// every token: an answer is six products with matrices and three passes over the tokens.
struct SequenceAttention: Sendable, Equatable {
  /// Tokens that count.
  static let length = 50

  let size: Int
  let math: VectorMath
  /// Wq, Wk, Wv, W1, W2, row by row; then b, biases of distances, and what a token has of its outcome (of a
  /// watch that was not positive, of one that was).
  var weights: [Float]

  static func count(size: Int) -> Int { 5 * size * size + size + length + 2 * size }

  init(size: Int, by generator: inout SeededGenerator) {
    self.size = size
    math = VectorMath(size: size)
    let square = size * size
    let deviation = 0.5 / Float(size).squareRoot()
    weights = (0..<5 * square).map { _ in Float(generator.normal()) * deviation }
    weights += [Float](repeating: 0, count: Self.count(size: size) - 5 * square)
    // Values begin as the tokens, and the layer as little: the first answer is near a mean of vectors.
    for place in 0..<square {
      weights[2 * square + place] = place / size == place % size ? 1 : 0
      weights[4 * square + place] *= 0.1
    }
  }

  private var layerBias: Int { 5 * size * size }
  var distances: Int { layerBias + size }

  /// Where the vector of an outcome begins.
  func outcome(isPositive: Bool) -> Int { distances + Self.length + (isPositive ? size : 0) }

  /// What became of tokens.
  struct Trace {
    /// At most `length` of them, one behind the other.
    var tokens: [Float]
    var query: [Float] = []
    /// What the tokens are compared with.
    var key: [Float] = []
    var shares: [Float] = []
    /// The tokens' mean by their shares.
    var mean: [Float] = []
    var mixed: [Float] = []
    var hidden: [Float] = []
    var answer: [Float] = []
  }

  private var scale: Float { 1 / Float(size).squareRoot() }
  private var none: [Float] { [Float](repeating: 0, count: size) }

  /// - Parameter tokens: one or more.
  func trace(_ tokens: [Float]) -> Trace {
    let count = tokens.count / size
    let last = (count - 1) * size
    var trace = Trace(tokens: tokens)
    trace.query = none
    math.multiply(weights, 0, tokens, last, into: &trace.query)
    trace.key = none
    math.multiplyBack(weights, 1, trace.query, into: &trace.key)
    trace.shares = math.products(of: trace.key, with: tokens)
    for token in 0..<count {
      trace.shares[token] = trace.shares[token] * scale + weights[distances + count - 1 - token]
    }
    Self.normalise(&trace.shares)
    trace.mean = none
    for token in 0..<count { math.add(tokens, token * size, times: trace.shares[token], to: &trace.mean, 0) }
    trace.mixed = none
    math.multiply(weights, 2, trace.mean, 0, into: &trace.mixed)
    math.add(tokens, last, times: 1, to: &trace.mixed, 0)
    trace.hidden = none
    math.multiply(weights, 3, trace.mixed, 0, into: &trace.hidden)
    for column in 0..<size {
      trace.hidden[column] = max(trace.hidden[column] + weights[layerBias + column], 0)
    }
    trace.answer = none
    math.multiply(weights, 4, trace.hidden, 0, into: &trace.answer)
    math.add(trace.mixed, 0, times: 1, to: &trace.answer, 0)
    return trace
  }

  /// Softmax.
  static func normalise(_ values: inout [Float]) {
    let highest = values.max() ?? 0
    for place in values.indices { values[place] = exp(values[place] - highest) }
    let sum = values.reduce(0, +)
    for place in values.indices { values[place] /= sum }
  }

  /// From the gradient of the answer to those of the weights, but for outcomes, and of the tokens.
  ///
  /// - Returns: of the weights, as they lie; of the tokens, one behind the other.
  func gradients(_ trace: Trace, of answer: [Float]) -> (weights: [Float], tokens: [Float]) {
    var gradient = [Float](repeating: 0, count: weights.count)
    var ofHidden = none
    math.multiplyBack(weights, 4, answer, into: &ofHidden)
    math.addOuter(answer, trace.hidden, 0, to: &gradient, 4)
    for column in 0..<size where trace.hidden[column] <= 0 { ofHidden[column] = 0 }
    math.add(ofHidden, 0, times: 1, to: &gradient, layerBias)
    math.addOuter(ofHidden, trace.mixed, 0, to: &gradient, 3)
    var ofMixed = answer
    math.multiplyBack(weights, 3, ofHidden, into: &ofMixed)
    math.addOuter(ofMixed, trace.mean, 0, to: &gradient, 2)
    var ofMean = none
    math.multiplyBack(weights, 2, ofMixed, into: &ofMean)

    let count = trace.shares.count
    let last = (count - 1) * size
    var ofTokens = [Float](repeating: 0, count: trace.tokens.count)
    math.add(ofMixed, 0, times: 1, to: &ofTokens, last)
    let ofShares = math.products(of: ofMean, with: trace.tokens)
    let middle = zip(ofShares, trace.shares).reduce(0) { $0 + $1.0 * $1.1 }
    var ofKey = none
    for token in 0..<count {
      let error = trace.shares[token] * (ofShares[token] - middle)
      gradient[distances + count - 1 - token] = error
      math.add(trace.tokens, token * size, times: error * scale, to: &ofKey, 0)
      math.add(trace.key, 0, times: error * scale, to: &ofTokens, token * size)
      math.add(ofMean, 0, times: trace.shares[token], to: &ofTokens, token * size)
    }
    math.addOuter(trace.query, ofKey, 0, to: &gradient, 1)
    var ofQuery = none
    math.multiply(weights, 1, ofKey, 0, into: &ofQuery)
    math.addOuter(ofQuery, trace.tokens, last, to: &gradient, 0)
    var ofLast = none
    math.multiplyBack(weights, 0, ofQuery, into: &ofLast)
    math.add(ofLast, 0, times: 1, to: &ofTokens, last)
    return (gradient, ofTokens)
  }
}
