import CoreTypes

/// What plays in a window of its own beside the feed, or alone behind other apps: it is small, and what it
/// needs at once comes first, since it plays already.
extension Prefetch {
  struct Pin: Sendable {
    let item: ItemID
    var position = Milliseconds.zero
  }

  /// So much is fetched ahead of it; a window may be closed at any time.
  static let pinnedLead = Milliseconds(8_000)
  /// With less than this it comes before everything else.
  static let urgentLead = Milliseconds(2_000)
  /// Windows show no more than this.
  private static let pinnedEdge: Int32 = 480

  mutating func pin(_ item: ItemID?, emit: (Command) -> Void) {
    pin = item.map { Pin(item: $0, position: $0 == focused ? position : .zero) }
    dropStrayFlights(emit: emit)
  }

  /// The next part of it, unless it is the current clip and seen, which is decided with all others.
  func pinnedNeed(within wanted: Milliseconds) -> Need? {
    guard let pin, pin.item != focused || inBackground, let entry = entries[pin.item], !entry.isGone,
      !entry.isRestoring
    else { return nil }
    let descriptor = entry.descriptor
    let first = descriptor.segment(at: min(pin.position, descriptor.duration))
    var lead = Milliseconds.zero
    for step in 0..<descriptor.segmentCount where lead < wanted {
      let segment = (first + step) % descriptor.segmentCount
      if entry.has(segment) || isFetching(pin.item, segment) {
        lead += entry.length(segment)
      } else {
        return Need(item: pin.item, segment: segment, rendition: windowRendition(entry), isFar: false)
      }
    }
    return nil
  }

  /// The best one that a small window shows and that comes well in time.
  private func windowRendition(_ entry: Entry) -> Int {
    var best = -1
    for index in entry.descriptor.renditions.indices where isAllowed(index, entry, isFirst: best < 0) {
      let rendition = entry.descriptor.renditions[index]
      let suits =
        rendition.shortEdge <= Self.pinnedEdge && Double(rendition.average.rawValue) < throughput.mean * 5e5
      if best < 0 || suits { best = index }
    }
    return max(0, best)
  }
}
