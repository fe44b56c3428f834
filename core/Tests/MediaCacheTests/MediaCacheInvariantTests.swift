import CoreTesting
import CoreTypes
import MediaCache
import Testing

@Suite struct MediaCacheInvariantTests {
  @Test func holdForRandomSequencesOfEvents() {
    forEachSeed(10_000) { seed, generator in
      var host = CacheHost(
        memory: 300_000 + generator.next(below: 2_000_000), disk: generator.next(below: 2_000_000),
        used: generator.next(below: 600_000))
      var clip: Int32 = 2
      host.focus(on: clip)
      for _ in 0..<25 {
        host.now = host.now + Milliseconds(generator.next(below: 1_500))
        act(&host, &clip, &generator)
        check(host, seed)
        checkDisk(host.cache, seed)
      }
      checkRoom(host, seed, &generator)
    }
  }

  /// A prefetch that wants everything it has room for fetches no byte more than twice while the focus stays.
  @Test func nothingIsDroppedAndFetchedInCircles() {
    forEachSeed(1_000) { seed, generator in
      var host = CacheHost(memory: generator.next(below: 2_500_000), disk: 0)
      var clip: Int32 = 2
      for _ in 0..<4 {
        clip = max(2, clip - 1 + Int32(generator.next(below: 4)))
        host.focus(on: clip, playing: generator.next(below: 4) == 0 ? clip - 1 : nil)
        var fetches: [Int32: Int] = [:]
        var idle = 0
        while idle < 40 {
          idle += 1
          let other = clip - 2 + Int32(generator.next(below: 6))
          let segment = host.prefix(of: other)
          let isFree = other == clip || other == clip + 1
          guard segment < 5, isFree || host.cache.room >= Bytes(CacheHost.size(of: segment)) else { continue }
          host.store(other, segment..<segment + 1)
          fetches[other * 8 + segment, default: 0] += 1
          idle = 0
          if fetches[other * 8 + segment] == 3 { Issue.record("fetched a third time, seed \(seed)") }
          if fetches[other * 8 + segment] ?? 0 > 9 { return }
        }
      }
    }
  }

  @Test func hostileNumbersHarmNothing() {
    forEachSeed(3_000) { seed, generator in
      var host = CacheHost(memory: generator.hostileInteger(around: 1_000_000))
      for _ in 0..<40 {
        host.now = Instant(generator.hostileInteger(around: 100_000))
        host.send(hostileEvent(&generator))
        if host.cache.room < .zero || host.cache.memoryBytes != Bytes(host.memoryBytes) {
          Issue.record("lost count, seed \(seed)")
        }
      }
      for mistake in host.mistakes { Issue.record("\(mistake), seed \(seed)") }
    }
  }

  private func check(_ host: CacheHost, _ seed: UInt64) {
    for mistake in Set(host.mistakes) { Issue.record("\(mistake), seed \(seed)") }
    if host.cache.memoryBytes != Bytes(host.memoryBytes) { Issue.record("lost count, seed \(seed)") }
    let loose = host.memory.keys.filter { !host.pinned.contains($0) }
    if host.cache.memoryBytes > host.cache.memoryBudget, !loose.isEmpty {
      Issue.record("over budget, seed \(seed)")
    }
  }

  private func checkDisk(_ cache: MediaCache, _ seed: UInt64) {
    if cache.clearableDiskBytes > max(.zero, cache.diskBudget - cache.savedDiskBytes) {
      Issue.record("the disk is over its budget, seed \(seed)")
    }
    if cache.clearableDiskBytes < .zero { Issue.record("lost count of the disk, seed \(seed)") }
  }

  /// What fits into `room` drops nothing ahead and no head of the window.
  private func checkRoom(_ host: CacheHost, _ seed: UInt64, _ generator: inout SeededGenerator) {
    var host = host
    guard !host.window.isEmpty, host.cache.room > .zero else { return }
    host.commands = []
    let clip = host.window[Int(generator.next(below: Int64(host.window.count)))]
    host.send(
      .segmentStored(ItemID(clip), rendition: 7, segment: 40, Bytes(min(host.cache.room.rawValue, 1 << 28))))
    for command in host.commands {
      guard case .discard(let item, let keeping) = command,
        let place = host.window.firstIndex(of: item.rawValue)
      else { continue }
      if place > host.focus || keeping == 0 {
        Issue.record("there was no room, seed \(seed)")
      }
    }
  }

  private func act(_ host: inout CacheHost, _ clip: inout Int32, _ generator: inout SeededGenerator) {
    let item = max(0, clip - 3 + Int32(generator.next(below: 9)))
    switch generator.next(below: 24) {
    case 0...5:
      let old = clip
      clip = generator.next(below: 8) == 0 ? Int32(generator.next(below: 30)) : clip + 1
      host.focus(on: clip, playing: generator.next(below: 3) == 0 ? old : nil)
    case 6...12:
      let first = generator.next(below: 4) == 0 ? Int32(generator.next(below: 6)) : host.prefix(of: item)
      host.store(
        item, first..<first + 1 + Int32(generator.next(below: 3)), rendition: Int32(generator.next(below: 3)))
    case 13: host.send(.looped(ItemID(clip)))
    case 14: host.send(.positionChanged(ItemID(clip), Milliseconds(generator.next(below: 20_000))))
    case 15, 16:
      let segments = Int32(generator.next(below: 7))
      host.remember(
        item, segments: segments, bytes: Int64(segments) * 90_000, saved: generator.next(below: 5) == 0)
    case 17, 18: host.deliverRestores()
    case 19:
      if let clip = host.restoring.keys.sorted().first { host.send(.restoreFailed(ItemID(clip))) }
    case 20: host.send(.savedForOffline(ItemID(item), generator.next(below: 2) == 0))
    case 21:
      let written = host.disk[item] ?? 0
      let kept = Int32(generator.next(below: Int64(written) + 1))
      host.send(
        .persistFailed(
          ItemID(item), segments: kept, Bytes(Int64(kept) * 80_000), isFull: generator.next(below: 2) == 0))
    case 22: host.send(generator.next(below: 3) == 0 ? .itemRemoved(ItemID(item)) : .backgrounded)
    default:
      switch generator.next(below: 6) {
      case 0: host.send(.memoryWarned)
      case 1: host.send(.clearRequested)
      default: host.send(.woke)
      }
    }
  }

  private func hostileEvent(_ generator: inout SeededGenerator) -> MediaCache.Event {
    func number(_ around: Int64) -> Int64 { generator.hostileInteger(around: around) }
    func small(_ around: Int64) -> Int32 { Int32(truncatingIfNeeded: number(around)) }
    let item = ItemID(small(6))
    switch generator.next(below: 12) {
    case 0:
      let window = (0..<generator.next(below: 30)).map { _ in ItemID(small(6)) }
      return .focusMoved(window: window, focus: Int(small(20)), playing: item)
    case 1, 2, 3, 4:
      return .segmentStored(item, rendition: small(9), segment: small(30), Bytes(number(400_000)))
    case 5: return .positionChanged(item, Milliseconds(number(20_000)))
    case 6:
      return .started(
        memoryBudget: Bytes(number(500_000)), diskBudget: .zero, diskUsed: Bytes(number(500_000)))
    case 7:
      return .diskHolds(
        item, segments: small(9), Bytes(number(500_000)), age: Milliseconds(number(500_000)), isSaved: false)
    case 8: return .itemRemoved(item)
    case 9: return .memoryWarned
    case 10: return .persistFailed(item, segments: small(5), Bytes(number(5_000)), isFull: true)
    default: return .woke
    }
  }
}
