import CoreTypes

/// What is still wanted, in order.
extension Prefetch {
  struct Need {
    let item: ItemID
    let distance: Int
    let segment: Int
    let purpose: RenditionNeed.Purpose
  }

  /// The first thing, in the order of the stages, that is neither stored nor on its way and cannot
  /// wait, with the rendition to fetch it in.
  func nextNeed(_ choose: Choice) -> (Need, rendition: Int)? {
    for stage in activeStages {
      let index = focus + stage.distance
      guard window.indices.contains(index), let entry = entries[window[index]], !entry.isGone,
        let need = need(of: window[index], entry, at: stage)
      else { continue }
      let question = RenditionNeed(
        descriptor: entry.descriptor, segment: need.segment, purpose: need.purpose,
        previous: previousRendition(of: need.item, before: need.segment), missing: entry.missing)
      guard let choice = choose(question) else { continue }
      return (need, min(max(choice, 0), entry.descriptor.renditions.count - 1))
    }
    return nil
  }

  /// What the current clip can play from here on without a gap: stored segments in a row, at most one
  /// turn of the clip.
  var currentLead: Milliseconds {
    guard let focused, let entry = entries[focused] else { return .zero }
    let descriptor = entry.descriptor
    let first = descriptor.segment(at: position)
    var lead = descriptor.start(ofSegment: first) - position
    for step in 0..<descriptor.segmentCount {
      let segment = (first + step) % descriptor.segmentCount
      guard entry.stored[segment] >= 0 else { break }
      lead += Milliseconds(Int64(descriptor.renditions[0].segments[segment].duration))
      if lead >= Self.safeLead { break }
    }
    return max(.zero, lead)
  }

  /// Follows the clip from where it plays, through its end to its start again (it loops), until
  /// the stage's lead is covered or something is missing.
  private func need(of item: ItemID, _ entry: Entry, at stage: Stage) -> Need? {
    let descriptor = entry.descriptor
    let isCurrent = stage.distance == 0
    let grown = Self.firstLead + Milliseconds(position.rawValue / 4 * 3)
    let wanted = isCurrent ? min(stage.lead, grown) : stage.lead
    let first = isCurrent ? descriptor.segment(at: position) : 0
    var lead = isCurrent ? descriptor.start(ofSegment: first) - position : .zero
    for step in 0..<descriptor.segmentCount {
      let segment = (first + step) % descriptor.segmentCount
      if step > 0, lead >= wanted { return nil }
      if !has(item, segment: segment), !isFetching(item, segment: segment) {
        return Need(
          item: item, distance: stage.distance, segment: segment,
          purpose: purpose(of: stage, isFirst: step == 0, ahead: lead))
      }
      lead += Milliseconds(Int64(descriptor.renditions[0].segments[segment].duration))
    }
    return nil
  }

  private func purpose(of stage: Stage, isFirst: Bool, ahead: Milliseconds)
    -> RenditionNeed.Purpose
  {
    if stage.distance != 0 { return .prefetch(distance: Int32(abs(stage.distance))) }
    return isFirst ? .firstFrame : .playback(ahead: max(.zero, ahead))
  }

  func has(_ item: ItemID, segment: Int) -> Bool {
    guard let entry = entries[item], entry.stored.indices.contains(segment) else { return false }
    return entry.stored[segment] >= 0
  }

  func isFetching(_ item: ItemID, segment: Int) -> Bool {
    flights.contains { $0.item == item && $0.segments.contains(segment) }
  }

  /// Rendition of the segment before, stored or on its way.
  func previousRendition(of item: ItemID, before segment: Int) -> Int? {
    guard segment > 0 else { return nil }
    if let flight = flights.first(where: {
      $0.item == item && $0.segments.contains(segment - 1)
    }) {
      return flight.rendition
    }
    guard let stored = entries[item]?.stored[segment - 1], stored >= 0 else { return nil }
    return Int(stored)
  }
}

extension Prefetch {
  /// What is known of one clip's bytes.
  struct Entry: Sendable {
    let descriptor: PlaybackDescriptor
    /// Highest rendition stored of each segment; −1 for none.
    var stored: [Int8]
    var initializations = RenditionSet()
    var bytes = Bytes.zero
    /// Renditions that the server does not have.
    var missing = RenditionSet()
    var serverFailures: Int32 = 0

    init(_ descriptor: PlaybackDescriptor) {
      self.descriptor = descriptor
      stored = Array(repeating: -1, count: descriptor.segmentCount)
    }

    /// No rendition is left to try.
    var isGone: Bool {
      serverFailures >= Prefetch.attempts
        || descriptor.renditions.indices.allSatisfy { missing.contains($0) }
    }

    /// Notes a segment (−1: the initialisation section); returns the bytes that are new.
    mutating func store(rendition: Int, segment: Int) -> Bytes {
      guard descriptor.renditions.indices.contains(rendition) else { return .zero }
      let layout = descriptor.renditions[rendition]
      var size = Bytes.zero
      if segment == -1, !initializations.contains(rendition) {
        initializations.insert(rendition)
        size = layout.initialization.size
      } else if stored.indices.contains(segment), Int(stored[segment]) < rendition {
        stored[segment] = Int8(rendition)
        size = layout.segments[segment].range.size
      }
      bytes += size
      return size
    }

    mutating func clear() {
      stored = Array(repeating: -1, count: stored.count)
      initializations = RenditionSet()
      bytes = .zero
    }
  }
}
