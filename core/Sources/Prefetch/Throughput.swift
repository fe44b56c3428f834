import CoreTypes
import Lookahead

/// An estimate of the network from the transfers so far: how fast, how sure, and how long a request
/// waits for its first byte.
///
/// The mean is over a long time and weighted by bytes: on the public traces of cellular networks,
/// which are almost white noise round a mean, short windows chase noise (shared notes, section 6).
struct Throughput: Sendable {
  /// Before anything is known, in Mbit/s: a poor 3G link, so that the first clip starts on any network.
  static let prior = 1.6
  /// A hint of the browser counts at most this much: it is rounded and may be of another path.
  static let largestHint = 10.0
  /// Seconds of transfer that prior or hint weigh as much as.
  static let priorWeight = 0.3
  /// Seconds of transfer after which a sample has faded to 1/e.
  static let memory = 13.0
  /// Transfers smaller than this measure slow start, not the link.
  static let smallestSample = Bytes(16_384)
  /// Variation over half a second relative to the mean, before any was seen, and the seconds it weighs.
  static let priorVariation = 0.45
  static let variationWeight = 3.0

  private var megabits = prior * priorWeight
  private var seconds = priorWeight
  private var seen = 0.0
  private var squares = priorVariation * priorVariation * variationWeight
  private var weight = variationWeight
  /// Smoothed wait for the first byte, in seconds.
  private(set) var latency = 0.1
  #if !hasFeature(Embedded)
    /// Seconds of transfer after which a sample has faded from `recent`.
    private static let recentMemory = 2.0
    private var recentMegabits = prior * priorWeight
    private var recentSeconds = priorWeight
    /// Mbit/s of the last transfer.
    private var last: Double?

    /// What a learned policy sees of the link besides `mean`.
    var signs: LinkSigns {
      LinkSigns(
        recent: recentMegabits / recentSeconds, last: last ?? mean,
        variation: (squares / weight).squareRoot(), error: error)
    }
  #endif

  mutating func reset(hint: BitsPerSecond) {
    self = Throughput()
    guard hint > .zero else { return }
    megabits = min(Double(hint.rawValue) / 1e6, Self.largestHint) * Self.priorWeight
  }

  /// Mbit/s.
  var mean: Double { max(0.001, megabits / seconds) }

  /// Standard deviation of the logarithm of the real mean, around `mean`.
  var spread: Double { min(0.24, error) }

  private var error: Double { (squares / weight * 0.5 / (0.5 + min(seen, Self.memory))).squareRoot() }

  /// Bytes that came in so much time in which the link was busy with them, after the first byte.
  mutating func measure(_ bytes: Bytes, busy: Milliseconds, firstByte: Milliseconds) {
    let wait = Double(min(max(firstByte.rawValue, 0), 10_000)) / 1_000
    latency = (latency * 3 + wait) / 4
    guard bytes >= Self.smallestSample, bytes.rawValue < 1 << 32 else { return }
    let time = Double(min(max(busy.rawValue, 1), 60_000)) / 1_000
    let sample = Double(bytes.rawValue) * 8e-6
    if seen > 0 {
      // Over a longer time the variation averages out: brought back to that of half a second.
      let error = min(3, sample / time / mean - 1)
      fade(&squares, &weight, 30, time)
      squares += error * error * (time / 0.5) * time
      weight += time
    }
    fade(&megabits, &seconds, Self.memory, time)
    megabits += sample
    seconds += time
    seen += time
    #if !hasFeature(Embedded)
      fade(&recentMegabits, &recentSeconds, Self.recentMemory, time)
      recentMegabits += sample
      recentSeconds += time
      last = sample / time
    #endif
  }

  private func fade(
    _ sum: inout Double, _ weight: inout Double, _ memory: Double, _ time: Double
  ) {
    let kept = max(0, 1 - time / memory)
    sum *= kept
    weight *= kept
  }
}
