internal import Composer
public import CoreTypes
internal import EnergyBudget
internal import FeedPager
internal import MediaCache
internal import PlayerPool
internal import Prefetch
internal import Taps

#if !hasFeature(Embedded)
  public import Lookahead
#endif

/// One person's feed: wires the machines to each other and to the host.
///
/// It decides nothing of its own but who hears what: events go to the machines they concern, what
/// one machine finds out (a clip is ready, gone, measured) is told to the others, the rest goes out
/// as commands. The only target that knows more than one machine.
///
/// Invariants: those of its machines; time never runs backwards for them; a `wake` is asked for
/// whenever a machine has a deadline; the descriptors of at most `heldReach * 2 + 1` clips are held.
public struct FeedSession: Sendable {
  /// No host is woken sooner than this.
  private static let shortestWake = Milliseconds(1)

  var pager = FeedPager()
  private var taps = Taps()
  private var pool = PlayerPool()
  var prefetch: Prefetch
  var cache = MediaCache()
  private var energy = EnergyBudget()
  private var composer = Composer()
  var clock = Clock()
  private var focus = Focus()
  /// The pager's when `focus` and `descriptions` were last brought in line with it.
  private var revision: UInt32 = 0
  /// What is allowed now: for receivers that choose renditions by themselves. Here the prefetch keeps to it.
  public var limits: PlaybackLimits { energy.limits }
  var descriptions = ItemTable<Description>()
  /// Else the host's players fetch by themselves, and nobody needs descriptors.
  private(set) var usesByteRanges = false
  private var memoryBudget = Bytes.zero
  private var inBackground = false
  private var cameraIsOpen = false
  private var feedIsLocked = false
  private var somebodyWrites = false
  private var showsTrouble = false
  private var wakeAt: Instant?
  /// The clip in picture in picture, as cache and prefetch were told last.
  private(set) var pinned: ItemID?
  /// Clips found unplayable while an event was handled; removed when it is through.
  var failedItems: [ItemID] = []

  /// What the pool and the prefetch were told last.
  private struct Focus: Equatable, Sendable {
    var current: ItemID?
    var window: [ItemID] = []
    var place = 0
  }

  public init() { prefetch = Prefetch() }

  #if !hasFeature(Embedded)
    /// With other prices than the product's, for trying them out.
    public init(_ objective: Objective) { prefetch = Prefetch(objective) }
  #endif

  /// With decisions that take less work than those of the product, for tests that make a million.
  public init(leastEffort: Bool) { prefetch = Prefetch(leastEffort: leastEffort) }

  public mutating func handle(_ event: Event, at time: Instant, emit: (Command) -> Void) {
    if clock.advance(to: time) { wakeAt = nil }
    switch event {
    case .started(let configuration): start(configuration, emit)
    case .itemAppended(let item, let descriptor):
      send(pager: .itemAppended(item), emit)
      take(item, descriptor, emit)
    case .itemInserted(let item, let place, let descriptor):
      send(pager: .itemInserted(item, before: place), emit)
      take(item, descriptor, emit)
    case .itemDescribed(let item, let descriptor): take(item, descriptor, emit)
    case .itemRefused(let item): refuse(item, emit)
    case .itemRemoved(let item): remove(item, emit)
    case .viewportResized(let height, let shortEdge):
      send(prefetch: .viewportResized(shortEdge: shortEdge), emit)
      send(pager: .viewportResized(height: height), emit)
      send(composer: .viewportResized(height: height), emit)
    case .settleFinished(let page):
      send(pager: .settleFinished(page: page), emit)
      if pager.isResting { send(pool: .settled, emit) }
    case .positionChanged(let player, let item, let position):
      send(pool: .positionChanged(player, item, position), emit)
      send(cache: .positionChanged(item, position), emit)
      send(prefetch: .positionChanged(item, position), emit)
    case .looped(let player, let item):
      send(pool: .looped(player, item), emit)
      send(cache: .looped(item), emit)
      send(prefetch: .looped(item), emit)
    case .segmentStored(_, let item, let rendition, let segment):
      store(item, rendition: rendition, segment: segment, emit)
    case .retentionKnown(let item, let retention):
      send(prefetch: .retentionKnown(item, retention), emit)
    case .diskFound(let budget, let used):
      send(cache: .started(memoryBudget: memoryBudget, diskBudget: budget, diskUsed: used), emit)
    case .storage(let event): send(cache: event, emit)
    case .retryRequested:
      send(prefetch: .retryRequested, emit)
      send(pager: .retryRequested, emit)
    case .networkChanged(let isOnline):
      send(prefetch: .networkChanged(isOnline: isOnline), emit)
      if isOnline { send(pager: .retryRequested, emit) }
    case .backgrounded: leave(emit) { $0.inBackground = true }
    case .foregrounded: leave(emit) { $0.inBackground = false }
    case .cameraOpened: leave(emit) { $0.cameraIsOpen = true }
    case .cameraClosed: leave(emit) { $0.cameraIsOpen = false }
    case .feedLocked(let isLocked): lock(emit) { $0.feedIsLocked = isLocked }
    case .composer(let event): send(composer: event, emit)
    // Whoever writes and taps beside the field wants to leave it, not to pause.
    case .tapped where composer.isFocused, .touched where composer.isFocused:
      send(composer: .fieldDismissed, emit)
    case .tapped:
      send(taps: .interrupted, emit)
      tap(emit)
    case .touched(let x, let y):
      send(taps: .touched(x: x, y: y, countsAtOnce: pool.goesOnByTap), emit)
    case .pictureInPictureEnded(_, let item, let returns):
      if returns { send(pager: .jumpedToItem(item), emit) }
      // Before its player is let go.
      moveFocus(emit)
      send(pool: .pictureInPictureEnded(item), emit)
    case .dragBegan:
      send(taps: .interrupted, emit)
      send(pager: .dragBegan, emit)
    case .scrubBegan:
      send(pager: .waitCancelled, emit)
      send(pool: .scrubBegan, emit)
    case .conditionsChanged(let conditions):
      send(pager: .motionReduced(conditions.reducedMotion), emit)
      send(energy: .conditionsChanged(conditions), emit)
    case .framesShown(let shortEdge, let shown, let dropped):
      send(energy: .framesShown(shortEdge: shortEdge, shown: shown, dropped: dropped), emit)
    case .memoryWarned:
      send(pool: .memoryWarned, emit)
      send(cache: .memoryWarned, emit)
    case .woke:
      wakeAt = nil
      send(taps: .woke, emit)
      send(pager: .woke, emit)
      send(pool: .woke, emit)
      send(cache: .woke, emit)
      send(prefetch: .woke, emit)
      send(energy: .woke, emit)
      send(composer: .woke, emit)
    default: passOn(event, emit)
    }
    settleAffairs(emit)
  }

  /// Events that concern one machine only.
  private mutating func passOn(_ event: Event, _ emit: (Command) -> Void) {
    if let event = FeedPager.Event(event) { send(pager: event, emit) }
    if let event = PlayerPool.Event(event) { send(pool: event, emit) }
    if let event = Prefetch.Event(event) { send(prefetch: event, emit) }
  }

  private mutating func start(_ configuration: Configuration, _ emit: (Command) -> Void) {
    usesByteRanges = configuration.usesByteRanges
    memoryBudget = configuration.memoryBudget
    send(pool: .started(players: configuration.players), emit)
    send(
      prefetch: .started(
        throughputHint: configuration.throughputHint, isEnabled: configuration.usesByteRanges), emit)
    send(
      cache: .started(
        memoryBudget: configuration.memoryBudget, diskBudget: .zero, diskUsed: .zero), emit)
    send(pager: .started(reducedMotion: configuration.reducedMotion), emit)
    let conditions = Conditions(
      dataSaver: configuration.dataSaver, reducedMotion: configuration.reducedMotion)
    send(energy: .conditionsChanged(conditions), emit)
  }

  private mutating func remove(_ item: ItemID, _ emit: (Command) -> Void) {
    send(pager: .itemRemoved(item), emit)
    moveFocus(emit)
    send(pool: .pictureInPictureEnded(item), emit)
    send(cache: .itemRemoved(item), emit)
    send(composer: .itemRemoved(item), emit)
  }

  /// The person leaves the feed or comes back to it. What plays is the pool's affair; nothing is
  /// fetched while nobody can see the feed.
  private mutating func leave(_ emit: (Command) -> Void, _ change: (inout FeedSession) -> Void) {
    let before = (away: inBackground || cameraIsOpen, hidden: inBackground, camera: cameraIsOpen)
    change(&self)
    if inBackground, !before.hidden { send(cache: .backgrounded, emit) }
    if inBackground != before.hidden { send(pool: inBackground ? .backgrounded : .foregrounded, emit) }
    if inBackground != before.hidden {
      send(energy: inBackground ? .backgrounded : .foregrounded, emit)
      if inBackground { send(composer: .backgrounded, emit) }
    }
    if cameraIsOpen != before.camera { send(pool: cameraIsOpen ? .cameraOpened : .cameraClosed, emit) }
    let away = inBackground || cameraIsOpen
    if away != before.away { send(prefetch: away ? .backgrounded : .foregrounded, emit) }
  }

  /// Somebody writes, or something lies over the feed: no gesture moves it while either is so.
  private mutating func lock(_ emit: (Command) -> Void, _ change: (inout FeedSession) -> Void) {
    let before = feedIsLocked || somebodyWrites
    change(&self)
    let isLocked = feedIsLocked || somebodyWrites
    if isLocked != before { send(pager: .locked(isLocked), emit) }
  }

  // MARK: After each event

  private mutating func settleAffairs(_ emit: (Command) -> Void) {
    moveFocus(emit)
    while let item = failedItems.popLast() {
      emit(.noticeSkipped(item))
      remove(item, emit)
    }
    if pinned != pool.pinnedItem {
      pinned = pool.pinnedItem
      send(cache: .pinned(pinned), emit)
      send(prefetch: .pinned(pinned), emit)
    }
    let troubled = prefetch.isTroubled || pager.isCutOff
    if troubled != showsTrouble {
      showsTrouble = troubled
      emit(.showNetworkTrouble(troubled))
    }
    let wake = earlier(
      earlier(earlier(taps.nextWake, cache.nextWake), earlier(pager.nextWake, pool.nextWake)),
      earlier(composer.nextWake, earlier(prefetch.nextWake, energy.nextWake)))
    if let wake, wake != wakeAt {
      wakeAt = wake
      // A deadline in the past that outlives its `woke` is a defect, but must not spin a phone.
      emit(.wake(clock.onHost(max(wake, clock.now + Self.shortestWake))))
    }
  }

  /// Tells pool and prefetch when another clip matters most, or its neighbours changed.
  @inline(never) private mutating func moveFocus(_ emit: (Command) -> Void) {
    guard pager.revision != revision else { return }
    revision = pager.revision
    let new = Self.focus(on: pager.focus, current: pager.current, pager.items)
    if new != focus {
      let isOther = new.current != focus.current
      focus = new
      send(pool: .focusMoved(current: new.current, wanted: wanted(pager.items)), emit)
      send(
        cache: .focusMoved(window: new.window, focus: new.place, playing: new.current), emit)
      send(prefetch: .focusMoved(window: new.window, focus: new.place), emit)
      // After the pool: the clip that was left must not play when its hold ends.
      if isOther {
        send(composer: .currentChanged(new.current), emit)
        send(taps: .interrupted, emit)
      }
    }
    reviewDescriptions(emit)
  }

  private static func focus(on page: Int, current: Int, _ items: [ItemID]) -> Focus {
    guard !items.isEmpty else { return Focus() }
    let first = max(0, page - Prefetch.reach.behind)
    let last = min(items.count - 1, page + Prefetch.reach.ahead)
    return Focus(
      current: items[current], window: Array(items[first...last]), place: page - first)
  }

  /// For the pool: what is waited for or current, then what is nearest, ahead before behind.
  private func wanted(_ items: [ItemID]) -> [ItemID] {
    var wanted: [ItemID] = []
    let page = pager.focus
    for candidate in [page, pager.current, page + 1, page - 1, page + 2, page - 2]
    where items.indices.contains(candidate) && !wanted.contains(items[candidate]) {
      wanted.append(items[candidate])
    }
    return wanted
  }

  // MARK: Between the machines

  @inline(never) private mutating func send(composer event: Composer.Event, _ emit: (Command) -> Void) {
    var holds: Bool?
    composer.handle(event, at: clock.now) { command in
      switch command {
      case .lockFeed: break
      case .holdClip(let isHeld): holds = isHeld
      default: emit(.composer(command))
      }
    }
    // NB: locking always agrees with holding.
    guard let holds else { return }
    lock(emit) { $0.somebodyWrites = holds }
    send(pool: .composerHeld(holds), emit)
  }

  /// Whoever pauses the clip stays with it.
  private mutating func tap(_ emit: (Command) -> Void) {
    send(pager: .waitCancelled, emit)
    send(pool: .tapped, emit)
  }

  private mutating func send(taps event: Taps.Event, _ emit: (Command) -> Void) {
    var isTap = false
    taps.handle(event, at: clock.now) { command in
      switch command {
      case .tapped: isTap.toggle()
      case .doubleTapped(let x, let y): emit(.like(x: x, y: y))
      }
    }
    // Two taps at once are a pause and its end.
    if isTap { tap(emit) }
  }

  private mutating func send(energy event: EnergyBudget.Event, _ emit: (Command) -> Void) {
    let before = energy.limits
    energy.handle(event, at: clock.now) { _ in }
    let limits = energy.limits
    guard limits != before else { return }
    send(pool: .limitsChanged(limits), emit)
    send(cache: .limitsChanged(limits), emit)
    send(prefetch: .limitsChanged(limits), emit)
    if limits.maxRefreshRate != before.maxRefreshRate { emit(.setRefreshRate(limits.maxRefreshRate)) }
  }

  @inline(never) private mutating func send(pager event: FeedPager.Event, _ emit: (Command) -> Void) {
    pager.handle(event, at: clock.now) { emit(Command($0)) }
  }

  @inline(never) private mutating func send(pool event: PlayerPool.Event, _ emit: (Command) -> Void) {
    var readiness: [(item: ItemID, isReady: Bool)] = []
    var failed: [ItemID] = []
    pool.handle(event, at: clock.now) { command in
      switch command {
      case .readinessChanged(let item, let isReady): readiness.append((item, isReady))
      case .itemFailed(let item): failed.append(item)
      default: if let command = Command(command) { emit(command) }
      }
    }
    failedItems += failed
    for change in readiness {
      send(pager: .readinessChanged(change.item, isReady: change.isReady), emit)
    }
  }

  @inline(never) mutating func send(prefetch event: Prefetch.Event, _ emit: (Command) -> Void) {
    var gone: [ItemID] = []
    prefetch.handle(event, at: clock.now) { command in
      if case .itemGone(let item) = command { gone.append(item) }
      if let command = Command(command) { emit(command) }
    }
    failedItems += gone
  }
}
