internal import MediaStore
internal import Synchronization

/// The loads that are open, as requests see them.
final class LoadTable: Sendable {
  private struct State {
    var loads: [Int: ProxiedClip] = [:]
    var last = 0
  }

  private let state = Mutex(State())
  let memory: SegmentMemory

  init(memory: SegmentMemory) { self.memory = memory }

  func open(_ clip: ProxiedClip) -> Int {
    state.withLock { state in
      state.last += 1
      state.loads[state.last] = clip
      return state.last
    }
  }

  func close(_ load: Int) {
    // Whoever waits for one of its segments looks again and finds it closed.
    if let clip = state.withLock({ $0.loads.removeValue(forKey: load) }) { memory.touch(clip.item) }
  }

  func clip(_ load: Int) -> ProxiedClip? { state.withLock { $0.loads[load] } }

  /// Numbers of all that are open, in order.
  var open: [Int] { state.withLock { $0.loads.keys.sorted() } }

  var count: Int { state.withLock { $0.loads.count } }

  /// In which rendition a load gets a segment, once that is known; `nil` when the load is over.
  func rendition(_ load: Int, _ segment: Int32) async -> Int32? {
    while !Task.isCancelled, let clip = clip(load) {
      if let chosen = clip.chosen[segment] { return chosen }
      let version = memory.version(of: clip.item)
      if let choice = memory.choice(clip.item, segment), clip.renditions.indices.contains(Int(choice)) {
        state.withLock { $0.loads[load]?.choose(choice, for: segment) }
        continue
      }
      await memory.changed(clip.item, since: version)
    }
    return nil
  }

  /// Once the rendition of any segment is known: that one, and the clip with all that is known by then.
  func known(_ load: Int) async -> (first: Int32, clip: ProxiedClip)? {
    while !Task.isCancelled, let clip = clip(load) {
      let version = memory.version(of: clip.item)
      for segment in 0..<clip.segmentCount {
        // Only what is whole: what is coming may be taken back, and the playlist is for ever.
        guard let best = memory.best(clip.item, segment), clip.renditions.indices.contains(Int(best)) else {
          continue
        }
        state.withLock { $0.loads[load]?.choose(best, for: segment) }
      }
      guard let known = self.clip(load) else { return nil }
      if let first = known.chosen.min(by: { $0.key < $1.key })?.value { return (first, known) }
      for segment in 0..<clip.segmentCount {
        if let coming = memory.choice(clip.item, segment), clip.renditions.indices.contains(Int(coming)) {
          return (coming, known)
        }
      }
      await memory.changed(clip.item, since: version)
    }
    return nil
  }

  /// Whether the load waits for what does not come, while another rendition of it does.
  func isStale(_ load: Int, _ key: SegmentKey) -> Bool {
    guard let clip = clip(load), !memory.has(key) else { return false }
    // Without its segment an initialisation section is of no use.
    return (0..<clip.segmentCount).contains { segment in
      clip.chosen[segment] == key.rendition
        && (key.segment == SegmentKey.initialization || key.segment == segment)
        && memory.choice(clip.item, segment).map { $0 != key.rendition } == true
    }
  }
}
