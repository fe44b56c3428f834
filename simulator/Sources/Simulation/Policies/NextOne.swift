internal import CoreTypes

/// The current clip to its end, then the next one to its end, one request after the other, in the best
/// rendition that eight tenths of the recent throughput carry.
struct NextOne: Policy {
  private var rates = RecentRates()

  mutating func decide(_ view: PolicyView) -> [PolicyCommand] {
    for sample in view.finished { rates.add(sample) }
    let cancelled = view.cancel { $0.item == view.page || $0.item == view.page + 1 }
    guard view.flights.count == cancelled.count else { return cancelled }
    let targets = [(view.page, view.position), (view.page, .zero), (view.page + 1, .zero)]
    for (item, from) in targets where view.exists(item) {
      let all = PlaybackDescriptor.maxDuration
      guard let segment = view.missing(item, from: from, ahead: all) else { continue }
      return cancelled + [view.fetch(item, rates.rendition(item, view), segment: segment)]
    }
    return cancelled
  }
}

/// The harmonic mean of the last five transfers, round trip included, as many players take it.
struct RecentRates: Sendable {
  private static let count = 5
  private static let percent: Int64 = 80

  /// Bytes and time of each.
  private var samples: [(bytes: Int64, time: Int64)] = []

  mutating func add(_ sample: PolicyView.Finished) {
    guard !sample.segments.isEmpty else { return }
    samples.append((sample.bytes, max(1, sample.elapsed.rawValue)))
    if samples.count > Self.count { samples.removeFirst() }
  }

  /// bit/s; 0 while nothing is known.
  var estimate: Int64 {
    guard !samples.isEmpty else { return 0 }
    // Time for each bit, averaged.
    let slowness = samples.reduce(0.0) { $0 + Double($1.time) / Double($1.bytes * 8_000) }
    return Int64(Double(samples.count) / slowness)
  }

  func rendition(_ item: Int, _ view: PolicyView) -> Int {
    let limit = estimate / 100 * Self.percent
    let renditions = view.store.clip(item).renditions[...view.largest(item)]
    return renditions.lastIndex { $0.average.rawValue <= limit } ?? 0
  }
}
