import CoreTypes
import Lookahead

/// What is fetched when nothing ahead is worth its bytes: the start of the current clip for its next turn,
/// missing or in better quality, the first segment of the clip before, and a reserve of all clips against a
/// link that dies for long.
extension Prefetch {
  /// A better start has to be there this long before the loop comes to it.
  private static let loopReserve = 0.5
  /// The start of a clip is fetched for its next turn when the end is this near.
  private static let loopNear = 6.0
  /// Seconds to play from that a reserve makes up at most, of the current clip and of each after it.
  private static let reserve = 30.0
  private static let reserveAhead = 8.0

  func spareNeed(at now: Instant) -> Need? {
    guard flights.isEmpty, let item = focused, let entry = entries[item], input.clipCount > 0,
      slots.items[0] == item, !objective.advancesAtEnd
    else { return nil }
    return startForNextTurn(item, entry, at: now) ?? clipBefore() ?? reserve()
  }

  /// Walks from the clip's start towards the position.
  private func startForNextTurn(_ item: ItemID, _ entry: Entry, at now: Instant) -> Need? {
    let descriptor = entry.descriptor
    guard slots.segments[0] >= descriptor.segmentCount else { return nil }
    let position = min(position(at: now), descriptor.duration).seconds
    let toEnd = descriptor.duration.seconds - position
    var start = 0.0
    for segment in 0..<descriptor.segmentCount {
      let length = entry.length(segment).seconds
      let time = toEnd + start
      if !entry.has(segment) {
        return time < Self.loopNear + start ? missing(item, segment, entry, within: time) : nil
      }
      if limits.upgradesLoops, start + length <= position,
        let better = better(item, segment, entry, within: time)
      {
        return better
      }
      start += length
    }
    return nil
  }

  private func missing(
    _ item: ItemID, _ segment: Int, _ entry: Entry, within time: Double
  ) -> Need {
    Need(
      item: item, segment: segment,
      rendition: bestRendition(segment, entry, above: -1, within: time) ?? slots.renditions[0],
      isFar: false)
  }

  /// A segment that is stored in poor quality, in the best one that comes before the loop does and
  /// is worth its bytes.
  private func better(_ item: ItemID, _ segment: Int, _ entry: Entry, within time: Double) -> Need? {
    let stored = Int(entry.stored[segment])
    guard
      let rendition = bestRendition(segment, entry, above: stored, within: time - Self.loopReserve)
    else { return nil }
    let share = input.survival(clip: 0, from: input.position, to: input.position + time)
    let length = entry.length(segment).seconds
    let gain = worth(rendition, entry) - worth(stored, entry)
    let price =
      entry.size(segment, rendition).megabits
      * (objective.bytePrice + (1 - share) * objective.wastePrice)
    guard share * gain * length > price else { return nil }
    return Need(item: item, segment: segment, rendition: rendition, isFar: false)
  }

  private func bestRendition(
    _ segment: Int, _ entry: Entry, above: Int, within time: Double
  ) -> Int? {
    var best: Int?
    for rate in 0..<input.rateCount(0) {
      let rendition = slots.renditions[rate]
      let load = throughput.latency + entry.size(segment, rendition).megabits / throughput.mean
      if rendition > above, load <= time { best = rendition }
    }
    return best
  }

  private func worth(_ rendition: Int, _ entry: Entry) -> Double {
    Double(entry.descriptor.renditions[rendition].shortEdge) / 360
  }

  /// So that going back starts at once.
  private func clipBefore() -> Need? {
    guard limits.clipsAhead > 0, window.indices.contains(focus - 1),
      let entry = entries[window[focus - 1]], !entry.isGone, !entry.isRestoring, !entry.has(0),
      let rendition = entry.descriptor.renditions.indices.first(where: { !entry.missing.contains($0) })
    else { return nil }
    return Need(item: window[focus - 1], segment: 0, rendition: rendition, isFar: true)
  }

  /// The next segment of the nearest clip that is worth its bytes: the surer it is to be seen, the sharper it
  /// may be. In no better picture than the segment before it, so that it changes as seldom as can be, and in
  /// none that takes longer to come than to play.
  private func reserve() -> Need? {
    // What network and battery ask for a byte, asked for waste as well: all of a reserve may be waste.
    let bytePrice = objective.bytePrice + objective.wastePrice * Double(max(0, limits.bytePricePercent)) / 100
    for slot in 0..<input.clipCount {
      let from = slot == 0 ? input.position : 0
      let end = input.storedEnd(slot)
      let segment = slots.segments[slot]
      guard end - from < (slot == 0 ? Self.reserve : Self.reserveAhead),
        let entry = entries[slots.items[slot]], segment < entry.descriptor.segmentCount
      else { continue }
      let share = input.survival(clip: slot, from: from, to: end)
      let length = entry.length(segment).seconds
      let last = segment > 0 ? Int(entry.stored[segment - 1]) : .max
      var best = -1
      var size = 0.0
      for rate in 0..<input.rateCount(slot) {
        let rendition = slots.renditions[slot * DecisionInput.maxRates + rate]
        let megabits = entry.size(segment, rendition).megabits
        if rate > 0, rendition > last || throughput.latency + megabits / throughput.mean > length { break }
        (best, size) = (rendition, megabits)
      }
      if best >= 0, share * length * objective.reserveWorth > size * bytePrice * (1 - share) {
        return Need(item: slots.items[slot], segment: segment, rendition: best, isFar: true)
      }
    }
    return nil
  }
}
