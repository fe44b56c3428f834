internal import Foundation

/// How many first impressions an author's new clips had lately; they halve in a day. A hundred uploads are
/// not a hundred times the attention: above a limit their new clips wait, while those of others go on.
struct CreatorGrants: Sendable {
  static let halfLife: Int64 = 86_400_000
  /// Below it an author is forgotten.
  private static let least: Float = 0.5

  var decay: ForwardDecay
  var sums: [EntityID: Float] = [:]

  init(at now: Int64) { decay = ForwardDecay(halfLife: Self.halfLife, at: now) }

  mutating func observe(_ author: EntityID, weight: Float, at time: Int64) {
    if let factor = decay.advance(to: time) { sums = sums.mapValues { $0 * factor } }
    sums[author, default: 0] += weight.bounded(0...1) * decay.weight
  }

  /// First impressions of their clips, faded to now.
  func value(of author: EntityID) -> Float { (sums[author] ?? 0) / decay.weight }

  /// Forgets those of whom next to nothing is left.
  mutating func prune() {
    let least = Self.least * decay.weight
    sums = sums.filter { $0.value >= least }
  }
}
