import Contract
import CoreTypes
import Foundation
import MediaProxy
import MediaStore
import Playback
import Prefetch
import Session
import Synchronization

/// Watches a host over an evening: what the person waited for, and whether the host kept its word.
@MainActor final class Inspector {
  /// The core's gate holds a page for 500 ms; a page that moves later than this was not held.
  private static let gate = Milliseconds(1_500)

  /// From the flick to each of these, in ms.
  struct Waits {
    var stored: [Int64] = []
    var player: [Int64] = []
    var frame: [Int64] = []
  }

  private struct Visit {
    let item: ItemID
    let began: Instant
    /// The one that is there at the start: nobody flicked for it.
    let isFirst: Bool
    var isStored = false
    var isServed = false
    var isShown = false
  }

  private let memory: SegmentMemory
  private let memoryBudget: Int
  private let clock: any HostClock
  private let served = Mutex<[ServedSegment]>([])
  private(set) var waits = Waits()
  private(set) var violations: [String: Int] = [:]
  /// Waits of a clip that moved, for bytes, and for a program that decodes too slowly here.
  private(set) var stalls = 0
  private(set) var lateDecoders = 0
  private(set) var left = 0
  /// The core's fetches, as requests for ranges.
  private(set) var fetches: [RangeRequest] = []
  private var visit: Visit?
  private var lastHold: Instant?
  /// When the person flicked for a clip that is not there yet.
  private var flickedAt: Instant?
  /// Since when a clip's first bytes are stored, its player has a segment, and its first frame is there: also
  /// while the gate holds its page.
  private var storedAt: [Int32: Instant] = [:]
  private var servedAt: [Int32: Instant] = [:]
  private var shownAt: [Int32: Instant] = [:]
  /// What a player has got, and how far each clip was watched.
  private var servedKeys: [SegmentKey: Int] = [:]
  private var watched: [Int32: Milliseconds] = [:]
  private var positions: [Int32: Milliseconds] = [:]
  private var starts: [Int32: [Milliseconds]] = [:]
  private(set) var largestMemory = 0
  /// When the player of the clip of the start had its first segment, and its first frame.
  private(set) var firstSegmentAt: Instant?
  private(set) var firstFrameAt: Instant?

  init(memory: SegmentMemory, memoryBudget: Int, clock: any HostClock) {
    self.memory = memory
    self.memoryBudget = memoryBudget
    self.clock = clock
  }

  /// The clip on the screen.
  var current: ItemID? { visit?.item }

  nonisolated func note(_ segment: ServedSegment) { served.withLock { $0.append(segment) } }

  /// The person wants another clip. From here on they wait for its bytes, whether the gate holds the page or
  /// not.
  func flicked() { flickedAt = flickedAt ?? clock.now }

  func violated(_ what: String) { violations[what, default: 0] += 1 }

  func observe(
    _ event: FeedSession.Event, _ now: Instant, _ commands: [FeedSession.Command], _ host: SessionHost
  ) {
    switch event {
    case .playbackStalled(_, let item) where item == visit?.item:
      if hasBytes(item) { lateDecoders += 1 } else { stalls += 1 }
    case .firstFrameReady(_, let item): shownAt[item.rawValue] = now
    case .segmentStored(_, let item, _, _): storedAt[item.rawValue] = storedAt[item.rawValue] ?? now
    case .positionChanged(_, let item, let position):
      positions[item.rawValue] = position
      watched[item.rawValue] = max(watched[item.rawValue] ?? .zero, position)
    case .looped(_, let item): watched[item.rawValue] = Milliseconds(.max)
    case .itemAppended(let item, let descriptor), .itemInserted(let item, _, let descriptor):
      starts[item.rawValue] = (0..<descriptor.segmentCount).map { descriptor.start(ofSegment: $0) }
    default: break
    }
    for command in commands {
      switch command {
      case .hold, .showWaiting(true): lastHold = now
      case .setCurrent(let item, _): visited(item, now)
      case .load(_, let item), .discard(let item):
        servedAt[item.rawValue] = nil
        shownAt[item.rawValue] = nil
        if case .discard = command { storedAt[item.rawValue] = nil }
      case .fetch(let download):
        guard let clip = host.feed.clip(download.item),
          let url = URL(string: clip.renditions[Int(download.rendition)].url, relativeTo: host.base)
        else { continue }
        fetches.append(
          RangeRequest(
            url: url.absoluteURL, offset: Int(download.range.offset.rawValue),
            size: Int(download.range.size.rawValue)))
      default: break
      }
    }
  }

  /// Whether all that a player needs half a second from where it stands is stored.
  private func hasBytes(_ item: ItemID) -> Bool {
    guard let starts = starts[item.rawValue] else { return false }
    let at = positions[item.rawValue] ?? .zero
    let segment = starts.lastIndex { $0 <= at + Milliseconds(500) } ?? 0
    return [segment, max(0, segment - 1)].allSatisfy { memory.best(item.rawValue, Int32($0)) != nil }
  }

  private func visited(_ item: ItemID, _ now: Instant) {
    guard item != visit?.item else { return }
    finish()
    let hasFirst = memory.hasAny(of: item.rawValue)
    if visit != nil, !hasFirst, lastHold.map({ now - $0 > Self.gate }) ?? true { violated("black start") }
    visit = Visit(item: item, began: flickedAt ?? now, isFirst: visit == nil)
    flickedAt = nil
    tick()
  }

  /// Whoever leaves without a picture has waited as long as that.
  private func finish() {
    guard let visit, !visit.isServed, !visit.isFirst else { return }
    left += 1
    waits.player.append((clock.now - visit.began).rawValue)
  }

  /// Looks at what has happened since; called often.
  func tick() {
    for segment in served.withLock({ segments in
      defer { segments = [] }; return segments
    }) {
      servedKeys[segment.key] = max(servedKeys[segment.key] ?? 0, segment.bytes)
      if segment.key.segment >= 0 { servedAt[segment.key.item] = servedAt[segment.key.item] ?? clock.now }
    }
    largestMemory = max(largestMemory, memory.size)
    if memory.size > memoryBudget { violated("memory over its budget") }
    guard var visit else { return }
    let item = visit.item.rawValue
    let waited = { (at: Instant) in max(0, (at - visit.began).rawValue) }
    if !visit.isStored, memory.hasAny(of: item) {
      visit.isStored = true
      if !visit.isFirst { waits.stored.append(waited(storedAt[item] ?? clock.now)) }
    }
    if !visit.isServed, let at = servedAt[item] {
      visit.isServed = true
      if visit.isFirst { firstSegmentAt = at } else { waits.player.append(waited(at)) }
    }
    if !visit.isShown, let at = shownAt[item] {
      visit.isShown = true
      if visit.isFirst { firstFrameAt = at } else { waits.frame.append(waited(at)) }
    }
    self.visit = visit
  }

  /// Bytes of media that were shown to somebody: a player got them, and the picture got there.
  var shownBytes: Int {
    servedKeys.reduce(0) { sum, served in
      let (key, bytes) = served
      guard let watched = watched[key.item] else { return sum }
      if key.segment < 0 { return sum + bytes }
      guard let starts = starts[key.item], starts.indices.contains(Int(key.segment)),
        starts[Int(key.segment)] <= watched
      else { return sum }
      return sum + bytes
    }
  }

  /// What the ledger of requests has to say against the core's commands.
  func audit(_ ledger: Ledger, linkBytes: Int) {
    let entries = ledger.all
    var asked: [String: Int] = [:]
    for fetch in fetches { asked["\(fetch)", default: 0] += 1 }
    for entry in entries {
      asked["\(entry.request)", default: 0] -= 1
      if entry.end == .finished, entry.bytes != entry.request.size { violated("a request of another size") }
      if entry.end == .running { violated("a request that never ended") }
    }
    for count in asked.values where count != 0 {
      violated(count < 0 ? "fetched what the core did not ask for" : "did not fetch what the core asked for")
    }
    if entries.reduce(0, { $0 + $1.bytes }) != linkBytes { violated("bytes that are not accounted for") }
  }
}

extension SegmentMemory {
  /// Whether a segment of the clip is there with its initialisation section.
  func hasAny(of item: Int32) -> Bool { (0..<64).contains { best(item, $0) != nil } }
}
