import CoreTypes
import MediaCache

/// A host of the cache: carries out every command on a model of memory and disk, and notes what a command
/// gets wrong. Segments are 100 kB, the first 50 kB, an initialisation section 1 kB, in each rendition.
struct CacheHost {
  var cache = MediaCache()
  var now = Instant(0)
  var commands: [MediaCache.Command] = []
  var mistakes: [String] = []
  /// By clip: initialisation section first, then segment by segment.
  private(set) var memory: [Int32: [Stored]] = [:]
  private(set) var memoryBytes: Int64 = 0
  /// By clip: how many segments.
  var disk: [Int32: Int32] = [:]
  var saved: Set<Int32> = []
  private(set) var restoring: [Int32: Range<Int32>] = [:]
  private(set) var window: [Int32] = []
  private(set) var focus = 0
  private var playing: Int32?

  init(memory: Int64 = 10_000_000, disk: Int64 = 10_000_000, used: Int64 = 0) {
    send(.started(memoryBudget: Bytes(memory), diskBudget: Bytes(disk), diskUsed: Bytes(used)))
  }

  struct Stored {
    var renditions: UInt8 = 0
    var bytes: Int64 = 0
  }

  static func size(of segment: Int32) -> Int64 { segment < 0 ? 1_000 : segment == 0 ? 50_000 : 100_000 }

  var pinned: Set<Int32> {
    var pinned = Set(window.indices.contains(focus) ? window[focus...].prefix(2) : [])
    if let playing { pinned.insert(playing) }
    return pinned
  }

  /// First segments without a gap.
  func prefix(of clip: Int32) -> Int32 {
    guard let stored = memory[clip], !stored.isEmpty else { return 0 }
    return Int32(stored.dropFirst().prefix { $0.renditions != 0 }.count)
  }

  func holds(_ clip: Int32, segment: Int32) -> Bool {
    guard let stored = memory[clip] else { return false }
    return Int(segment) + 1 < stored.count && stored[Int(segment) + 1].renditions != 0
  }

  // MARK: Events

  @discardableResult
  mutating func send(_ event: MediaCache.Event) -> [MediaCache.Command] {
    note(event)
    var emitted: [MediaCache.Command] = []
    cache.handle(event, at: now) { emitted.append($0) }
    var removed: Int32?
    if case .itemRemoved(let item) = event { removed = item.rawValue }
    for command in emitted { follow(command, removed: removed) }
    commands += emitted
    return emitted
  }

  mutating func focus(on clip: Int32, behind: Int32 = 2, ahead: Int32 = 4, playing: Int32? = nil) {
    let first = max(0, clip - behind)
    send(
      .focusMoved(
        window: (first...clip + ahead).map { ItemID($0) }, focus: Int(clip - first),
        playing: ItemID(playing ?? clip)))
  }

  mutating func store(_ clip: Int32, _ segments: Range<Int32>, rendition: Int32 = 0) {
    for segment in segments {
      send(
        .segmentStored(
          ItemID(clip), rendition: rendition, segment: segment, Bytes(Self.size(of: segment))))
    }
  }

  mutating func remember(_ clip: Int32, segments: Int32, bytes: Int64, saved isSaved: Bool = false) {
    send(
      .diskHolds(
        ItemID(clip), segments: segments, Bytes(bytes), age: Milliseconds(3_600_000), isSaved: isSaved))
  }

  mutating func wait(_ time: Milliseconds) {
    now = now + time
    send(.woke)
  }

  mutating func take() -> [MediaCache.Command] {
    defer { commands = [] }
    return commands
  }

  private mutating func note(_ event: MediaCache.Event) {
    switch event {
    case .focusMoved(let window, let focus, let playing):
      let isValid = window.indices.contains(focus)
      self.window = isValid ? window.map(\.rawValue) : []
      self.focus = isValid ? focus : 0
      self.playing = playing?.rawValue
    case .segmentStored(let item, let rendition, let segment, let bytes):
      guard (0..<8).contains(rendition), (-1..<2_048).contains(segment) else { return }
      let size = min(max(bytes.rawValue, 0), 1 << 28)
      remember(item.rawValue, Int(segment) + 1, bit: 1 << UInt8(rendition), size)
    case .savedForOffline(let item, let isSaved):
      if isSaved, cache.hasDisk { saved.insert(item.rawValue) }
      if !isSaved { saved.remove(item.rawValue) }
    case .itemRemoved(let item): if playing == item.rawValue { playing = nil }
    case .diskHolds(let item, let segments, let bytes, _, let isSaved):
      guard segments > 0, bytes > .zero, cache.diskBudget > .zero else { return }
      disk[item.rawValue] = min(segments, 2_048)
      if isSaved { saved.insert(item.rawValue) }
    case .restoreFailed(let item):
      if saved.contains(item.rawValue) { disk[item.rawValue] = nil }
    case .persistFailed(let item, let segments, _, _):
      disk[item.rawValue] = disk[item.rawValue].map { min($0, max(0, segments)) }
      if disk[item.rawValue] == 0 { disk[item.rawValue] = nil }
    default: break
    }
  }

  private mutating func remember(_ clip: Int32, _ place: Int, bit: UInt8, _ bytes: Int64) {
    var stored = memory.removeValue(forKey: clip) ?? []
    while stored.count <= place { stored.append(Stored()) }
    if stored[place].renditions & bit == 0 {
      stored[place].renditions |= bit
      stored[place].bytes += bytes
      memoryBytes += bytes
    }
    memory[clip] = stored
  }

  private mutating func forget(_ clip: Int32, keeping: Int32) {
    guard var stored = memory.removeValue(forKey: clip) else { return }
    let kept = keeping == 0 ? 0 : min(stored.count, Int(keeping) + 1)
    for part in stored[kept...] { memoryBytes -= part.bytes }
    stored.removeLast(stored.count - kept)
    if !stored.isEmpty { memory[clip] = stored }
  }

  // MARK: Commands

  private mutating func follow(_ command: MediaCache.Command, removed: Int32?) {
    func check(_ isRight: Bool, _ mistake: String) { if !isRight { mistakes.append(mistake) } }
    switch command {
    case .discard(let item, let keeping):
      let clip = item.rawValue
      check(memory[clip] != nil, "discards what is not held")
      check(!pinned.contains(clip) || clip == removed, "discards what is pinned")
      check(keeping >= 0 && prefix(of: clip) >= keeping, "keeps what is not there")
      forget(clip, keeping: keeping)
    case .restore(let item, let first, let count):
      let clip = item.rawValue
      check(restoring[clip] == nil, "restores twice")
      check(window.contains(clip), "restores outside the window")
      check(first == prefix(of: clip) && count > 0, "restores what memory holds")
      check(first + count <= disk[clip] ?? 0, "restores what the disk lacks")
      restoring[clip] = first..<first + count
    case .restoringEnded(let item):
      check(restoring[item.rawValue] != nil, "ends what did not begin")
      restoring[item.rawValue] = nil
    case .persist(let item, let segments):
      check(segments > disk[item.rawValue] ?? 0, "writes what is there")
      check(segments <= prefix(of: item.rawValue), "writes what memory lacks")
      disk[item.rawValue] = segments
    case .evict(let item, let keeping):
      check(!saved.contains(item.rawValue), "evicts what is saved")
      check(disk[item.rawValue] ?? 0 > keeping, "evicts what is not there")
      disk[item.rawValue] = keeping == 0 ? nil : keeping
    case .evictUnknown(let bytes): check(bytes > .zero, "evicts nothing")
    }
  }

  /// The disk brings what was asked for.
  mutating func deliverRestores() {
    for (clip, range) in restoring.sorted(by: { $0.key < $1.key }) {
      for segment in [-1] + Array(range) where restoring[clip] != nil { store(clip, segment..<segment + 1) }
    }
  }
}
