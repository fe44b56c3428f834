import CoreTypes
import Lookahead

/// What a decision looks at, from what is known of the clips.
extension Prefetch {
  /// Which clip and which renditions stand in which place of the input.
  struct Slots: Sendable {
    var items = [ItemID](repeating: ItemID(-1), count: DecisionInput.maxClips)
    var segments = [Int](repeating: 0, count: DecisionInput.maxClips)
    var renditions = [Int](repeating: 0, count: DecisionInput.maxClips * DecisionInput.maxRates)
  }

  struct Need {
    let item: ItemID
    let segment: Int
    let rendition: Int
    /// Beyond the next clip: only if there is room.
    let isFar: Bool
  }

  /// Fills the input; false if there is nothing to look at.
  mutating func buildScene(at now: Instant) -> Bool {
    input.clear()
    input.throughput = throughput.mean
    input.spread = max(objective.drift, throughput.spread)
    input.latency = throughput.latency
    #if !hasFeature(Embedded)
      input.link = throughput.signs
    #endif
    input.isPipelined = !objective.advancesAtEnd
    for flight in flights where !window[focus...].contains(flight.item) {
      input.addPending(clip: -1, rate: 0, left: left(of: flight, at: now))
    }
    let ahead = min(max(0, Int(limits.clipsAhead)), DecisionInput.maxClips - 1)
    for distance in 0...ahead where window.indices.contains(focus + distance) {
      let item = window[focus + distance]
      guard let entry = entries[item] else { break }
      if !entry.isGone, !entry.isRestoring { add(item, entry, distance, at: now) }
      if distance == 0, input.clipCount == 0 { return false }
    }
    return input.clipCount > 0
  }

  private mutating func add(_ item: ItemID, _ entry: Entry, _ distance: Int, at now: Instant) {
    let descriptor = entry.descriptor
    let isCurrent = distance == 0
    let position = isCurrent ? min(self.position(at: now), descriptor.duration) : .zero
    var segment = isCurrent ? descriptor.segment(at: position) : 0
    var end = descriptor.start(ofSegment: segment)
    while segment < descriptor.segmentCount, entry.has(segment) {
      end += entry.length(segment)
      segment += 1
    }
    let slot = input.addClip(
      duration: descriptor.duration.seconds, storedEnd: end.seconds)
    guard slot >= 0 else { return }
    slots.items[slot] = item
    slots.segments[slot] = segment
    addRates(slot, entry)
    input.setStoredRates(
      clip: slot, last: segment > 0 ? rate(slot, ofRendition: Int(entry.stored[segment - 1])) : -1,
      first: rate(slot, ofRendition: Int(entry.stored[0])))
    if isCurrent {
      input.position = min(position.seconds, end.seconds)
      if let previousRendition { input.previousRate = rate(slot, ofRendition: previousRendition) }
    }
    addSegments(slot, entry, from: segment, end)
    addSurvival(slot, entry, watched: isCurrent ? position + descriptor.duration * loops : .zero)
    // In the order of their segments, since that is the order in which a rollout stores them.
    for flight in flights where flight.item == item && flight.segments.contains(segment) {
      input.addPending(
        clip: slot, rate: max(0, rate(slot, ofRendition: flight.rendition)),
        left: left(of: flight, at: now))
      segment += 1
    }
  }

  /// What of a download has yet to come, by the clock: hosts report no progress.
  private func left(of flight: Flight, at now: Instant) -> Double {
    let running = max(0, (now - flight.started).seconds - throughput.latency)
    return max(flight.size.megabits * 0.1, flight.size.megabits - running * throughput.mean)
  }

  // MARK: Renditions

  /// What exists and is not wasted on this screen: up to the first rendition that fills it. More than
  /// an input holds are thinned out above the lowest.
  private mutating func addRates(_ slot: Int, _ entry: Entry) {
    let renditions = entry.descriptor.renditions
    var count = 0
    for index in renditions.indices where isAllowed(index, entry, isFirst: count == 0) { count += 1 }
    var place = 0
    var rate = 0
    for index in renditions.indices where isAllowed(index, entry, isFirst: place == 0) {
      if place == 0 || place > count - DecisionInput.maxRates {
        slots.renditions[slot * DecisionInput.maxRates + rate] = index
        input.addRate(to: slot, utility: utility(renditions[index]))
        rate += 1
      }
      place += 1
      if Int64(renditions[index].shortEdge) >= screenEdge { break }
    }
  }

  func isAllowed(_ index: Int, _ entry: Entry, isFirst: Bool) -> Bool {
    guard !entry.missing.contains(index) else { return false }
    let edge = entry.descriptor.renditions[index].shortEdge
    return isFirst || edge <= limits.maxShortEdge
  }

  /// Points per second of media.
  private func utility(_ rendition: Rendition) -> Double {
    switch objective.utility {
    case .shortEdge: Double(rendition.shortEdge) / 360
    case .bitRate: Double(rendition.average.rawValue) / 1e6
    }
  }

  /// The place of a rendition among those that are weighed: the nearest one not above it.
  private func rate(_ slot: Int, ofRendition rendition: Int) -> Int {
    guard rendition >= 0 else { return -1 }
    var found = 0
    for rate in 0..<input.rateCount(slot)
    where slots.renditions[slot * DecisionInput.maxRates + rate] <= rendition { found = rate }
    return found
  }

  // MARK: Segments

  private mutating func addSegments(
    _ slot: Int, _ entry: Entry, from first: Int, _ start: Milliseconds
  ) {
    var end = start
    for segment in first..<entry.descriptor.segmentCount {
      end += entry.length(segment)
      guard input.addSegment(to: slot, end: end.seconds) else { return }
      for rate in 0..<input.rateCount(slot) {
        let rendition = slots.renditions[slot * DecisionInput.maxRates + rate]
        // What lies stored beyond a hole comes for nothing.
        let size = entry.has(segment) ? .zero : entry.size(segment, rendition)
        input.setSize(size.megabits, clip: slot, rate: rate)
      }
    }
  }

  /// How likely the person is to be there still, second by second, from what was watched on.
  private mutating func addSurvival(_ slot: Int, _ entry: Entry, watched: Milliseconds) {
    let turn = entry.descriptor.duration
    let shift = watched.seconds - (slot == 0 ? input.position : 0)
    guard let retention = entry.retention else {
      var walk = WatchTimeModel.Walk(watchTimes, duration: turn.seconds, from: max(0, shift))
      for second in 0...DecisionInput.maxSeconds {
        input.setSurvival(walk.share, after: second, clip: slot)
        walk.advance()
      }
      return
    }
    for second in 0...DecisionInput.maxSeconds {
      let index = min(Int(max(0, shift)) + second, retention.shares.count - 1)
      let share = Double(retention.shares[index]) / Double(Retention.whole)
      input.setSurvival(share, after: second, clip: slot)
    }
  }

  // MARK: What to ask for

  func need(inSlot slot: Int, rate: Int) -> Need? {
    guard let entry = entries[slots.items[slot]] else { return nil }
    var segment = slots.segments[slot]
    while segment < entry.descriptor.segmentCount,
      entry.has(segment) || isFetching(slots.items[slot], segment)
    {
      segment += 1
    }
    guard segment < entry.descriptor.segmentCount else { return nil }
    return Need(
      item: slots.items[slot], segment: segment,
      rendition: slots.renditions[slot * DecisionInput.maxRates + rate], isFar: slot > 1)
  }

  func isFetching(_ item: ItemID, _ segment: Int) -> Bool {
    flights.contains { $0.item == item && $0.segments.contains(segment) }
  }

  /// What a clip can play from its position on without a gap, as far as it matters: `shortLead` and more is
  /// enough, and a clip of which all is stored never ends.
  func lead(of item: ItemID, at now: Instant) -> Milliseconds {
    guard let entry = entries[item] else { return .zero }
    let descriptor = entry.descriptor
    let position = min(self.position(at: now), descriptor.duration)
    let first = descriptor.segment(at: position)
    var lead = descriptor.start(ofSegment: first) - position
    for step in 0..<descriptor.segmentCount {
      let segment = (first + step) % descriptor.segmentCount
      guard entry.has(segment) else { return max(.zero, lead) }
      lead += entry.length(segment)
      if lead >= Self.shortLead { break }
    }
    return Self.shortLead
  }
}
