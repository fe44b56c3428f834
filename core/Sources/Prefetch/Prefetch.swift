public import CoreTypes

/// Decides the next download: which clip, which segment, when to cancel, and which stored clips
/// are dropped when memory is full. In which rendition is asked of `Bitrate`.
///
/// It refuses to know players, gestures and sockets. It sees the clips around the current one, what
/// is stored of each, where the current one plays, and what became of earlier requests.
///
/// Invariants:
/// - At most `maxInFlight` requests run, never two for the same segment of a clip, and only one is
///   started while the current clip has less than `safeLead` to play from.
/// - Only clips of the window are fetched.
/// - Stored bytes exceed the budget only by the current clip, its neighbours and what is in flight.
/// - After `cancel` or an end, a request number is never used again.
public struct Prefetch: Sendable {
  /// Picks a rendition; `Bitrate` behind it. `nil`: it can wait, this network brings it in time.
  public typealias Choice = (RenditionNeed) -> Int?

  public static let maxInFlight = 2
  public static let defaultBudget = Bytes(48 << 20)
  /// A request that has not ended after this time is given up and made again.
  public static let requestTimeout = Milliseconds(15_000)
  /// Clips behind and ahead of the current one that `focusMoved` names.
  public static let reach = (behind: 2, ahead: 4)
  /// Tries for one clip while the server answers with errors.
  static let attempts: Int32 = 4

  /// What is wanted, in this order: so much of the clip at that distance.
  struct Stage: Sendable {
    let distance: Int
    let lead: Milliseconds
  }

  /// First frames before depth, near before far; the current clip is never let run dry. A second
  /// of media is one segment, so `Milliseconds(1)` asks for the first segment alone.
  static let stages = [
    Stage(distance: 0, lead: Milliseconds(2_500)),
    Stage(distance: 1, lead: Milliseconds(1)),
    Stage(distance: 0, lead: Milliseconds(5_000)),
    Stage(distance: 1, lead: Milliseconds(2_000)),
    Stage(distance: 2, lead: Milliseconds(1)),
    Stage(distance: -1, lead: Milliseconds(1)),
    Stage(distance: 0, lead: Milliseconds(8_000)),
    Stage(distance: 3, lead: Milliseconds(1)),
  ]
  /// Most people leave a clip within its first seconds, and whoever has stayed stays: the lead of the
  /// current clip starts at this and grows by three quarters of what was watched.
  static let firstLead = Milliseconds(2_500)
  /// With less than this the current clip has the link for itself.
  static let safeLead = Milliseconds(1_500)
  /// With data saver only this many of them count.
  static let frugalStages = 5

  struct Flight: Sendable {
    let request: RequestID
    let item: ItemID
    let rendition: Int
    let segments: Range<Int>
    let withInitialization: Bool
    let size: Bytes
    let started: Instant
  }

  var entries = ItemTable<Entry>()
  /// Clips with stored bytes, oldest first.
  var holders: [ItemID] = []
  public private(set) var storedBytes = Bytes.zero
  var window: [ItemID] = []
  var focus = 0
  var position = Milliseconds.zero
  var flights: [Flight] = []
  var network = Backoff(first: Milliseconds(400), limit: Milliseconds(8_000))
  var isOnline = true
  private var generator = SeededGenerator(seed: 0x6665_7463)
  private var nextRequest: Int32 = 1
  private var budget = Self.defaultBudget
  private var stageCount = 0
  private var inBackground = false
  /// End of the time that has been counted as busy, so that parallel transfers count once.
  private var busyUntil = Instant(.min)

  public init() {}

  /// The current clip cannot go on and the network is the reason.
  public var isTroubled: Bool {
    guard !isOnline || network.failures >= 2, network.failures >= 1, let item = focused,
      let entry = entries[item]
    else { return false }
    return entry.stored[entry.descriptor.segment(at: position)] < 0
  }

  /// Requests that run now.
  public var runningDownloads: Int { flights.count }

  public var nextWake: Instant? {
    var wake: Instant? = wantsMore ? network.until : nil
    for flight in flights { wake = earlier(wake, flight.started + Self.requestTimeout) }
    return wake
  }

  /// Something failed and is to be tried again; without a window there is nothing to wait for.
  private var wantsMore: Bool { network.until != nil && !window.isEmpty && !inBackground }

  var focused: ItemID? { window.indices.contains(focus) ? window[focus] : nil }

  public mutating func handle(
    _ event: Event, at now: Instant, choose: Choice, emit: (Command) -> Void
  ) {
    switch event {
    case .started(let budget, let dataSaver, let isEnabled):
      if budget > .zero { self.budget = budget }
      stageCount = isEnabled ? (dataSaver ? Self.frugalStages : Self.stages.count) : 0
    case .itemAppended(let item, let descriptor): entries.set(Entry(descriptor), for: item)
    case .itemRemoved(let item): remove(item, emit: emit)
    case .focusMoved(let window, let focus): move(to: window, focus: focus, emit: emit)
    case .positionChanged(let item, let position):
      if item == focused { self.position = max(.zero, position) }
    case .segmentStored(let item, let rendition, let segment):
      store(item, rendition: Int(rendition), segment: Int(segment), emit: emit)
    case .fetchFinished(let request, let bytes, let elapsed, let firstByte):
      finish(request, bytes, elapsed: elapsed, firstByte: firstByte, at: now, emit: emit)
    case .fetchFailed(let request, let reason): fail(request, reason, at: now, emit: emit)
    case .networkChanged(let isOnline):
      self.isOnline = isOnline
      if isOnline { network.skipWait() }
    case .retryRequested: network.skipWait()
    case .backgrounded: inBackground = true
    case .foregrounded: inBackground = false
    case .memoryWarned: discard(downTo: .zero, keeping: 0...1, emit: emit)
    case .woke:
      giveUpOverdue(at: now, emit: emit)
      if network.allows(at: now) { network.skipWait() }
    }
    if !inBackground, network.allows(at: now) { fetchNext(at: now, choose: choose, emit: emit) }
  }

  // MARK: The window

  private mutating func move(to window: [ItemID], focus: Int, emit: (Command) -> Void) {
    let before = focused
    self.window = window
    self.focus = focus
    if focused != before { position = .zero }
    let waits = focused.map { !has($0, segment: 0) && !isFetching($0, segment: 0) } ?? false
    let isShort = currentLead < Self.safeLead
    let kept = flights.filter { flight in
      guard let distance = distance(of: flight.item) else { return false }
      return distance == 0 || !waits && (distance == 1 || !isShort)
    }
    for flight in flights where !kept.contains(where: { $0.request == flight.request }) {
      emit(.cancel(flight.request))
    }
    flights = kept
  }

  private mutating func remove(_ item: ItemID, emit: (Command) -> Void) {
    for flight in flights where flight.item == item { emit(.cancel(flight.request)) }
    flights.removeAll { $0.item == item }
    forget(item, emit: emit)
    entries.remove(item)
  }

  // MARK: Choosing

  private mutating func fetchNext(at now: Instant, choose: Choice, emit: (Command) -> Void) {
    while flights.count < limitInFlight, let (need, rendition) = nextNeed(choose) {
      guard let entry = entries[need.item], !entry.missing.contains(rendition),
        start(need, in: rendition, of: entry.descriptor, at: now, emit: emit)
      else { return }
    }
  }

  private var limitInFlight: Int { currentLead < Self.safeLead ? 1 : Self.maxInFlight }

  private mutating func start(
    _ need: Need, in rendition: Int, of descriptor: PlaybackDescriptor, at now: Instant,
    emit: (Command) -> Void
  ) -> Bool {
    let layout = descriptor.renditions[rendition]
    let needsInitialization =
      !(entries[need.item]?.initializations.contains(rendition) ?? true)
      && !flights.contains {
        $0.item == need.item && $0.rendition == rendition && $0.withInitialization
      }
    var segments = need.segment..<need.segment + 1
    var range = layout.range(of: segments, withInitialization: needsInitialization)
    if range == nil {
      // The initialisation section lies elsewhere: it goes first, alone.
      segments = need.segment..<need.segment
      range = layout.initialization
    }
    guard let range else { return false }
    if abs(need.distance) > 1, !hasRoom(for: range.size) { return false }
    let request = RequestID(nextRequest)
    nextRequest = nextRequest == .max ? 1 : nextRequest + 1
    flights.append(
      Flight(
        request: request, item: need.item, rendition: rendition, segments: segments,
        withInitialization: needsInitialization, size: range.size, started: now))
    emit(
      .fetch(
        Download(
          request: request, item: need.item, rendition: Int32(rendition),
          firstSegment: Int32(segments.lowerBound), segmentCount: Int32(segments.count),
          includesInitialization: needsInitialization, range: range)))
    return true
  }

  /// Whether more fits without dropping a clip of the window. Without this, a clip that is dropped
  /// for want of room would be fetched again at once, for ever.
  private func hasRoom(for size: Bytes) -> Bool {
    var taken = size
    for item in window { taken += entries[item]?.bytes ?? .zero }
    for flight in flights { taken += flight.size }
    return taken <= budget
  }

  /// The stages that count now.
  var activeStages: ArraySlice<Stage> { Self.stages.prefix(stageCount) }

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
    emit(.measured(bytes, busy: max(Milliseconds(1), now - began), firstByte: firstByte))
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
    return flight.segments.allSatisfy { entry.stored[$0] >= 0 }
  }

  private mutating func fail(
    _ request: RequestID, _ reason: FailureReason, at now: Instant, emit: (Command) -> Void
  ) {
    guard let flight = takeFlight(request) else { return }
    fail(flight, reason, at: now, emit: emit)
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
      if let entry = entries[flight.item], entry.serverFailures == Self.attempts {
        emit(.itemGone(flight.item))
      }
    }
  }

  private mutating func takeFlight(_ request: RequestID) -> Flight? {
    guard let index = flights.firstIndex(where: { $0.request == request }) else { return nil }
    return flights.remove(at: index)
  }

  private mutating func giveUpOverdue(at now: Instant, emit: (Command) -> Void) {
    for flight in flights where now - flight.started >= Self.requestTimeout {
      emit(.cancel(flight.request))
      fail(flight.request, .network, at: now, emit: emit)
    }
  }

  // MARK: What is stored

  private mutating func store(
    _ item: ItemID, rendition: Int, segment: Int, emit: (Command) -> Void
  ) {
    var added = Bytes.zero
    entries.update(item) { added = $0.store(rendition: rendition, segment: segment) }
    guard added > .zero else { return }
    storedBytes += added
    if !holders.contains(item) { holders.append(item) }
    if storedBytes > budget { discard(downTo: budget, keeping: -1...1, emit: emit) }
  }

  /// Drops whole clips, farthest first: those outside the window by age, then the window from its
  /// ends, until the rest fits or only the distances to keep are left.
  private mutating func discard(
    downTo limit: Bytes, keeping: ClosedRange<Int>, emit: (Command) -> Void
  ) {
    while storedBytes > limit {
      var farthest: (item: ItemID, rank: Int)?
      for item in holders {
        let rank = farness(of: item)
        if let distance = distance(of: item), keeping.contains(distance) { continue }
        if farthest.map({ rank > $0.rank }) ?? true { farthest = (item, rank) }
      }
      guard let farthest else { return }
      forget(farthest.item, emit: emit)
    }
  }

  private func distance(of item: ItemID) -> Int? {
    window.firstIndex(of: item).map { $0 - focus }
  }

  /// Behind counts as farther than ahead at the same distance.
  private func farness(of item: ItemID) -> Int {
    guard let distance = distance(of: item) else { return .max }
    return abs(distance) * 2 + (distance < 0 ? 1 : 0)
  }

  private mutating func forget(_ item: ItemID, emit: (Command) -> Void) {
    guard holders.contains(item) else { return }
    holders.removeAll { $0 == item }
    storedBytes -= entries[item]?.bytes ?? .zero
    entries.update(item) { $0.clear() }
    emit(.discard(item))
  }
}
