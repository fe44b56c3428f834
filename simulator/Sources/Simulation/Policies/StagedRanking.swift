internal import CoreTypes
internal import Foundation

/// Media3's `DefaultPreloadManager`: a target for each clip by its distance from the one that plays, and
/// the clips in the order of their distance, one at a time; the player loads its own clip beside it.
///
/// Targets as in the manager's documentation for a feed: 3 s of the next, 1 s of the one before, tracks
/// selected (for us: the initialisation section) two away. The player has the load control of Media3's
/// short-form demo (5 to 20 s) and the defaults of `AdaptiveTrackSelection`: 0.7 of the estimate, up only
/// with 10 s of buffer, down only with less than 25 s; the estimate is the weighted median of transfers.
struct StagedRanking: Policy {
  static let minBuffer = Milliseconds(5_000)
  static let maxBuffer = Milliseconds(20_000)
  static let fraction = 0.7
  static let upBuffer = Milliseconds(10_000)
  static let downBuffer = Milliseconds(25_000)

  private enum Target {
    case loaded(Milliseconds)
    case tracksSelected
  }

  private static let targets: [(distance: Int, target: Target)] = [
    (1, .loaded(Milliseconds(3_000))), (-1, .loaded(Milliseconds(1_000))), (2, .tracksSelected),
    (-2, .tracksSelected),
  ]

  private var meter = WeightedMedian()
  private var page = 0
  private var isLoading = true
  /// Of each clip that is loaded or preloaded.
  private var selected: [Int: Int] = [:]

  mutating func decide(_ view: PolicyView) -> [PolicyCommand] {
    for end in view.finished where !end.segments.isEmpty {
      meter.add(Double(end.bytes * 8_000) / Double(max(1, end.elapsed.rawValue)), bytes: end.bytes)
    }
    if view.page != page {
      page = view.page
      isLoading = true
    }
    var commands = view.cancel { abs($0.item - page) <= 2 }
    if !view.flights.contains(where: { $0.item == page }), let command = loadCurrent(view) {
      commands.append(command)
    }
    if !view.flights.contains(where: { $0.item != page && abs($0.item - page) <= 2 }),
      let command = preload(view)
    {
      commands.append(command)
    }
    return commands
  }

  private mutating func loadCurrent(_ view: PolicyView) -> PolicyCommand? {
    guard view.exists(page) else { return nil }
    let clip = view.store.clip(page)
    var lead = view.store.lead(page, from: view.position)
    // At the end of the list of periods, the repeated clip's start counts on.
    let isAtEnd = view.position + lead >= clip.duration
    if isAtEnd { lead += view.store.lead(page) }
    if lead >= Self.maxBuffer { isLoading = false }
    if lead < Self.minBuffer { isLoading = true }
    guard isLoading else { return nil }
    let from = isAtEnd ? .zero : view.position
    guard let segment = view.missing(page, from: from, ahead: Self.maxBuffer) else { return nil }
    return view.fetch(page, select(page, lead: lead, view), segment: segment)
  }

  private mutating func preload(_ view: PolicyView) -> PolicyCommand? {
    for (distance, target) in Self.targets where view.exists(page + distance) {
      let item = page + distance
      let rendition = selected[item] ?? select(item, lead: .zero, view)
      switch target {
      case .loaded(let time):
        guard let segment = view.missing(item, from: .zero, ahead: time) else { continue }
        return view.fetch(item, rendition, segment: segment)
      case .tracksSelected:
        guard view.needsInitialization(item, rendition), view.missing(item, from: .zero, ahead: .zero) == nil
        else { continue }
        return .fetch(item: item, rendition: rendition, segments: 0..<0, withInitialization: true)
      }
    }
    return nil
  }

  private mutating func select(_ item: Int, lead: Milliseconds, _ view: PolicyView) -> Int {
    let renditions = view.store.clip(item).renditions[...view.largest(item)]
    let limit = (meter.median ?? Self.initialEstimate(on: view.family)) * Self.fraction
    var ideal = renditions.lastIndex { Double($0.peak.rawValue) <= limit } ?? 0
    if let last = selected[item] {
      if ideal > last, lead < Self.upBuffer { ideal = last }
      if ideal < last, lead >= Self.downBuffer { ideal = last }
    }
    selected[item] = ideal
    return ideal
  }

  /// bit/s, of the order of `DefaultBandwidthMeter`'s tables for a country in the middle.
  private static func initialEstimate(on family: TraceFamily?) -> Double {
    switch family {
    case .threeG: 1_100_000
    case .fourG, .train, .lift: 1_600_000
    case .wifi: 3_700_000
    case nil: 1_000_000
    }
  }
}

/// `SlidingPercentile` at a half: transfers weigh the root of their bytes, up to 2,000 in all.
private struct WeightedMedian: Sendable {
  private static let capacity = 2_000.0

  private var samples: [(rate: Double, weight: Double)] = []

  mutating func add(_ rate: Double, bytes: Int64) {
    samples.append((rate, Double(bytes).squareRoot()))
    var total = samples.reduce(0) { $0 + $1.weight }
    while total > Self.capacity, samples.count > 1 {
      total -= samples.removeFirst().weight
    }
  }

  var median: Double? {
    let half = samples.reduce(0) { $0 + $1.weight } / 2
    var sum = 0.0
    for sample in samples.sorted(by: { $0.rate < $1.rate }) {
      sum += sample.weight
      if sum >= half { return sample.rate }
    }
    return nil
  }
}
