internal import Contract
internal import CoreTypes
internal import Foundation
internal import MediaCache
internal import MediaStore
internal import Session

/// Carries out `persist`, `restore`, `evict` and `evictUnknown`, and tells the core what the disk holds.
///
/// One thing after the other, so that what was asked for last is how it ends. It refuses to know what is
/// worth keeping, and nothing waits for it: where the disk fails, there is only no disk level.
@MainActor final class DiskLevel {
  private let store: DiskStore
  private let budget: Int
  private let memory: SegmentMemory
  private let feed: Feed
  private let clock: any HostClock
  private let report: (FeedSession.Event) -> Void
  /// A clip that a person keeps finds no room.
  var onFull: ((DiskError) -> Void)?
  /// What the person keeps, by the name on disk.
  private var saved: [String: Bool] = [:]
  private let work: AsyncStream<@MainActor @Sendable () async -> Void>.Continuation
  private let worker: Task<Void, Never>

  init(
    store: DiskStore, budget: Int, memory: SegmentMemory, feed: Feed, clock: any HostClock,
    report: @escaping (FeedSession.Event) -> Void
  ) {
    self.store = store
    self.budget = budget
    self.memory = memory
    self.feed = feed
    self.clock = clock
    self.report = report
    let (stream, continuation) = AsyncStream.makeStream(of: (@MainActor @Sendable () async -> Void).self)
    work = continuation
    worker = Task { for await act in stream { await act() } }
  }

  /// Tells the core of the disk. What it holds of clips follows as they come.
  func start() {
    work.yield { [self] in
      report(.diskFound(budget: Bytes(Int64(budget)), used: Bytes(Int64(await store.used))))
    }
  }

  func stop() { work.finish() }

  /// Returns when all that was asked for so far is done.
  func settled() async {
    await withCheckedContinuation { done in work.yield { done.resume() } }
  }

  func announce(_ clip: FeedClip) {
    work.yield { [self] in
      guard let entry = await store.holds(clip.diskName) else { return }
      saved[clip.diskName] = entry.isSaved
      let parts = clip.parts(in: entry.parts)
      let segments = FeedClip.leadingSegments(parts)
      guard segments > 0 else { return }
      let size = entry.parts.reduce(0) { $0 + $1.size }
      // NB: clocks are set, and a file's time may be any; `Int64` ends the app at what it cannot hold.
      let age = min(max(0, Date().timeIntervalSince(entry.used)), 1e9) * 1_000
      report(
        .storage(
          .diskHolds(
            clip.item, segments: segments, Bytes(Int64(size)), age: Milliseconds(Int64(age)),
            isSaved: entry.isSaved)))
    }
  }

  /// Whether a clip's first segment is there, as far as anybody knows before it is read.
  func hasStart(of clip: FeedClip) async -> Bool {
    guard let entry = await store.holds(clip.diskName) else { return false }
    return FeedClip.leadingSegments(clip.parts(in: entry.parts)) > 0
  }

  func persist(_ item: ItemID, _ segments: Int32) {
    guard let clip = feed.clip(item), clip.staysOnDisk else { return }
    // NB: taken now; a `discard` that follows must not spoil them.
    let bytes = storedParts(of: clip, segments)
    work.yield { [self] in
      var failure: DiskError?
      for (part, data) in bytes {
        do {
          try await store.write(data, as: part, of: clip.diskName)
        } catch {
          failure = error as? DiskError
          break
        }
      }
      if let isSaved = saved[clip.diskName] { await store.setSaved(isSaved, clip.diskName) }
      let entry = await store.holds(clip.diskName)
      let there = min(segments, FeedClip.leadingSegments(clip.parts(in: entry?.parts ?? [])))
      guard there < segments else { return }
      let isFull = failure?.isFull ?? false
      if let failure, isFull, entry?.isSaved == true || saved[clip.diskName] == true { onFull?(failure) }
      let size = entry?.parts.reduce(0) { $0 + $1.size } ?? 0
      report(.storage(.persistFailed(item, segments: there, Bytes(Int64(size)), isFull: isFull)))
    }
  }

  func restore(_ item: ItemID, _ first: Int32, _ count: Int32) {
    guard let clip = feed.clip(item) else { return report(.storage(.restoreFailed(item))) }
    work.yield { [self] in
      let entry = await store.holds(clip.diskName)
      var missing = Set(first..<max(first, first + count))
      let parts = clip.parts(in: entry?.parts ?? []).filter { $0.key.segment < first + count }
      for (key, part) in parts.sorted(by: { $0.key.segment < $1.key.segment })
      where key.segment == SegmentKey.initialization || key.segment >= first {
        guard let bytes = await store.read(part, of: clip.diskName) else { continue }
        // It may have left the feed meanwhile, and the core takes back only what it counted.
        guard feed.shows(item) else { return }
        memory.put(bytes, as: key)
        report(.segmentStored(RequestID(0), item, rendition: key.rendition, segment: key.segment))
        missing.remove(key.segment)
      }
      if !missing.isEmpty { report(.storage(.restoreFailed(item))) }
    }
  }

  func evict(_ item: ItemID, _ keeping: Int32) {
    guard let clip = feed.clip(item) else { return }
    work.yield { [self] in
      let entry = await store.holds(clip.diskName)
      let kept = clip.parts(in: entry?.parts ?? []).filter { keeping > 0 && $0.key.segment < keeping }
      await store.keep(Set(kept.values), of: clip.diskName)
    }
  }

  func evictUnknown(_ bytes: Int64) {
    work.yield { [self] in await store.evictUnnamed(Int(clamping: bytes)) }
  }

  func setSaved(_ item: ItemID, _ isSaved: Bool) {
    guard let clip = feed.clip(item), clip.staysOnDisk else { return }
    saved[clip.diskName] = isSaved
    work.yield { [self] in await store.setSaved(isSaved, clip.diskName) }
  }

  /// The best that is stored of each of the first segments, with the initialisation sections they need.
  private func storedParts(of clip: FeedClip, _ segments: Int32) -> [(MediaPart, Data)] {
    var parts: [(MediaPart, Data)] = []
    for segment in 0..<max(0, segments) {
      guard let rendition = memory.best(clip.item.rawValue, segment) else { break }
      for number in [SegmentKey.initialization, segment] {
        let key = SegmentKey(item: clip.item.rawValue, rendition: rendition, segment: number)
        guard let part = clip.part(key), let bytes = memory.bytes(of: key),
          !parts.contains(where: { $0.0 == part })
        else { continue }
        parts.append((part, bytes))
      }
    }
    return parts
  }
}

extension FeedClip {
  func part(_ key: SegmentKey) -> MediaPart? {
    range(rendition: key.rendition, segment: key.segment).map {
      MediaPart(blob: renditions[Int(key.rendition)].url, offset: $0.offset, size: $0.size)
    }
  }

  /// Those that this descriptor of the clip still knows.
  func parts(in stored: Set<MediaPart>) -> [SegmentKey: MediaPart] {
    var parts: [SegmentKey: MediaPart] = [:]
    for (rendition, description) in renditions.enumerated() {
      for segment in -1..<description.segments.count {
        let key = SegmentKey(
          item: item.rawValue, rendition: Int32(rendition), segment: Int32(segment))
        if let part = part(key), stored.contains(part) { parts[key] = part }
      }
    }
    return parts
  }

  /// How many segments from the first on are whole: the segment, and its rendition's initialisation section.
  static func leadingSegments(_ parts: [SegmentKey: MediaPart]) -> Int32 {
    let whole = Set(
      parts.keys.filter { key in
        parts[
          SegmentKey(item: key.item, rendition: key.rendition, segment: SegmentKey.initialization)] != nil
      }.map(\.segment))
    var count: Int32 = 0
    while whole.contains(count) { count += 1 }
    return count
  }
}
