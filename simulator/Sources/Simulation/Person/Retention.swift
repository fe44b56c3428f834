public import CoreTypes
internal import Foundation

/// How long people stay with a clip: a mixture of looks, of those who leave on the way, and of those who
/// see it whole and the start of its next turns.
///
/// The weights are those of KuaiRand-Pure (Gao et al., CIKM 2022, feed tab, clips of 5 to 60 s, 74,000
/// plays): 5 % below 1 s, 25 % below 2 s, 36 % below 3 s, half below 6 s; 26 % see the end, 5 % stay for
/// more than one and a half turns.
public struct Retention: Sendable {
  /// Likelihood of the three kinds: look, leave on the way, see whole.
  let weights: [Double]
  /// s.
  let duration: Double

  static let look = (median: 1.7, spread: 0.42)
  /// Those who leave on the way have seen this much, s, and at most this share.
  static let partial = (shortest: 2.5, most: 0.95)
  /// Those who see it whole: most leave within the next turn, some stay for more.
  static let stays = 0.17

  /// `appeal` 1 is a clip like most; twice as appealing, the odds to be seen whole double.
  init(duration: Milliseconds, appeal: Double, haste: Double = 1) {
    self.duration = Double(duration.rawValue) / 1_000
    weights = [0.37 * haste / appeal.squareRoot(), 0.36, 0.27 * appeal / haste]
  }

  func draw(_ chance: inout SeededGenerator) -> Milliseconds {
    let shortest = min(Self.partial.shortest, duration / 2)
    let seconds =
      switch chance.pick(weights) {
      case 0: min(chance.logNormal(median: Self.look.median, spread: Self.look.spread), duration)
      case 1: shortest * pow(duration * Self.partial.most / shortest, chance.uniform())
      default:
        duration * (chance.happens(Self.stays) ? chance.uniform(1.5...3) : chance.uniform(1...1.35))
      }
    return Milliseconds(max(250, Int64(seconds * 1_000)))
  }

  /// Share of people who are still there at a time, as a server would count it from many plays.
  public func survival(at time: Milliseconds) -> Double {
    let seconds = Double(time.rawValue) / 1_000
    guard seconds > 0 else { return 1 }
    let total = weights.reduce(0, +)
    let shortest = min(Self.partial.shortest, duration / 2)
    let look = 0.5 * erfc(log(seconds / Self.look.median) / Self.look.spread / 2.squareRoot())
    let reach = log(duration * Self.partial.most / shortest)
    let partial = 1 - min(max(log(max(seconds, 1e-3) / shortest) / reach, 0), 1)
    let whole = seconds <= duration ? 1.0 : 0.5
    return (weights[0] * (seconds < duration ? look : 0) + weights[1] * partial + weights[2] * whole)
      / total
  }
}
