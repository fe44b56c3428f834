internal import Foundation

/// How often something was shown, and what came of it.
struct Rates: Sendable, Equatable {
  var impressions: Float = 0
  var positives: Float = 0
  var actions: Float = 0
  var skips: Float = 0

  /// Sums of floats stop growing at 2^24; before that all is halved, and rates stay.
  private static let most: Float = 1_048_576

  mutating func add(_ outcome: Labels, weight: Float) {
    impressions += weight
    positives += outcome.isPositive ? weight : 0
    actions += outcome.isAction ? weight : 0
    skips += outcome.isSkip ? weight : 0
    if impressions > Self.most { scale(by: 0.5) }
  }

  /// What an action brought that was counted without its impression.
  mutating func takeBack(_ outcome: Labels, weight: Float) {
    actions = max(actions - (outcome.isAction ? weight : 0), 0)
    skips = max(skips - (outcome.isSkip ? weight : 0), 0)
  }

  mutating func scale(by factor: Float) {
    impressions *= factor
    positives *= factor
    actions *= factor
    skips *= factor
  }

  /// The share of positives, where `prior` counts as so many impressions.
  func positiveRate(prior: Double, strength: Double) -> Double {
    Self.smoothed(positives, of: impressions, prior, strength)
  }

  func actionRate(prior: Double, strength: Double) -> Double {
    Self.smoothed(actions, of: impressions, prior, strength)
  }

  func skipRate(prior: Double, strength: Double) -> Double {
    Self.smoothed(skips, of: impressions, prior, strength)
  }

  private static func smoothed(_ part: Float, of all: Float, _ prior: Double, _ strength: Double) -> Double {
    (Double(part) + strength * prior) / max(Double(all) + strength, 1e-9)
  }

  var numbers: [Float] { [impressions, positives, actions, skips] }
}

/// Impressions and positives by a key, of the keys that were met most: a small array that is searched.
struct RateMap: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    var key: UInt64
    var impressions: Float
    var positives: Float
  }

  static let limit = 64
  var entries: [Entry] = []

  mutating func add(_ key: UInt64, isPositive: Bool, weight: Float) {
    let positive = isPositive ? weight : 0
    if let place = entries.firstIndex(where: { $0.key == key }) {
      entries[place].impressions += weight
      entries[place].positives += positive
    } else if entries.count < Self.limit {
      entries.append(Entry(key: key, impressions: weight, positives: positive))
    } else if let rarest = entries.indices.min(by: { entries[$0].impressions < entries[$1].impressions }) {
      // All fade a little, so that a new taste has a chance against an old one.
      for place in entries.indices {
        entries[place].impressions *= 0.98
        entries[place].positives *= 0.98
      }
      entries[rarest] = Entry(key: key, impressions: weight, positives: positive)
    }
  }

  @inline(__always)
  func entry(_ key: UInt64) -> Entry? { entries.first { $0.key == key } }

  /// The sum over several keys, as one.
  func sum(_ keys: some Collection<UInt64>) -> (impressions: Double, positives: Double) {
    var impressions: Float = 0
    var positives: Float = 0
    for key in keys {
      guard let entry = entry(key) else { continue }
      impressions += entry.impressions
      positives += entry.positives
    }
    return (Double(impressions), Double(positives))
  }
}
