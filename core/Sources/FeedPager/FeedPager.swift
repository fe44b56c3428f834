public import CoreTypes

/// Decides which clip is current: where a drag with a velocity settles, whether a page may settle
/// already, which pages exist, and when the next part of the feed is asked for.
///
/// It refuses to know players, bytes and bit rates: whether a clip can show its first frame is
/// reported to it. It draws nothing: the host animates to the positions it names.
///
/// Invariants:
/// - `current` is a valid page whenever there is an item; no item has two pages.
/// - At most `mountedReach * 2 + 1` pages are mounted, the current one always among them.
/// - The page never leaves for an item that is not ready before `holdLimit` has passed; with
///   `firstFrameRequired` never.
/// - What comes into the feed, goes from it or changes its place never changes the current clip
///   (unless that one goes, or the one that was waited for), and never moves it on the screen.
/// - While locked no gesture changes the current clip.
/// - At most one page of the feed is being asked for, and at most `maxItems` clips are remembered.
public struct FeedPager: Sendable {
  /// A position in the feed in millionths of a page: page 3 rests at 3,000,000.
  public typealias Position = Int64
  /// One page in units of `Position`.
  public static let page: Position = 1_000_000

  /// How long a page waits for its first frame before it goes on with the poster. Long enough for
  /// one request on 3G (300 ms round trip and a first segment), short enough not to feel stuck.
  public static let holdLimit = Milliseconds(500)
  /// Where a held page stands: a quarter of the way, so that the swipe is visibly accepted.
  public static let holdOffset: Position = page / 4
  /// How fast it gets there.
  public static let holdDuration = Milliseconds(120)
  /// A release faster than this (px/s) is a flick: its direction decides, not the distance.
  public static let flickVelocity: Int64 = 350
  /// Without a flick, the page that is nearest after this much more movement wins.
  public static let projection = Milliseconds(150)
  /// Bounds of the settling animation.
  public static let shortestSettle = Milliseconds(140)
  public static let longestSettle = Milliseconds(300)
  /// Pages that exist above and below the current one. What lies farther is not animated to: the
  /// pages between do not exist.
  public static let mountedReach = 2
  /// How long the old picture fades when the feed goes farther than that.
  public static let fadeDuration = Milliseconds(160)
  /// The next part is asked for when this many items or fewer lie ahead (N−3).
  public static let pagesAheadOfRequest = 3
  /// An empty feed is asked for again after this time; a finished one when somebody pulls at its
  /// end, but not more often.
  public static let refreshInterval = Milliseconds(3_000)
  /// Wheel travel (px) that makes one step; a mouse's notch is 100 or 120.
  public static let wheelStep: Int64 = 60
  /// Wheel events closer together than this are one gesture: a trackpad's momentum must not turn
  /// several pages.
  public static let wheelGap = Milliseconds(150)
  /// …unless the gesture lasts: someone who keeps turning a wheel wants to go on.
  public static let wheelRepeat = Milliseconds(450)
  /// More clips than anybody scrolls back through: 16 KiB. Beyond, the oldest go.
  public static let maxItems = 4_096
  /// So many go at once, so that the pages are numbered anew only now and then.
  static let trimmed = 64

  enum Phase: Equatable, Sendable {
    case resting
    /// The finger is down; `base` is the position under it at the start, `translation` (px) its way.
    case dragging(base: Position, translation: Int64)
    case holding(Hold)
    case settling(from: Position, started: Instant, duration: Milliseconds)
  }

  /// The target cannot show its first frame yet.
  struct Hold: Equatable, Sendable {
    var target: Int
    var until: Instant
    let velocity: Int64
    /// Not asked for by a gesture, so a lock does not take it back.
    let isJump: Bool
  }

  /// What a page that was held for too long went back from. It is gone to as soon as it can show its first
  /// frame, unless the person does something else before.
  struct Wait: Equatable, Sendable {
    let item: ItemID
    let isAhead: Bool
    let isJump: Bool
  }

  struct Mount: Equatable, Sendable {
    let item: ItemID
    let page: Int
  }

  struct Wheel: Sendable {
    var travel: Int64 = 0
    var last: Instant?
    var stepped: Instant?
  }

  public internal(set) var items: [ItemID] = []
  /// Page that is shown or being settled on; 0 while there is no item.
  public internal(set) var current = 0
  /// Changes whenever `items`, `current` or `focus` may have.
  public internal(set) var revision: UInt32 = 0
  /// No gesture moves the feed.
  public internal(set) var isLocked = false
  var phase = Phase.resting
  var height: Int64 = 800
  var ready: [ItemID] = []
  var mounted: [Mount] = []
  var firstFrameIsRequired = false
  var wait: Wait?
  var wheel = Wheel()
  var reducedMotion = false
  var paging = Paging()
  var showsEnd = false
  /// Somebody wanted to go on from the last clip since the feed last grew.
  var pulledAtEnd = false

  public init() {}

  /// The clip that matters most now: the one being held for, else the current one. A wait has no end, so the
  /// clip that plays comes first meanwhile; the next one is fetched beside it anyway, and only what is
  /// farther has to be asked for.
  public var focus: Int {
    if case .holding(let hold) = phase { return hold.target }
    guard let wait, let target = items.firstIndex(of: wait.item), target != current + 1 else {
      return current
    }
    return target
  }

  /// No finger and no animation moves the page, and none is waited for.
  public var isResting: Bool { phase == .resting }

  /// The feed cannot go on because the server does not answer: there is nothing to show at all, or
  /// somebody pulled at the last clip.
  public var isCutOff: Bool {
    paging.isFailing && (items.isEmpty || (pulledAtEnd && current == items.count - 1))
  }

  /// Where the page stands, as far as the pager knows: in an animation, by its ease-out curve.
  public func position(at now: Instant) -> Position {
    let rest = Position(current) * Self.page
    switch phase {
    case .resting: return rest
    case .dragging(let base, let translation): return dragged(base, by: translation)
    case .holding(let hold):
      guard isNear(hold.target) else { return rest }
      return rest + (hold.target > current ? Self.holdOffset : -Self.holdOffset)
    case .settling(let from, let started, let duration):
      guard duration > .zero else { return rest }
      let elapsed = min(max((now - started).rawValue, 0), duration.rawValue)
      let left = Self.page - elapsed * Self.page / duration.rawValue
      // easeOutCubic: what is left of the way shrinks with the third power.
      let cube = left * left / Self.page * left / Self.page
      return rest - (rest - from) * cube / Self.page
    }
  }

  /// The next time at which `woke` has something to do.
  public var nextWake: Instant? {
    var wake = paging.nextWake
    if case .holding(let hold) = phase { wake = earlier(wake, hold.until) }
    return wake
  }

  public mutating func handle(_ event: Event, at now: Instant, emit: (Command) -> Void) {
    switch event {
    case .started(let reducedMotion):
      self.reducedMotion = reducedMotion
      items.reserveCapacity(Self.maxItems)
      paging.request(at: now, emit: emit)
    case .motionReduced(let isReduced): reducedMotion = isReduced
    case .itemAppended(let item): append(item, at: now, emit: emit)
    case .itemInserted(let item, let place): insert(item, before: place, at: now, emit: emit)
    case .pageLoaded(let hasMore):
      paging.loaded(hasMore: hasMore, isEmpty: items.isEmpty, at: now)
      requestIfNear(at: now, emit: emit)
    case .pageFailed: paging.failed(at: now)
    case .itemRemoved(let item): remove(item, at: now, emit: emit)
    case .viewportResized(let height): self.height = max(1, height)
    case .dragBegan: beginDrag(at: now, emit: emit)
    case .dragMoved(let translation): drag(by: translation, at: now, emit: emit)
    case .dragEnded(let translation, let velocity):
      endDrag(translation: translation, velocity: velocity, at: now, emit: emit)
    case .dragCancelled: if case .dragging = phase { settle(velocity: 0, at: now, emit: emit) }
    case .stepped(let pages): step(by: Int(clamping: pages), at: now, emit: emit)
    case .jumped(let page): jump(to: Int(clamping: page), at: now, emit: emit)
    case .jumpedToItem(let item):
      if let page = items.firstIndex(of: item) { jump(to: page, at: now, emit: emit) }
    case .locked(let isLocked): setLock(isLocked, at: now, emit: emit)
    case .wheelMoved(let delta): turnWheel(by: delta, at: now, emit: emit)
    case .settleFinished(let page): finishSettling(on: page)
    case .readinessChanged(let item, let isReady):
      changeReadiness(of: item, to: isReady, at: now, emit: emit)
    case .firstFrameRequired(let isRequired): requireFirstFrame(isRequired, at: now, emit: emit)
    case .waitCancelled: endWait(emit: emit)
    case .retryRequested: paging.retry(at: now, emit: emit)
    case .woke:
      if case .holding(let hold) = phase, now >= hold.until { endHold(hold, at: now, emit: emit) }
      paging.woke(at: now, emit: emit)
    }
    updateEnd(emit: emit)
  }

  // MARK: The rest of the feed

  mutating func requestIfNear(at now: Instant, emit: (Command) -> Void) {
    guard paging.hasMore, items.count - 1 - current <= Self.pagesAheadOfRequest else { return }
    paging.request(at: now, emit: emit)
  }

  private mutating func updateEnd(emit: (Command) -> Void) {
    let atEnd = !items.isEmpty && current == items.count - 1 && paging.isExhausted
    guard atEnd != showsEnd else { return }
    showsEnd = atEnd
    emit(.showEnd(atEnd))
  }

  // MARK: Moving

  /// Whether the pages between here and there exist.
  func isNear(_ target: Int) -> Bool { abs(target - current) <= Self.mountedReach }

  private mutating func changeReadiness(
    of item: ItemID, to isReady: Bool, at now: Instant, emit: (Command) -> Void
  ) {
    ready.removeAll { $0 == item }
    guard isReady else { return }
    if ready.count == Self.maxReady { ready.removeFirst() }
    ready.append(item)
    if case .holding(let hold) = phase, items[hold.target] == item {
      leave(for: hold.target, velocity: hold.velocity, at: now, emit: emit)
    } else if wait?.item == item, let target = items.firstIndex(of: item) {
      leave(for: target, velocity: 0, at: now, emit: emit)
    }
  }

  /// The hold has lasted long enough: goes on with the poster, or back to wait.
  private mutating func endHold(_ hold: Hold, at now: Instant, emit: (Command) -> Void) {
    guard firstFrameIsRequired else {
      return leave(for: hold.target, velocity: hold.velocity, at: now, emit: emit)
    }
    wait = Wait(item: items[hold.target], isAhead: hold.target > current, isJump: hold.isJump)
    emit(.showWaiting(true))
    settle(velocity: 0, at: now, emit: emit)
  }

  mutating func endWait(emit: (Command) -> Void) {
    guard wait != nil else { return }
    wait = nil
    revision &+= 1
    emit(.showWaiting(false))
  }

  private mutating func requireFirstFrame(_ isRequired: Bool, at now: Instant, emit: (Command) -> Void) {
    firstFrameIsRequired = isRequired
    guard !isRequired, let wait, let target = items.firstIndex(of: wait.item) else { return }
    leave(for: target, velocity: 0, at: now, emit: emit)
  }

  /// No pool has more players than this.
  private static let maxReady = 16

  private mutating func jump(to page: Int, at now: Instant, emit: (Command) -> Void) {
    go(to: page, velocity: 0, isJump: true, at: now, emit: emit)
  }

  /// Goes to a page, now if it can show its first frame, else held back.
  mutating func go(
    to page: Int, velocity: Int64, isJump: Bool = false, at now: Instant, emit: (Command) -> Void
  ) {
    guard !items.isEmpty else {
      phase = .resting
      return
    }
    let target = min(max(page, 0), items.count - 1)
    if page > target { pulledBeyondEnd(at: now, emit: emit) }
    endWait(emit: emit)
    guard target != current else { return settle(velocity: velocity, at: now, emit: emit) }
    guard !ready.contains(items[target]) else {
      return leave(for: target, velocity: velocity, at: now, emit: emit)
    }
    phase = .holding(
      Hold(target: target, until: now + Self.holdLimit, velocity: velocity, isJump: isJump))
    revision &+= 1
    emit(.hold(position(at: now), duration: reducedMotion ? .zero : Self.holdDuration))
  }

  /// Makes another page the current one: animates to a near one, fades to a far one.
  @inline(never) mutating func leave(
    for target: Int, velocity: Int64, at now: Instant, emit: (Command) -> Void
  ) {
    endWait(emit: emit)
    let isFar = !isNear(target)
    let from = isFar ? Position(target) * Self.page : position(at: now)
    if isFar, !reducedMotion { emit(.fade(Self.fadeDuration)) }
    current = target
    revision &+= 1
    updateMounts(emit: emit)
    emit(.setCurrent(items[target], page: Int32(target)))
    settle(from: from, velocity: velocity, at: now, emit: emit)
    requestIfNear(at: now, emit: emit)
  }

  mutating func settle(velocity: Int64, at now: Instant, emit: (Command) -> Void) {
    settle(from: position(at: now), velocity: velocity, at: now, emit: emit)
  }

  @inline(never) private mutating func settle(
    from: Position, velocity: Int64, at now: Instant, emit: (Command) -> Void
  ) {
    revision &+= 1
    guard !items.isEmpty else {
      phase = .resting
      return
    }
    let distance = abs(saturatingSum(Position(current) * Self.page, saturatingNegation(from)))
    let duration = settleDuration(distance: distance, velocity: velocity)
    phase = .settling(from: from, started: now, duration: duration)
    emit(.settle(page: Int32(current), duration: duration))
  }

  /// As long as the finger's speed would need for the rest of the way, within bounds.
  private func settleDuration(distance: Position, velocity: Int64) -> Milliseconds {
    guard !reducedMotion, distance > 0 else { return .zero }
    let speed = max(1, velocity.magnitude)
    let pixels = UInt64(min(distance, 2 * Self.page)) * UInt64(min(height, 100_000)) / 1_000_000
    let needed = Int64(clamping: pixels * 1_000 / speed)
    return min(max(Milliseconds(needed), Self.shortestSettle), Self.longestSettle)
  }

  private mutating func finishSettling(on page: Int64) {
    guard case .settling = phase, page == Int64(current) else { return }
    phase = .resting
  }

  private mutating func pulledBeyondEnd(at now: Instant, emit: (Command) -> Void) {
    pulledAtEnd = true
    if paging.isExhausted { paging.refresh(at: now, emit: emit) }
  }
}
