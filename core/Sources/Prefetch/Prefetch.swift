public import CoreTypes
public import Lookahead

/// Decides the next download: which clip, which segment, in which rendition; or to wait, or to cancel
/// what runs. One decision by its expected value (`Lookahead`), from what is stored, how fast the
/// network is and how sure that is, and how likely the person is to get there.
///
/// It refuses to know players, gestures, sockets, and what is dropped when memory is full: it is told
/// of bytes that came and of bytes that went.
///
/// Invariants:
/// - At most `maxInFlight` requests run, never two for the same segment of a clip in one rendition,
///   and a second one only when the first is about to end.
/// - Only clips of the window are fetched, the one before the current and those that the limits allow ahead,
///   and what plays in a picture in picture, which is all that is fetched in the background; nothing sharper
///   than the screen shows or the limits allow, unless there is nothing else.
/// - Clips beyond the next are fetched only while there is room.
/// - A request for another clip that hangs is stopped when the current one has less than `shortLead` left.
/// - After `cancel` or an end, a request number is not used again (before 2³¹ others).
/// - Work per event: at most three decisions of `Lookahead` (what runs is weighed with two, and one fills
///   what is free) and a walk along the window's segments.
public struct Prefetch: Sendable {
  public static let maxInFlight = 2
  /// A request that has not ended after this time is given up and made again.
  public static let requestTimeout = Milliseconds(15_000)
  /// Clips behind and ahead of the current one that `focusMoved` names.
  public static let reach = (behind: 2, ahead: 4)
  /// With less than this to play from, downloads for other clips are weighed against stopping them.
  static let shortLead = Milliseconds(1_000)
  /// A position is at most this old when it is used: reported about four times a second.
  static let positionAge = Milliseconds(250)

  struct Flight: Sendable {
    let request: RequestID
    let item: ItemID
    let rendition: Int
    let segments: Range<Int>
    let withInitialization: Bool
    let size: Bytes
    let started: Instant
    /// It has been weighed against stopping it since the current clip changed.
    var wasWeighed = false
    /// It has taken far longer than its bytes explain.
    var isLate = false
  }

  var entries = ItemTable<Entry>()
  var window: [ItemID] = []
  var focus = 0
  var limits = PlaybackLimits.unlimited
  var screenEdge = Int64.max
  var room = Bytes(.max)
  var flights: [Flight] = []
  var throughput = Throughput()
  var watchTimes = WatchTimeModel()
  var input = DecisionInput()
  var slots = Slots()
  private var lookahead: Lookahead
  private let bytePrice: Double

  private(set) var position = Milliseconds.zero
  private var positionAt = Instant(.min)
  /// Times that the current clip has begun again.
  private(set) var loops: Int64 = 0
  /// Where the clip that was current before plays, until the current one does: a page that was held for and
  /// not left for gives it back, and where it has run dry nobody reports its place again.
  private var left: ItemID?
  private var leftPosition = Milliseconds.zero
  private var leftLoops: Int64 = 0
  /// Rendition in which the clip before the current one was seen last.
  private(set) var previousRendition: Int?

  private var network = Backoff(first: Milliseconds(400), limit: Milliseconds(8_000))
  private var isOnline = true
  private var isEnabled = false
  private(set) var inBackground = false
  var pin: Pin?
  private var generator = SeededGenerator(seed: 0x6665_7463)
  private var nextRequest: Int32 = 1
  /// Nothing is worth fetching before then, unless something changes.
  private var pausedUntil: Instant?
  /// End of the time that has been counted as busy, so that parallel transfers count once.
  private var busyUntil = Instant(.min)

  public init(_ objective: Objective = .clipfeed, leastEffort: Bool = false) {
    lookahead = Lookahead(objective, effort: leastEffort ? .least : .full)
    bytePrice = objective.bytePrice
    flights.reserveCapacity(Self.maxInFlight)
  }

  /// The current clip cannot go on and the network is the reason.
  public var isTroubled: Bool {
    guard !isOnline || network.failures >= 2, network.failures >= 1, let item = focused,
      let entry = entries[item]
    else { return false }
    return !entry.has(entry.descriptor.segment(at: position))
  }

  /// Requests that run now.
  public var runningDownloads: Int { flights.count }

  /// Estimate of the throughput.
  public var estimate: BitsPerSecond { BitsPerSecond(Int64(throughput.mean * 1e6)) }

  public var nextWake: Instant? {
    var wake: Instant? = wantsMore ? network.until : nil
    if canFetch, flights.count < Self.maxInFlight {
      let free = flights.first.map { nearEnd($0) }
      // The later of the two: woken before, it could do nothing.
      if let free, let pausedUntil {
        wake = earlier(wake, max(free, pausedUntil))
      } else {
        wake = earlier(wake, earlier(free, pausedUntil))
      }
    }
    for flight in flights {
      wake = earlier(wake, flight.started + Self.requestTimeout)
      if !flight.isLate, flight.item != focused { wake = earlier(wake, late(flight)) }
    }
    return wake
  }

  /// Bytes of a segment (−1: the initialisation section); zero for what no descriptor names.
  public func size(of item: ItemID, rendition: Int32, segment: Int32) -> Bytes {
    guard let entry = entries[item], entry.descriptor.renditions.indices.contains(Int(rendition))
    else { return .zero }
    let layout = entry.descriptor.renditions[Int(rendition)]
    if segment == -1 { return layout.initialization.size }
    guard layout.segments.indices.contains(Int(segment)) else { return .zero }
    return layout.segments[Int(segment)].range.size
  }

  private var isAwake: Bool { !inBackground || pin != nil }

  private var canFetch: Bool { isEnabled && isAwake && !window.isEmpty && network.until == nil }

  /// Something failed and is to be tried again; without a window there is nothing to wait for.
  private var wantsMore: Bool { network.until != nil && !window.isEmpty && isAwake }

  var focused: ItemID? { window.indices.contains(focus) ? window[focus] : nil }

  var objective: Objective { lookahead.objective }

  public mutating func handle(_ event: Event, at now: Instant, emit: (Command) -> Void) {
    var isNews = true
    switch event {
    case .started(let hint, let isEnabled):
      self.isEnabled = isEnabled
      throughput.reset(hint: hint)
    case .itemAppended(let item, let descriptor): entries.set(Entry(descriptor), for: item)
    case .retentionKnown(let item, let retention): entries.update(item) { $0.retention = retention }
    case .itemRemoved(let item): remove(item, emit: emit)
    case .focusMoved(let window, let focus): move(to: window, focus: focus, at: now, emit: emit)
    case .pinned(let item): pin(item, emit: emit)
    case .viewportResized(let edge): if edge > 0 { screenEdge = edge }
    case .limitsChanged(let limits):
      self.limits = limits
      lookahead.setBytePrice(bytePrice * Double(max(0, limits.bytePricePercent)) / 100)
    case .roomChanged(let room):
      isNews = room > self.room
      self.room = room
    case .positionChanged(let item, let position): isNews = moved(item, to: position, at: now)
    case .looped(let item): if item == focused { loops = min(loops + 1, 10_000) }
    case .segmentStored(let item, let rendition, let segment):
      entries.update(item) { $0.store(rendition: Int(rendition), segment: Int(segment)) }
      isNews = flights.isEmpty
    case .discarded(let item, let keeping):
      entries.update(item) { $0.drop(keeping: Int(max(0, keeping))) }
      isNews = item == focused
    case .restoring(let item, let isRestoring):
      entries.update(item) { $0.isRestoring = isRestoring }
    case .fetchFinished(let request, let bytes, let elapsed, let firstByte):
      finish(request, bytes, elapsed: elapsed, firstByte: firstByte, at: now, emit: emit)
    case .fetchFailed(let request, let reason):
      if let flight = takeFlight(request) { fail(flight, reason, at: now, emit: emit) }
    case .networkChanged(let isOnline):
      self.isOnline = isOnline
      if isOnline { network.skipWait() }
    case .retryRequested: network.skipWait()
    case .backgrounded: inBackground = true
    case .foregrounded: inBackground = false
    case .woke:
      giveUpOverdue(at: now, emit: emit)
      if network.allows(at: now) { network.skipWait() }
      isNews = pausedUntil.map { now >= $0 } ?? false
    }
    if isNews { pausedUntil = nil }
    noteLate(at: now)
    guard isEnabled, isAwake, network.allows(at: now) else { return }
    stopLate(at: now, emit: emit)
    let decided = weighRunning(at: now, emit: emit)
    fetchNext(decided, at: now, emit: emit)
  }

  // MARK: The window

  private mutating func move(
    to window: [ItemID], focus: Int, at now: Instant, emit: (Command) -> Void
  ) {
    let before = focused
    let after = window.indices.contains(focus) ? window[focus] : nil
    if before != after {
      noteDwell(of: before, at: now)
      let isBack = after == left
      (position, leftPosition) = (isBack ? leftPosition : .zero, position)
      (loops, leftLoops) = (isBack ? leftLoops : 0, loops)
      left = before
      positionAt = now
      for index in flights.indices { flights[index].wasWeighed = false }
    }
    self.window = window
    self.focus = focus
    dropStrayFlights(emit: emit)
  }

  @inline(never) mutating func dropStrayFlights(emit: (Command) -> Void) {
    var index = 0
    while index < flights.count {
      if flights[index].item == pin?.item || window.contains(flights[index].item) {
        index += 1
      } else {
        emit(.cancel(flights.remove(at: index).request))
      }
    }
  }

  private mutating func noteDwell(of item: ItemID?, at now: Instant) {
    previousRendition = nil
    guard let item, let entry = entries[item] else { return }
    let shown = entry.descriptor.segment(at: position)
    if entry.has(shown) { previousRendition = Int(entry.stored[shown]) }
    let duration = entry.descriptor.duration
    watchTimes.note(
      watched: (position + duration * loops).seconds, of: duration.seconds)
  }

  /// True if there may be something new to decide: the clip has jumped, or little is left to play.
  private mutating func moved(_ item: ItemID, to position: Milliseconds, at now: Instant) -> Bool {
    if item == pin?.item { pin?.position = max(.zero, position) }
    guard item == focused else {
      if item == left { leftPosition = max(.zero, position) }
      return false
    }
    left = nil
    let before = self.position
    self.position = max(.zero, position)
    positionAt = now
    return position < before || position - before > Milliseconds(2_000)
  }

  /// Where the current clip plays now, if it plays.
  func position(at now: Instant) -> Milliseconds {
    guard loops > 0 || position > .zero else { return position }
    return position + min(max(now - positionAt, .zero), Self.positionAge)
  }

  private mutating func remove(_ item: ItemID, emit: (Command) -> Void) {
    for flight in flights where flight.item == item { emit(.cancel(flight.request)) }
    flights.removeAll { $0.item == item }
    entries.remove(item)
  }

  // MARK: Choosing

  private mutating func fetchNext(
    _ decided: Lookahead.Choice?, at now: Instant, emit: (Command) -> Void
  ) {
    var decided = decided
    while flights.isEmpty || flights.count < Self.maxInFlight && now >= nearEnd(flights[0]) {
      if let need = pinnedNeed(within: inBackground ? Self.pinnedLead : Self.urgentLead),
        start(need, at: now, emit: emit)
      {
        continue
      }
      if inBackground { return }
      if let pausedUntil, now < pausedUntil { return }
      guard decided != nil || buildScene(at: now) else { return pause(objective.longPause, at: now) }
      let choice = decided ?? lookahead.choose(input)
      decided = nil
      switch choice {
      case .fetch(let slot, let rate):
        guard let need = need(inSlot: slot, rate: rate), start(need, at: now, emit: emit) else {
          return pause(objective.longPause, at: now)
        }
      case .wait(let seconds):
        guard let need = pinnedNeed(within: Self.pinnedLead) ?? spareNeed(at: now),
          start(need, at: now, emit: emit)
        else {
          return pause(seconds, at: now)
        }
      }
    }
  }

  private mutating func pause(_ seconds: Double, at now: Instant) {
    pausedUntil = now + Milliseconds(Int64(seconds * 1_000))
  }

  /// When the next request has to go out for its bytes to follow those of this one.
  private func nearEnd(_ flight: Flight) -> Instant {
    flight.started + Milliseconds(Int64(min(15, flight.size.megabits / throughput.mean) * 1_000))
  }

  /// Stops what runs for other clips if that is worth more: after a swipe, and when the current
  /// clip runs short. Each download is weighed once for each current clip. Returns what is to be done
  /// then, which has been decided with it.
  private mutating func weighRunning(at now: Instant, emit: (Command) -> Void) -> Lookahead.Choice? {
    guard !inBackground, let focused, lead(of: focused, at: now) < Self.shortLead,
      flights.contains(where: { $0.item != focused && $0.item != pin?.item && !$0.wasWeighed }),
      !flights.contains(where: { $0.item == focused }), buildScene(at: now)
    else { return nil }
    _ = lookahead.choose(input)
    let going = lookahead.value
    input.dropPending()
    let choice = lookahead.choose(input)
    guard lookahead.value > going else {
      for index in flights.indices { flights[index].wasWeighed = true }
      return nil
    }
    for flight in flights where flight.item != pin?.item { emit(.cancel(flight.request)) }
    flights.removeAll { $0.item != pin?.item }
    pausedUntil = nil
    return choice
  }

  private mutating func start(_ need: Need, at now: Instant, emit: (Command) -> Void) -> Bool {
    guard let entry = entries[need.item] else { return false }
    let layout = entry.descriptor.renditions[need.rendition]
    let needsInitialization =
      !entry.initializations.contains(need.rendition)
      && !flights.contains {
        $0.item == need.item && $0.rendition == need.rendition && $0.withInitialization
      }
    var segments = need.segment..<need.segment + 1
    var range = layout.range(of: segments, withInitialization: needsInitialization)
    if range == nil {
      // The initialisation section lies elsewhere: it goes first, alone.
      segments = need.segment..<need.segment
      range = layout.initialization
    }
    guard let range, !need.isFar || flightSize + range.size <= room else { return false }
    let request = RequestID(nextRequest)
    nextRequest = nextRequest == .max ? 1 : nextRequest + 1
    flights.append(
      Flight(
        request: request, item: need.item, rendition: need.rendition, segments: segments,
        withInitialization: needsInitialization, size: range.size, started: now))
    emit(
      .fetch(
        Download(
          request: request, item: need.item, rendition: Int32(need.rendition),
          firstSegment: Int32(segments.lowerBound), segmentCount: Int32(segments.count),
          includesInitialization: needsInitialization, range: range)))
    return true
  }

  private var flightSize: Bytes {
    var size = Bytes.zero
    for flight in flights { size += flight.size }
    return size
  }

  // MARK: What became of requests

  private mutating func finish(
    _ request: RequestID, _ bytes: Bytes, elapsed: Milliseconds, firstByte: Milliseconds,
    at now: Instant, emit: (Command) -> Void
  ) {
    guard let flight = takeFlight(request) else { return }
    let elapsed = min(max(elapsed, .zero), Self.requestTimeout * 4)
    let firstByte = min(max(firstByte, .zero), elapsed)
    let began = max(now + (firstByte - elapsed), busyUntil)
    busyUntil = max(busyUntil, now)
    throughput.measure(bytes, busy: now - began, firstByte: firstByte)
    if hasAll(of: flight) {
      network.succeeded()
      entries.update(flight.item) { $0.serverFailures = 0 }
    } else {
      // The host says that all came, but not what was asked for: the server is at fault.
      fail(flight, .server, at: now, emit: emit)
    }
  }

  private func hasAll(of flight: Flight) -> Bool {
    guard let entry = entries[flight.item] else { return false }
    if flight.withInitialization, !entry.initializations.contains(flight.rendition) { return false }
    return flight.segments.allSatisfy { entry.has($0) }
  }

  private mutating func fail(
    _ flight: Flight, _ reason: FailureReason, at now: Instant, emit: (Command) -> Void
  ) {
    switch reason {
    case .network: network.failed(at: now, generator: &generator)
    case .gone:
      network.succeeded()
      entries.update(flight.item) { $0.missing.insert(flight.rendition) }
      if let entry = entries[flight.item], entry.isGone { emit(.itemGone(flight.item)) }
    case .server:
      network.failed(at: now, generator: &generator)
      entries.update(flight.item) { $0.serverFailures += 1 }
      if let entry = entries[flight.item], entry.serverFailures == Entry.attempts {
        emit(.itemGone(flight.item))
      }
    }
  }

  private mutating func takeFlight(_ request: RequestID) -> Flight? {
    guard let index = flights.firstIndex(where: { $0.request == request }) else { return nil }
    return flights.remove(at: index)
  }

  private mutating func giveUpOverdue(at now: Instant, emit: (Command) -> Void) {
    while let overdue = flights.first(where: { now - $0.started >= Self.requestTimeout }) {
      emit(.cancel(overdue.request))
      if let flight = takeFlight(overdue.request) { fail(flight, .network, at: now, emit: emit) }
    }
  }
}

extension Quantity where Unit == MillisecondUnit {
  var seconds: Double { Double(rawValue) / 1_000 }
}

extension Quantity where Unit == ByteUnit {
  var megabits: Double { Double(rawValue) * 8e-6 }
}
