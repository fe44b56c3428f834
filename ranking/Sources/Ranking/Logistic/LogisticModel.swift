internal import Foundation

/// What may come of an impression, each with a probability of its own.
public enum Head: Int, CaseIterable, Sendable {
  /// A long view, or an action: worth the viewer's time.
  case positive
  /// A like, share, follow or comment.
  case action
  /// Gone within two seconds, or "not interested".
  case skip
  /// The place of the watch time among clips about as long (D2Q): no event, but a share between 0 and 1.
  case watch
}

/// Logistic regressions that learn from one impression after the other, by AdaGrad.
///
/// McMahan et al.: "Ad click prediction: a view from the trenches", KDD 2013 (progressive validation,
/// hashed features); Duchi, Hazan, Singer: "Adaptive subgradient methods for online learning", JMLR 2011;
/// Weinberger et al.: "Feature hashing for large scale multitask learning", ICML 2009. Crosses share a
/// table of 2^bits weights; two that meet there disturb each other a little.
public struct LogisticModel: Sendable, Equatable {
  public struct Settings: Sendable, Equatable {
    /// Places of crosses, as a power of two.
    public var bits = 18
    /// Step of a dense weight and of a cross.
    public var denseRate: Float = 0.05
    public var crossRate: Float = 0.03
    /// Pulls a cross towards 0 whenever it is met.
    public var crossDecay: Float = 1e-3

    public init() {}
  }

  public static let heads = Head.allCases.count

  public let settings: Settings
  public let denseCount: Int
  /// By feature, then by head; beside them sums of squared gradients.
  var dense: [Float]
  var denseSquares: [Float]
  /// By place, then by head.
  var crosses: [Float]
  var crossSquares: [Float]

  /// - Parameter start: weights to begin with, by head and feature; all others are 0.
  public init(denseCount: Int, settings: Settings = Settings(), start: [(Head, Int, Float)] = []) {
    var settings = settings
    settings.bits = min(max(settings.bits, 4), 26)
    self.settings = settings
    self.denseCount = max(denseCount, 0)
    dense = [Float](repeating: 0, count: self.denseCount * Self.heads)
    denseSquares = [Float](repeating: 1e-2, count: dense.count)
    crosses = [Float](repeating: 0, count: Self.heads << settings.bits)
    crossSquares = [Float](repeating: 1, count: crosses.count)
    for (head, feature, weight) in start where feature < denseCount {
      dense[feature * Self.heads + head.rawValue] = weight
    }
  }

  private var mask: UInt32 { (1 << UInt32(settings.bits)) - 1 }

  /// The probability of every head, between 1e-13 and 1 − 1e-13.
  public func predict(_ features: Features) -> SIMD4<Float> {
    var logits = SIMD4<Float>()
    let known = min(features.dense.count, denseCount)
    dense.withUnsafeBufferPointer { weights in
      features.dense.withUnsafeBufferPointer { values in
        for feature in 0..<known { logits += Self.four(weights, feature * Self.heads) * values[feature] }
      }
    }
    crosses.withUnsafeBufferPointer { weights in
      for cross in features.crosses {
        logits += Self.four(weights, Int(cross & mask) * Self.heads)
      }
    }
    var probabilities = SIMD4<Float>()
    for head in 0..<Self.heads { probabilities[head] = 1 / (1 + exp(-logits[head].bounded(-30...30))) }
    return probabilities
  }

  /// Asks for the weights of crosses, which lie anywhere in memory.
  func prefetch(_ features: Features) {
    crosses.withUnsafeBufferPointer { weights in
      for cross in features.crosses {
        DotProduct.prefetch(weights.baseAddress! + Int(cross & mask) * Self.heads, Self.heads)
      }
    }
  }

  /// The weights of all heads.
  @inline(__always)
  private static func four(_ weights: UnsafeBufferPointer<Float>, _ place: Int) -> SIMD4<Float> {
    SIMD4(weights[place], weights[place + 1], weights[place + 2], weights[place + 3])
  }

  /// One step towards what came of it.
  ///
  /// - Parameters:
  ///   - labels: by head, 0 to 1; a head without one learns nothing.
  ///   - weight: 0 to 1: how far the viewer is trusted.
  /// - Returns: what was predicted before.
  @discardableResult
  public mutating func learn(_ features: Features, labels: [Head: Float], weight: Float = 1) -> SIMD4<Float> {
    let predicted = predict(features)
    let trust = weight.bounded(0...1)
    guard trust > 0 else { return predicted }
    for (head, label) in labels {
      let error = (predicted[head.rawValue] - label.bounded(0...1)) * trust
      step(head.rawValue, error, features)
    }
    return predicted
  }

  private mutating func step(_ head: Int, _ error: Float, _ features: Features) {
    for feature in 0..<min(features.dense.count, denseCount) {
      let place = feature * Self.heads + head
      let gradient = error * features.dense[feature]
      denseSquares[place] = min(denseSquares[place] + gradient * gradient, 1e12)
      dense[place] -= settings.denseRate * gradient / denseSquares[place].squareRoot()
    }
    for cross in features.crosses {
      let place = Int(cross & mask) * Self.heads + head
      crossSquares[place] = min(crossSquares[place] + error * error, 1e12)
      let gradient = error + settings.crossDecay * crosses[place]
      crosses[place] -= settings.crossRate * gradient / crossSquares[place].squareRoot()
    }
  }

  /// Unlearns crosses: of somebody who wants to be forgotten.
  mutating func forget(_ hashes: some Sequence<UInt64>) {
    for hash in hashes {
      let place = Int(UInt32(truncatingIfNeeded: hash) & mask) * Self.heads
      for head in 0..<Self.heads {
        crosses[place + head] = 0
        crossSquares[place + head] = 1
      }
    }
  }
}
