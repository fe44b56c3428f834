public import CoreTypes

/// Decides which of 3–5 players holds which clip, and which of them plays.
///
/// It refuses to know bytes, pages and gestures. The clips it should hold are named to it in order
/// of importance; it keeps what it has of them, releases the least important, and plays the
/// current one unless there is a reason not to (`PauseReasons`). While the camera is open, and in
/// the background after a while, it holds nothing; then it goes on exactly where and as it was.
/// The player of a picture in picture is pinned: it keeps its clip, and plays beside the current one.
///
/// Invariants:
/// - No clip is in two players, and no more players hold a clip than `capacity`.
/// - At most one player is told to play besides a pinned one, it holds the current clip, and there is no
///   reason to pause.
/// - A clip that is wanted is never released for one that is less wanted, and the current one only
///   while nothing may be held.
/// - Signs (`showBuffering`, `showPaused`) alternate: each is taken back before it is shown again.
public struct PlayerPool: Sendable {
  public static let defaultSize = 3
  public static let sizes = 3...5
  /// A stall shorter than this shows no sign.
  public static let bufferingPatience = Milliseconds(300)
  /// Players keep their clips for this long in the background: whoever only looks at a notice comes
  /// back to the picture that was left.
  public static let backgroundPatience = Milliseconds(2_000)
  /// After a memory warning the pool is smaller; each time this long has passed without another
  /// warning, it has one player more.
  public static let shortageDuration = Milliseconds(60_000)
  /// A first warning leaves the current and the next clip, a second one the current alone.
  static let shortageCapacity = 2
  /// A decoder may fail for a reason of the moment (it was taken by another app): one more try.
  static let attempts: Int32 = 2
  /// Having played this far since it was attached, a clip has its tries again.
  static let recovery = Milliseconds(3_000)

  enum Phase: Equatable, Sendable {
    /// Attached, no frame yet.
    case loading
    /// Shows its first frame (or the one where it was paused).
    case ready
    /// Told to play; `moving` once it does.
    case playing(moving: Bool)
    /// Wants to play and has no data.
    case stalled
    /// Stands at its end: this player does not loop by itself.
    case ended
    case failed
  }

  struct Slot: Sendable {
    var item: ItemID?
    var phase = Phase.loading
    var failures: Int32 = 0
    /// Played, or was put elsewhere, since it was last at its start.
    var hasMoved = false
    /// Where it was when it was attached.
    var start = Milliseconds.zero
  }

  /// Why the current clip does not play. One does not undo the other: a clip that the person paused
  /// is still paused after the app was in the background.
  public struct PauseReasons: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A tap; or the browser refused to start by itself, which only a tap can change.
    public static let person = PauseReasons(rawValue: 1)
    public static let scrubbing = PauseReasons(rawValue: 2)
    /// Somebody writes a message.
    public static let composer = PauseReasons(rawValue: 4)
    public static let background = PauseReasons(rawValue: 8)
    public static let camera = PauseReasons(rawValue: 16)
    /// Energy or data do not allow to start without being asked.
    public static let limits = PauseReasons(rawValue: 32)
    /// Those that a tap undoes, and that have a sign.
    static let tappable: PauseReasons = [.person, .limits]
    /// Those that are about the clip, not about the app.
    static let ofClip: PauseReasons = [.person, .limits, .scrubbing]
  }

  var slots: [Slot] = []
  /// In order of importance, the current one first.
  private(set) var wanted: [ItemID] = []
  public private(set) var current: ItemID?
  public internal(set) var pauses = PauseReasons()
  var pin: Pin?
  /// What `hearOnly` said last.
  var onlyHeard: PlayerID?
  /// Where the current clip is, for when its player is taken away.
  var place = Milliseconds.zero
  private var playsByItself = true
  /// The person tapped since this clip became current.
  var isAsked = false
  private var muted = true
  /// When the players of a hidden app are released; `nil` if it is not hidden or they are.
  private var releaseAt: Instant?
  private var isReleased = false
  /// Players that may hold a clip while memory is short.
  private var shortage: Int?
  private var growsAt: Instant?
  private var showsPaused = false
  private var showsBuffering = false
  /// Since when the current clip keeps the person waiting.
  private var waitingSince: Instant?

  public init() {}

  /// How many players may hold a clip now.
  public var capacity: Int {
    let isAway = isReleased || pauses.contains(.camera)
    return max(isAway ? 0 : min(slots.count, shortage ?? slots.count), pinnedCapacity(isAway: isAway))
  }

  public var nextWake: Instant? {
    var wake = earlier(growsAt, releaseAt)
    if let waitingSince, !showsBuffering {
      wake = earlier(wake, waitingSince + Self.bufferingPatience)
    }
    return wake
  }

  /// The clip is paused, and a tap lets it play.
  public var goesOnByTap: Bool { !pauses.isDisjoint(with: .tappable) }

  public func item(in player: PlayerID) -> ItemID? {
    slots.indices.contains(Int(player.rawValue)) ? slots[Int(player.rawValue)].item : nil
  }

  public mutating func handle(_ event: Event, at now: Instant, emit: (Command) -> Void) {
    switch event {
    case .started(let players): start(players, emit: emit)
    case .focusMoved(let current, let wanted):
      move(to: current, wanted: wanted, emit: emit)
    case .settled: rewindHidden(emit: emit)
    case .firstFrameReady(let player, let item):
      if let index = slot(player, item) { becomeReady(index, emit) }
    case .playbackAdvanced(let player, let item):
      if let index = slot(player, item) { advance(index) }
    case .playbackStalled(let player, let item):
      if let index = slot(player, item) { stall(index) }
    case .playbackEnded(let player, let item):
      if let index = slot(player, item) { end(index) }
    case .positionChanged(let player, let item, let position):
      note(position, of: item, in: player)
    case .looped(let player, let item):
      note(.zero, of: item, in: player)
      if let index = slot(player, item) { slots[index].failures = 0 }
    case .playerFailed(let player, let item):
      if let index = slot(player, item) { fail(index, emit) }
    case .autoplayRefused(let player, let item):
      if let index = slot(player, item) { refuseAutoplay(index, emit) }
    case .pictureInPictureBegan(let player, let item):
      if let index = slot(player, item) { setPin(to: index) }
    case .pictureInPictureEnded(let item): if item == pinnedItem { pin = nil }
    case .pictureInPicturePlayed(let player, let item, let isOn):
      if let index = slot(player, item), index == pin?.index { playPinned(isOn) }
    case .tapped: tap()
    case .soundSet(let isOn): setMuted(!isOn, emit: emit)
    case .scrubBegan: if current != nil { pauses.insert(.scrubbing) }
    case .scrubMoved(let position): seekCurrent(to: position, emit: emit)
    case .scrubEnded(let position):
      seekCurrent(to: position, emit: emit)
      pauses.remove(.scrubbing)
    case .composerHeld(let holds):
      if holds { pauses.insert(.composer) } else { pauses.remove(.composer) }
    case .limitsChanged(let limits): obey(limits)
    case .cameraOpened:
      pin = nil
      pauses.insert(.camera)
    case .cameraClosed: pauses.remove(.camera)
    case .backgrounded: hide(at: now)
    case .foregrounded: comeBack()
    case .memoryWarned: shrink(at: now)
    case .woke: wake(at: now)
    }
    // Pauses come before releases, so that a player that is taken away stands where it was.
    playOrPause(emit: emit)
    assign(emit: emit)
    updateSigns(at: now, emit: emit)
  }

  private mutating func start(_ players: Int32, emit: (Command) -> Void) {
    for index in slots.indices { release(index, emit: emit) }
    pin = nil
    let size = min(max(players, Int32(Self.sizes.lowerBound)), Int32(Self.sizes.upperBound))
    slots = Array(repeating: Slot(), count: Int(size))
    emit(.setMuted(muted))
  }

  // MARK: Who holds what

  private mutating func move(to current: ItemID?, wanted: [ItemID], emit: (Command) -> Void) {
    if current != self.current {
      self.current = current
      pauses.subtract(.ofClip)
      if !playsByItself, current != nil { pauses.insert(.limits) }
      isAsked = false
      place = .zero
      comeToPinned()
    }
    self.wanted.removeAll(keepingCapacity: true)
    if let current { self.wanted.append(current) }
    for item in wanted where !self.wanted.contains(item) && self.wanted.count < Self.sizes.upperBound {
      self.wanted.append(item)
    }
  }

  /// Gives the most wanted clips players: first releases, farthest first, then loads.
  private mutating func assign(emit: (Command) -> Void) {
    let capacity = capacity
    while let index = farthest(beyond: capacity) { release(index, emit: emit) }
    for item in wanted where rank(of: item) < capacity && !slots.contains(where: { $0.item == item }) {
      guard let free = slots.firstIndex(where: { $0.item == nil }) else { return }
      attach(item, to: free, emit: emit)
    }
  }

  /// The player whose clip ranks last among the wanted ones, if it is not among the first so many.
  private func farthest(beyond capacity: Int) -> Int? {
    var farthest: (index: Int, rank: Int)?
    for index in slots.indices {
      guard let item = slots[index].item else { continue }
      let rank = rank(of: item)
      if rank >= capacity, farthest.map({ rank >= $0.rank }) ?? true {
        farthest = (index, rank)
      }
    }
    return farthest?.index
  }

  private mutating func attach(_ item: ItemID, to index: Int, failures: Int32 = 0, emit: (Command) -> Void) {
    let player = PlayerID(Int32(index))
    slots[index] = Slot(item: item, failures: failures)
    emit(.load(player, item))
    guard item == current, place > .zero else { return }
    slots[index].start = place
    slots[index].hasMoved = true
    emit(.seek(player, place))
  }

  private mutating func release(_ index: Int, emit: (Command) -> Void) {
    guard let item = slots[index].item else { return }
    if index == pin?.index { pin = nil }
    slots[index] = Slot()
    emit(.readinessChanged(item, isReady: false))
    emit(.release(PlayerID(Int32(index))))
  }

  private mutating func hide(at now: Instant) {
    if !pauses.contains(.background) { releaseAt = now + Self.backgroundPatience }
    pauses.insert(.background)
  }

  private mutating func comeBack() {
    pauses.remove(.background)
    releaseAt = nil
    isReleased = false
  }

  private mutating func shrink(at now: Instant) {
    shortage = (shortage ?? slots.count) > Self.shortageCapacity ? Self.shortageCapacity : 1
    growsAt = now + Self.shortageDuration
  }

  private mutating func wake(at now: Instant) {
    if let due = releaseAt, now >= due {
      releaseAt = nil
      isReleased = true
    }
    guard let due = growsAt, let players = shortage, now >= due else { return }
    shortage = players + 1 < slots.count ? players + 1 : nil
    growsAt = shortage == nil ? nil : now + Self.shortageDuration
  }

  // MARK: What players report

  /// Events of a clip that its player no longer holds are late, not wrong: they are dropped.
  func slot(_ player: PlayerID, _ item: ItemID) -> Int? {
    self.item(in: player) == item ? Int(player.rawValue) : nil
  }

  private mutating func becomeReady(_ index: Int, _ emit: (Command) -> Void) {
    guard slots[index].phase == .loading, let item = slots[index].item else { return }
    slots[index].phase = .ready
    emit(.readinessChanged(item, isReady: true))
  }

  private mutating func advance(_ index: Int) {
    slots[index].hasMoved = true
    switch slots[index].phase {
    case .playing, .stalled: slots[index].phase = .playing(moving: true)
    case .loading, .ready, .ended, .failed: break
    }
  }

  private mutating func stall(_ index: Int) {
    if case .playing = slots[index].phase { slots[index].phase = .stalled }
  }

  private mutating func end(_ index: Int) {
    guard slots[index].isAttachedAndShown else { return }
    slots[index].hasMoved = true
    slots[index].phase = .ended
    if slots[index].item == current { place = .zero }
  }

  /// NB: a player that is paused and released at once reports its last position afterwards.
  private mutating func note(_ position: Milliseconds, of item: ItemID, in player: PlayerID) {
    let index = slot(player, item)
    if index != nil, index == pin?.index { pin?.place = Self.sensible(position) }
    guard item == current, index != nil || currentSlot() == nil else { return }
    place = Self.sensible(position)
    guard let index, place - slots[index].start >= Self.recovery || place < slots[index].start
    else { return }
    slots[index].failures = 0
  }

  private static func sensible(_ position: Milliseconds) -> Milliseconds {
    min(max(.zero, position), PlaybackDescriptor.maxDuration)
  }

  private mutating func fail(_ index: Int, _ emit: (Command) -> Void) {
    guard slots[index].phase != .failed, let item = slots[index].item else { return }
    if index == pin?.index { pin = nil }
    let player = PlayerID(Int32(index))
    let failures = slots[index].failures + 1
    if slots[index].phase != .loading { emit(.readinessChanged(item, isReady: false)) }
    if failures < Self.attempts {
      emit(.release(player))
      attach(item, to: index, failures: failures, emit: emit)
    } else {
      if slots[index].isPlayRequested { emit(.pause(player)) }
      slots[index].phase = .failed
      emit(.itemFailed(item))
    }
  }

  /// With sound refused, plays without; refused even so, waits for a tap.
  private mutating func refuseAutoplay(_ index: Int, _ emit: (Command) -> Void) {
    guard slots[index].item == current else { return }
    if muted {
      pauses.insert(.person)
    } else {
      setMuted(true, emit: emit)
    }
    guard slots[index].isPlayRequested else { return }
    slots[index].phase = .ready
    emit(.pause(PlayerID(Int32(index))))
  }

  private mutating func setMuted(_ muted: Bool, emit: (Command) -> Void) {
    guard muted != self.muted else { return }
    self.muted = muted
    emit(.setMuted(muted))
  }

  // MARK: Playing

  private mutating func tap() {
    guard current != nil else { return }
    isAsked = true
    if goesOnByTap { pauses.subtract(.tappable) } else { pauses.insert(.person) }
  }

  /// What plays goes on; what has not begun yet does not begin without being asked.
  private mutating func obey(_ limits: PlaybackLimits) {
    playsByItself = limits.playsByItself
    if playsByItself { pauses.remove(.limits) }
    guard !playsByItself, !isAsked, current != nil, place == .zero else { return }
    if let index = currentSlot(), slots[index].isPlayRequested || slots[index].hasMoved { return }
    pauses.insert(.limits)
  }

  /// Where a clip was left is no place to come back to: it starts anew. Done only once its page is
  /// out of sight, or one would see the jump.
  private mutating func rewindHidden(emit: (Command) -> Void) {
    for index in slots.indices
    where slots[index].item != current && index != pin?.index && slots[index].hasMoved {
      slots[index].hasMoved = false
      if slots[index].phase == .ended { slots[index].phase = .ready }
      emit(.seek(PlayerID(Int32(index)), .zero))
    }
  }

  private func currentSlot() -> Int? {
    guard let current else { return nil }
    return slots.firstIndex { $0.item == current }
  }

  private mutating func seekCurrent(to position: Milliseconds, emit: (Command) -> Void) {
    guard pauses.contains(.scrubbing), let index = currentSlot(), slots[index].isAttachedAndShown
    else { return }
    place = Self.sensible(position)
    slots[index].hasMoved = true
    if slots[index].phase == .ended { slots[index].phase = .ready }
    emit(.seek(PlayerID(Int32(index)), place))
  }

  private mutating func playOrPause(emit: (Command) -> Void) {
    for index in slots.indices where slots[index].isPlayRequested && !mayPlay(index) {
      slots[index].phase = .ready
      emit(.pause(PlayerID(Int32(index))))
    }
    for index in slots.indices where mayPlay(index) { play(index, emit: emit) }
  }

  private func mayPlay(_ index: Int) -> Bool {
    let isPinned = index == pin?.index
    guard slots[index].item == current, current != nil else { return isPinned && pinPlays }
    return (isPinned ? pauses.subtracting(.background) : pauses).isEmpty
  }

  private mutating func play(_ index: Int, emit: (Command) -> Void) {
    let player = PlayerID(Int32(index))
    switch slots[index].phase {
    case .ended: emit(.seek(player, .zero))
    case .ready: break
    case .loading, .playing, .stalled, .failed: return
    }
    slots[index].phase = .playing(moving: false)
    emit(.play(player))
  }

  private mutating func updateSigns(at now: Instant, emit: (Command) -> Void) {
    hearPinned(emit: emit)
    if goesOnByTap != showsPaused {
      showsPaused = goesOnByTap
      emit(.showPaused(showsPaused))
    }
    let waits =
      pauses.isEmpty && current != nil && (currentSlot().map { slots[$0].keepsWaiting } ?? true)
    if !waits { waitingSince = nil } else if waitingSince == nil { waitingSince = now }
    let shows = waitingSince.map { now >= $0 + Self.bufferingPatience } ?? false
    if shows != showsBuffering {
      showsBuffering = shows
      emit(.showBuffering(shows))
    }
  }
}

extension PlayerPool.Slot {
  var isPlayRequested: Bool {
    switch phase {
    case .playing, .stalled: true
    case .loading, .ready, .ended, .failed: false
    }
  }

  var isAttachedAndShown: Bool { phase == .ready || phase == .ended || isPlayRequested }

  var keepsWaiting: Bool {
    switch phase {
    case .loading, .stalled: true
    case .playing(let moving): !moving
    case .ready, .ended, .failed: false
    }
  }
}
