public import CoreTypes

/// Decides which of 3–5 players holds which clip, and which of them plays.
///
/// It refuses to know bytes, pages and gestures. The clips it should hold are named to it in order
/// of importance; it keeps what it has of them, releases the least important, and plays the
/// current one unless the person, the background or the browser says no.
///
/// Invariants:
/// - No clip is in two players, and no more players hold a clip than `capacity`.
/// - At most one player is told to play, and it holds the current clip.
/// - A clip that is wanted is never released for one that is less wanted.
/// - Signs (`showBuffering`, `showPaused`) alternate: each is taken back before it is shown again.
public struct PlayerPool: Sendable {
  public static let defaultSize = 3
  public static let sizes = 3...5
  /// A stall shorter than this shows no sign.
  public static let bufferingPatience = Milliseconds(300)
  /// After a memory warning only the current and the next clip are held for this long.
  public static let shortageDuration = Milliseconds(60_000)
  static let shortageCapacity = 2
  /// A decoder may fail for a reason of the moment (it was taken by another app): one more try.
  static let attempts: Int32 = 2

  enum Phase: Equatable, Sendable {
    /// Attached, no frame yet.
    case loading
    /// Shows its first frame (or the one where it was paused).
    case ready
    /// Told to play; `moving` once it does.
    case playing(moving: Bool)
    /// Wants to play and has no data.
    case stalled
    case failed
  }

  struct Slot: Sendable {
    var item: ItemID?
    var phase = Phase.loading
    var failures: Int32 = 0
    /// Played since it was last at its start.
    var hasMoved = false
  }

  var slots: [Slot] = []
  /// In order of importance, the current one first (or second, while another is waited for).
  private var wanted: [ItemID] = []
  public private(set) var current: ItemID?
  private var pausedByPerson = false
  private var scrubbing = false
  private var inBackground = false
  private var muted = true
  private var shortageUntil: Instant?
  private var showsPaused = false
  private var showsBuffering = false
  /// Since when the current clip keeps the person waiting.
  private var waitingSince: Instant?

  public init() {}

  /// How many players may hold a clip now.
  public var capacity: Int {
    shortageUntil == nil ? slots.count : min(slots.count, Self.shortageCapacity)
  }

  public var nextWake: Instant? {
    var wake = shortageUntil
    if let waitingSince, !showsBuffering {
      wake = earlier(wake, waitingSince + Self.bufferingPatience)
    }
    return wake
  }

  public func item(in player: PlayerID) -> ItemID? {
    slots.indices.contains(Int(player.rawValue)) ? slots[Int(player.rawValue)].item : nil
  }

  public mutating func handle(_ event: Event, at now: Instant, emit: (Command) -> Void) {
    switch event {
    case .started(let players):
      let size = min(max(players, Int32(Self.sizes.lowerBound)), Int32(Self.sizes.upperBound))
      slots = Array(repeating: Slot(), count: Int(size))
      emit(.setMuted(muted))
    case .focusMoved(let current, let wanted):
      move(to: current, wanted: wanted, emit: emit)
    case .settled: rewindHidden(emit: emit)
    case .firstFrameReady(let player, let item):
      if let index = slot(player, item) { becomeReady(index, emit) }
    case .playbackAdvanced(let player, let item):
      if let index = slot(player, item) { advance(index) }
    case .playbackStalled(let player, let item):
      if let index = slot(player, item) { stall(index) }
    case .playerFailed(let player, let item):
      if let index = slot(player, item) { fail(index, emit) }
    case .autoplayRefused(let player, let item):
      if let index = slot(player, item) { refuseAutoplay(index, emit) }
    case .tapped: pausedByPerson.toggle()
    case .soundSet(let isOn): setMuted(!isOn, emit: emit)
    case .scrubBegan: scrubbing = true
    case .scrubMoved(let position): seekCurrent(to: position, emit: emit)
    case .scrubEnded(let position):
      seekCurrent(to: position, emit: emit)
      scrubbing = false
    case .backgrounded: inBackground = true
    case .foregrounded: inBackground = false
    case .memoryWarned:
      shortageUntil = now + Self.shortageDuration
      assign(emit: emit)
    case .woke:
      if let until = shortageUntil, now >= until {
        shortageUntil = nil
        assign(emit: emit)
      }
    }
    playOrPause(emit: emit)
    updateSigns(at: now, emit: emit)
  }

  // MARK: Who holds what

  private mutating func move(to current: ItemID?, wanted: [ItemID], emit: (Command) -> Void) {
    if current != self.current {
      pausedByPerson = false
      scrubbing = false
      self.current = current
    }
    self.wanted = wanted
    assign(emit: emit)
  }

  /// Gives the most wanted clips players: first releases, farthest first, then loads.
  private mutating func assign(emit: (Command) -> Void) {
    let kept = Array(wanted.prefix(capacity))
    var unwanted = slots.indices.filter { index in
      guard let item = slots[index].item else { return false }
      return !kept.contains(item)
    }
    unwanted.sort { importance(of: $0) > importance(of: $1) }
    for index in unwanted { release(index, emit: emit) }
    for item in kept where !slots.contains(where: { $0.item == item }) {
      guard let free = slots.firstIndex(where: { $0.item == nil }) else { return }
      slots[free] = Slot(item: item)
      emit(.load(PlayerID(Int32(free)), item))
    }
  }

  /// Rank of a player's clip among the wanted ones; larger is farther.
  private func importance(of index: Int) -> Int {
    wanted.firstIndex { $0 == slots[index].item } ?? (wanted.count + index)
  }

  private mutating func release(_ index: Int, emit: (Command) -> Void) {
    guard let item = slots[index].item else { return }
    slots[index] = Slot()
    emit(.readinessChanged(item, isReady: false))
    emit(.release(PlayerID(Int32(index))))
  }

  // MARK: What players report

  /// Events of a clip that its player no longer holds are late, not wrong: they are dropped.
  private func slot(_ player: PlayerID, _ item: ItemID) -> Int? {
    self.item(in: player) == item ? Int(player.rawValue) : nil
  }

  private mutating func becomeReady(_ index: Int, _ emit: (Command) -> Void) {
    guard slots[index].phase == .loading, let item = slots[index].item else { return }
    slots[index].phase = .ready
    emit(.readinessChanged(item, isReady: true))
  }

  private mutating func advance(_ index: Int) {
    slots[index].hasMoved = true
    slots[index].failures = 0
    switch slots[index].phase {
    case .playing, .stalled: slots[index].phase = .playing(moving: true)
    case .loading, .ready, .failed: break
    }
  }

  private mutating func stall(_ index: Int) {
    if case .playing = slots[index].phase { slots[index].phase = .stalled }
  }

  private mutating func fail(_ index: Int, _ emit: (Command) -> Void) {
    guard slots[index].phase != .failed, let item = slots[index].item else { return }
    let player = PlayerID(Int32(index))
    let failures = slots[index].failures + 1
    if slots[index].phase != .loading { emit(.readinessChanged(item, isReady: false)) }
    if failures < Self.attempts {
      slots[index] = Slot(item: item, failures: failures)
      emit(.release(player))
      emit(.load(player, item))
    } else {
      if slots[index].isToldToPlay { emit(.pause(player)) }
      slots[index].phase = .failed
      emit(.itemFailed(item))
    }
  }

  /// With sound refused, plays without; refused even so, waits for a tap.
  private mutating func refuseAutoplay(_ index: Int, _ emit: (Command) -> Void) {
    guard slots[index].item == current else { return }
    if muted {
      pausedByPerson = true
    } else {
      setMuted(true, emit: emit)
    }
    guard slots[index].isToldToPlay else { return }
    slots[index].phase = .ready
    emit(.pause(PlayerID(Int32(index))))
  }

  private mutating func setMuted(_ muted: Bool, emit: (Command) -> Void) {
    guard muted != self.muted else { return }
    self.muted = muted
    emit(.setMuted(muted))
  }

  // MARK: Playing

  /// Where a clip was left is no place to come back to: it starts anew. Done only once its page is
  /// out of sight, or one would see the jump.
  private mutating func rewindHidden(emit: (Command) -> Void) {
    for index in slots.indices where slots[index].item != current && slots[index].hasMoved {
      slots[index].hasMoved = false
      emit(.seek(PlayerID(Int32(index)), .zero))
    }
  }

  private func currentSlot() -> Int? {
    guard let current else { return nil }
    return slots.firstIndex { $0.item == current }
  }

  private mutating func seekCurrent(to position: Milliseconds, emit: (Command) -> Void) {
    guard let index = currentSlot(), slots[index].isAttachedAndShown else { return }
    slots[index].hasMoved = true
    emit(.seek(PlayerID(Int32(index)), max(.zero, position)))
  }

  private mutating func playOrPause(emit: (Command) -> Void) {
    let shouldPlay = !pausedByPerson && !scrubbing && !inBackground
    for index in slots.indices where slots[index].isToldToPlay {
      guard slots[index].item != current || !shouldPlay else { continue }
      slots[index].phase = .ready
      emit(.pause(PlayerID(Int32(index))))
    }
    guard shouldPlay, let index = currentSlot(), slots[index].phase == .ready else { return }
    slots[index].phase = .playing(moving: false)
    emit(.play(PlayerID(Int32(index))))
  }

  private mutating func updateSigns(at now: Instant, emit: (Command) -> Void) {
    if pausedByPerson != showsPaused {
      showsPaused = pausedByPerson
      emit(.showPaused(showsPaused))
    }
    var waits = false
    if !pausedByPerson, !inBackground, !scrubbing, let index = currentSlot() {
      waits = slots[index].keepsWaiting
    } else if current != nil, currentSlot() == nil {
      waits = true
    }
    if !waits { waitingSince = nil } else if waitingSince == nil { waitingSince = now }
    let shows = waitingSince.map { now >= $0 + Self.bufferingPatience } ?? false
    if shows != showsBuffering {
      showsBuffering = shows
      emit(.showBuffering(shows))
    }
  }
}

extension PlayerPool.Slot {
  var isToldToPlay: Bool {
    switch phase {
    case .playing, .stalled: true
    case .loading, .ready, .failed: false
    }
  }

  var isAttachedAndShown: Bool { phase == .ready || isToldToPlay }

  var keepsWaiting: Bool {
    switch phase {
    case .loading, .stalled: true
    case .playing(let moving): !moving
    case .ready, .failed: false
    }
  }
}
