public import CoreTypes

/// Decides what stays of the clips' bytes, in memory and on disk: what goes first when either is full, what
/// is written down for another visit, and what is read back.
///
/// It refuses to know renditions' addresses, requests and players. It sees the clips around the current one,
/// what was stored of each, and what the host says of its disk.
///
/// In memory, what plays, the clip of a picture in picture, the clip in focus and the next one are pinned.
/// Clips outside the window and tails of clips left behind go first, then the rest of the window; of each
/// clip the tail before the head (initialisation sections and first segment), always the part whose bytes are
/// worth least (`RetentionValue`).
///
/// On disk is only what has value beyond the session, since writing costs battery and wears the disk: a
/// clip that the person saved, as it arrives; a clip that was watched long or through, once, when the person
/// leaves it; and when the app goes to the background, the current clip and those ahead, as far as memory
/// holds them, so that the next start shows something without network. The last two only as `PlaybackLimits`
/// allow.
///
/// Invariants:
/// - What is pinned is never discarded or trimmed, unless the clip itself is removed.
/// - After each event, memory holds more than its budget only by what is pinned.
/// - A head goes only after its tail or with it.
/// - Storing `room` bytes more drops nothing of the clips ahead and no head of the window. Once want of room
///   took such a thing, or something of the window that came after the focus moved last, `room` is zero until
///   it moves: what was dropped is not fetched again at once, for ever.
/// - What is not saved takes at most the disk budget less what is saved. What is saved is evicted only when
///   the person asks for it.
/// - No command names what is not there: `discard` and `evict` what is held, `persist` what memory holds,
///   `restore` what the disk has and memory lacks.
/// - A disk that fails three times to write is not written any more, one that fails three times to read not
///   read; a clip that could not be read in time is not asked for again.
///
/// Work per event: at most 128 evictions from memory, each a look at 64 clips, and 512 from disk, each a
/// look at 256; without eviction, linear in these tables and in the segments of the clips of the window.
/// Nothing is allocated once the tables have grown to their size.
public struct MediaCache: Sendable {
  public static let defaultMemoryBudget = Bytes(48 << 20)
  /// More is a mistake of the host, or would overflow its address space.
  public static let largestMemoryBudget = Bytes(1 << 30)
  static let largestDiskBudget = Bytes(1 << 40)
  /// What memory warnings leave of the budget at least.
  static let smallestMemoryBudget = Bytes(8 << 20)
  /// After a memory warning nothing is fetched far ahead for this long (as long as the player pool stays
  /// small).
  public static let shortageDuration = Milliseconds(60_000)
  /// A position from here on counts as watched long. Clips are left within their first seconds or kept.
  public static let longWatch = Milliseconds(12_000)
  /// A disk that brings no segment for this long is slower than the network.
  public static let restorePatience = Milliseconds(2_000)
  static let maxClips = 64
  static let maxEntries = 256
  static let maxFailures = 3
  /// Clips on either side of the focus that count as the window.
  public static let reach = 8
  /// Segments of the next clip that are read back, and of those beyond.
  static let restoredAhead: (next: Int32, beyond: Int32) = (3, 1)

  struct Restore: Sendable {
    let item: ItemID
    let end: Int32
    var until: Instant
  }

  var clips: [CachedClip] = []
  var entries: [DiskEntry] = []
  var restores: [Restore] = []
  public private(set) var memoryBudget = Self.defaultMemoryBudget
  public internal(set) var memoryBytes = Bytes.zero
  public internal(set) var diskBudget = Bytes.zero
  /// On disk from earlier visits, of clips that no event has named.
  var unknownBytes = Bytes.zero
  var readFailures = 0
  var writeFailures = 0
  var limits = PlaybackLimits.unlimited
  var window: [ItemID] = []
  private var focus = 0
  private var playing: ItemID?
  private var pinned: ItemID?
  /// Moves of the focus so far.
  var turn: Int64 = 0
  /// Want of room took something since the focus moved that would be fetched again.
  var isFull = false
  private var shortageUntil: Instant?
  var now = Instant(.min)

  public init() {
    clips.reserveCapacity(Self.maxClips)
    entries.reserveCapacity(Self.maxEntries)
  }

  /// What may still be stored of clips other than the current and the next without dropping anything of the
  /// clips ahead, nor a head of the window. Downloads under way are not taken off: whoever starts them knows
  /// them.
  public var room: Bytes {
    if isFull || shortageUntil != nil { return .zero }
    var free = memoryBudget
    for clip in clips {
      guard let item = clip.item else { continue }
      free -= isPinned(item) ? clip.bytes : clip.guardedBytes
    }
    for restore in restores { free -= missingBytes(of: restore) }
    return max(.zero, free)
  }

  /// There is a disk, and it can be written. Else nothing can be saved for offline.
  public var hasDisk: Bool { diskBudget > .zero && writeFailures < Self.maxFailures }

  /// What `clearRequested` would free on disk.
  public var clearableDiskBytes: Bytes { diskBytes(saved: false) + unknownBytes }

  public var savedDiskBytes: Bytes { diskBytes(saved: true) }

  public var nextWake: Instant? {
    var wake = shortageUntil
    for restore in restores { wake = earlier(wake, restore.until) }
    return wake
  }

  public mutating func handle(_ event: Event, at time: Instant, emit: (Command) -> Void) {
    now = max(now, time)
    switch event {
    case .started(let memory, let disk, let used):
      memoryBudget = memory > .zero ? min(memory, Self.largestMemoryBudget) : Self.defaultMemoryBudget
      diskBudget = min(max(disk, .zero), Self.largestDiskBudget)
      unknownBytes = hasDisk ? min(max(used, .zero), Self.largestDiskBudget) : .zero
      if hasDisk { shrinkDisk(emit) }
    case .focusMoved(let window, let focus, let playing):
      move(to: window, focus: focus, playing: playing, emit)
    case .segmentStored(let item, let rendition, let segment, let bytes):
      store(item, rendition: rendition, segment: segment, bytes, emit)
    case .pinned(let item): pinned = item
    case .positionChanged(let item, let position):
      if position >= Self.longWatch { watched(item) }
    case .looped(let item): watched(item)
    case .itemRemoved(let item): remove(item, emit)
    case .diskHolds(let item, let segments, let bytes, let age, let isSaved):
      learn(item, segments: segments, bytes, age: age, isSaved: isSaved, emit)
    case .restoreFailed(let item): restoreFailed(item, emit)
    case .persistFailed(let item, let segments, let bytes, let isFull):
      persistFailed(item, segments: segments, bytes, isFull: isFull, emit)
    case .savedForOffline(let item, let isSaved): save(item, isSaved, emit)
    case .clearRequested:
      dropUnpinned(emit) { _ in true }
      clearDisk(emit)
    case .limitsChanged(let limits): self.limits = limits
    case .memoryWarned: sufferShortage(emit)
    case .backgrounded:
      persistAhead(emit)
      dropUnpinned(emit) { $0.distance == nil }
    case .woke: break
    }
    if let until = shortageUntil, now >= until { shortageUntil = nil }
    endOverdueRestores(emit)
    makeRoom(emit)
  }

  // MARK: The window

  var focused: ItemID? { window.indices.contains(focus) ? window[focus] : nil }

  func distance(of item: ItemID) -> Int32? {
    window.firstIndex(of: item).map { Int32($0 - focus) }
  }

  func isPinned(_ item: ItemID) -> Bool {
    if item == playing || item == pinned { return true }
    return window.indices.contains(focus) && window[focus...].prefix(2).contains(item)
  }

  private mutating func move(
    to window: [ItemID], focus: Int, playing: ItemID?, _ emit: (Command) -> Void
  ) {
    let before = (focused: focused, playing: self.playing)
    take(window, focus: focus)
    self.playing = playing
    if focused != before.focused {
      turn += 1
      isFull = false
    }
    for index in clips.indices {
      guard let item = clips[index].item else { continue }
      clips[index].distance = distance(of: item)
      if clips[index].distance != nil { clips[index].lastTurn = turn }
    }
    if let left = before.focused, left != focused { leave(left, emit) }
    if let left = before.playing, left != playing, left != before.focused { leave(left, emit) }
    if let focused { noteShown(focused) }
    makeRoom(emit)
    endRestoresOutside(emit)
    for item in self.window { restore(item, emit) }
  }

  /// At most `reach` clips on either side; a focus that is none of them leaves an empty window.
  private mutating func take(_ window: [ItemID], focus: Int) {
    self.window.removeAll(keepingCapacity: true)
    self.focus = 0
    guard window.indices.contains(focus) else { return }
    let first = max(0, focus - Self.reach)
    self.window += window[first...min(window.count - 1, focus + Self.reach)]
    self.focus = focus - first
  }

  private mutating func watched(_ item: ItemID) {
    guard item == playing || item == focused, let index = place(of: item) else { return }
    clips[index].isWatched = true
  }

  private mutating func leave(_ item: ItemID, _ emit: (Command) -> Void) {
    guard let index = place(of: item), clips[index].isWatched else { return }
    persist(item, as: .watched, emit)
  }

  private mutating func remove(_ item: ItemID, _ emit: (Command) -> Void) {
    if playing == item { playing = nil }
    if let index = place(of: item) { drop(index, emit) }
    endRestore(of: item, emit)
    if let index = copyPlace(of: item), !entries[index].isSaved { evict(index, keeping: 0, emit) }
  }

  /// The system is short of memory: the pinned clips stay, and the budget shrinks by a quarter for good,
  /// since whoever was warned once is killed the second time.
  private mutating func sufferShortage(_ emit: (Command) -> Void) {
    dropUnpinned(emit) { _ in true }
    shortageUntil = now + Self.shortageDuration
    let less = Bytes(memoryBudget.rawValue / 4 * 3)
    memoryBudget = min(memoryBudget, max(less, Self.smallestMemoryBudget))
  }
}
