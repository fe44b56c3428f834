public import CoreTypes
internal import EnergyBudget
public import Lookahead
internal import Prefetch
internal import Session

/// Hosts the real session on a model of everything around it: link, players, store, feed and person.
///
/// It goes from event to event and is the same for the same scenario. Without a policy the session's own
/// fetches are carried out; with one the session is told that its players fetch by themselves, so that it
/// emits none, and the policy is asked instead.
public struct World {
  /// Clips of the first page of the feed and of those after it, as web/app/feed/feed.js asks for them.
  static let pageSizes = (first: 5, next: 10)
  /// What the server needs to answer a page of the feed.
  static let feedDelay = Milliseconds(20)
  static let batteryInterval = Milliseconds(60_000)

  let scenario: Scenario
  private var session: FeedSession
  var policy: (any Policy)?
  var now = Instant(0)
  var link: Link
  var store = MediaStore()
  var players: [ModelPlayer]
  var flights: [Flight] = []
  /// Since the policy was last asked.
  var finished: [PolicyView.Finished] = []
  var lastRequest: Int32 = 0
  /// What is to be reported later, in the order of its time.
  private var queue: [(at: Instant, event: FeedSession.Event)] = []
  /// What arose while commands ran.
  private var pending: [FeedSession.Event] = []
  private var isHandling = false
  private var wakeAt: Instant?
  /// When the battery is looked at again.
  private var conditionsAt: Instant?
  /// The current one; clips and pages are counted alike.
  var page: Int?
  /// Clips that the feed has given or will have given in a moment.
  var promised = 0
  var viewer: Viewer
  /// The page says that the clip is paused.
  private(set) var showsPaused = false
  /// Of the last frame that the person saw.
  var lastShown: (item: Int, rendition: Int)?
  var lastKilobits: Int64?

  public internal(set) var measures = Measures()
  /// Processor time of each call of the session, ns, if asked for.
  public private(set) var decisionTimes: [Int64] = []
  public internal(set) var timeline: Timeline?
  /// Stored bytes at most until each visit began.
  public internal(set) var peaks: [Int64] = []
  public var timesDecisions = false
  /// Whether the feed brings each clip's curve.
  private let hearsCurves: Bool

  struct Flight {
    let request: Int32
    let item: Int
    let rendition: Int
    let segments: Range<Int>
    let withInitialization: Bool
    let tag: Int?
    let bytes: Int64
    let started: Instant
  }

  public init(
    _ scenario: Scenario, policy: (any Policy)? = nil, hearsCurves: Bool = false,
    objective: Objective = .clipfeed, recordsTimeline: Bool = false
  ) {
    self.scenario = scenario
    session = FeedSession(objective)
    self.policy = policy
    self.hearsCurves = hearsCurves
    link = Link(scenario.trace)
    players = Array(repeating: ModelPlayer(device: scenario.device), count: Int(scenario.device.players))
    viewer = Viewer(scenario.plan)
    measures.comfort = Comfort(scenario.device)
    if recordsTimeline { timeline = Timeline() }
  }

  /// Since the opening of the app.
  public var elapsed: Milliseconds { now - Instant(0) }

  /// What the link could have carried until now, bits.
  public var capacity: Int64 { scenario.trace.bits(until: now) }

  /// Runs the whole plan.
  public mutating func run() {
    guard !viewer.plan.visits.isEmpty else { return }
    let device = scenario.device
    deliver(
      .started(
        FeedSession.Configuration(
          players: device.players, memoryBudget: device.memoryBudget, usesByteRanges: policy == nil,
          throughputHint: device.throughputHint, dataSaver: device.dataSaver)))
    deliver(.viewportResized(height: device.pageHeight, shortEdge: device.shortEdge))
    tellConditions()
    while !viewer.isFinished, let next = nextEvent() { step(to: max(now, next)) }
    measures.bytes = link.deliveredBytes
    measures.peakStored = store.peakBytes
    measures.radio = link.busy
    let (end, trace) = (now, scenario.trace)
    timeline?.finish(at: end, trace: trace)
  }

  // MARK: Time

  private func nextEvent() -> Instant? {
    var next = earlier(earlier(link.nextEvent, conditionsAt), earlier(wakeAt, queue.first?.at))
    for player in players { next = earlier(next, player.nextEvent) }
    let isThere = page == viewer.current.page
    return earlier(
      next,
      viewer.nextEvent(
        at: now, isMoving: currentPlayer?.isMoving == true, isThere: isThere, isPaused: showsPaused))
  }

  private mutating func step(to time: Instant) {
    account(for: time - now)
    let reports = link.advance(to: time)
    now = time
    for report in reports { take(report) }
    for index in players.indices { advance(index) }
    while let first = queue.first, first.at <= now { deliver(queue.removeFirst().event) }
    if let wake = wakeAt, wake <= now {
      wakeAt = nil
      deliver(.woke)
    }
    if let time = conditionsAt, time <= now { tellConditions() }
    act()
    askPolicy()
    record()
  }

  /// What the time until the next event counts as.
  private mutating func account(for span: Milliseconds) {
    if viewer.isInterrupted {
      measures.paused += span
    } else if !viewer.hasMoved {
      measures.waited += span
      viewer.keptWaiting += span
    } else if currentPlayer?.isMoving == true {
      measures.played += span
    } else if viewer.isStalled {
      measures.stalled += span
      viewer.keptWaiting += span
    } else {
      measures.paused += span
    }
  }

  /// The one that holds the clip that the person is at.
  var currentPlayer: ModelPlayer? { players.first { $0.item == viewer.current.page } }

  private mutating func later(_ delay: Milliseconds, _ event: FeedSession.Event) {
    let at = now + delay
    let place = queue.firstIndex { $0.at > at } ?? queue.count
    queue.insert((at, event), at: place)
  }

  // MARK: The session

  /// Reports an event. One that arises while commands run waits until they all have run, as in core.js.
  mutating func deliver(_ event: FeedSession.Event) {
    pending.append(event)
    guard !isHandling else { return }
    isHandling = true
    while !pending.isEmpty {
      let event = pending.removeFirst()
      for command in handle(event) { execute(command) }
    }
    isHandling = false
  }

  private mutating func handle(_ event: FeedSession.Event) -> [FeedSession.Command] {
    var commands: [FeedSession.Command] = []
    guard timesDecisions else {
      session.handle(event, at: now) { commands.append($0) }
      return commands
    }
    let began = ThreadTime.now
    session.handle(event, at: now) { commands.append($0) }
    let time = ThreadTime.now - began
    if commands.contains(where: { if case .fetch = $0 { true } else { false } }) {
      decisionTimes.append(time)
    }
    return commands
  }

  private mutating func execute(_ command: FeedSession.Command) {
    switch command {
    case .requestPage: answerPage()
    case .setCurrent(let item, _): page = Int(item.rawValue)
    case .settle(let page, let duration):
      viewer.restsAt = now + duration
      later(duration, .settleFinished(page: Int64(page)))
    case .load(let player, let item):
      let item = Int(item.rawValue)
      players[Int(player.rawValue)].load(item, store.clip(item), at: now)
    case .play(let player): players[Int(player.rawValue)].play(at: now)
    case .pause(let player): pause(player)
    case .seek(let player, let position): players[Int(player.rawValue)].seek(to: position, at: now)
    case .release(let player): players[Int(player.rawValue)].release()
    case .fetch(let download): open(Flight(download, at: now))
    case .cancel(let request): cancel(request.rawValue)
    case .discard(let item): store.discard(Int(item.rawValue))
    case .trim(let item, let keeping): store.discard(Int(item.rawValue), keeping: Int(keeping))
    case .describe(let item):
      deliver(.itemDescribed(item, store.clip(Int(item.rawValue))))
    case .wake(let instant): wakeAt = instant
    case .showPaused(let shows): showsPaused = shows
    default: break
    }
  }

  /// Where the host knows more than `started` says: at the start, and while the battery empties.
  private mutating func tellConditions() {
    let device = scenario.device
    guard device.isMetered || device.battery != nil else { return }
    let battery = device.battery(after: elapsed)
    conditionsAt = battery.map { _ in now + Self.batteryInterval }
    deliver(
      .conditionsChanged(
        Conditions(
          batteryPercent: battery.map { Int64($0) } ?? -1, isCharging: device.isCharging,
          lowPowerMode: device.lowPowerMode, network: device.isMetered ? 1 : 0,
          dataSaver: device.dataSaver)))
  }

  private mutating func pause(_ player: PlayerID) {
    let index = Int(player.rawValue)
    players[index].pause()
    guard let item = players[index].item else { return }
    deliver(.positionChanged(player, ItemID(Int32(item)), players[index].position))
  }

  private mutating func answerPage() {
    let count = promised == 0 ? Self.pageSizes.first : Self.pageSizes.next
    let wait = link.roundTrip + Self.feedDelay
    for item in promised..<(promised + count) {
      later(wait, .itemAppended(ItemID(Int32(item)), scenario.library.clip(item)))
      if hearsCurves, let curve = scenario.library.curve(item) {
        later(wait, .retentionKnown(ItemID(Int32(item)), curve))
      }
    }
    promised += count
    later(wait, .pageLoaded(hasMore: true))
    // The store learns of clips in the same order as the session; nothing asks for them before.
    for item in store.count..<promised { store.append(scenario.library.clip(item)) }
  }

  // MARK: Bytes

  mutating func open(_ flight: Flight) {
    lastRequest = max(lastRequest, flight.request)
    flights.append(flight)
    measures.requests += 1
    timeline?.opened(flight)
    let clip = store.clip(flight.item)
    var parts: [Link.Part] = []
    if flight.tag != nil { parts.append(Link.Part(segment: -1, bytes: flight.bytes)) }
    if flight.withInitialization {
      parts.append(Link.Part(segment: -1, bytes: clip.size(rendition: flight.rendition, segment: -1)))
    }
    for segment in flight.segments {
      let bytes = clip.size(rendition: flight.rendition, segment: segment)
      parts.append(Link.Part(segment: segment, bytes: bytes))
    }
    link.open(flight.request, parts)
  }

  mutating func cancel(_ request: Int32) {
    link.cancel(request)
    flights.removeAll { $0.request == request }
    let end = now
    timeline?.closed(request, at: end, wasCancelled: true)
  }

  private mutating func take(_ report: Link.Report) {
    switch report {
    case .arrived(let request, let segment):
      guard let flight = flights.first(where: { $0.request == request }) else { return }
      if flight.tag != nil {
        measures.usefulBytes += flight.bytes
        return
      }
      store.put(flight.item, rendition: flight.rendition, segment: segment)
      if policy == nil {
        deliver(
          .segmentStored(
            RequestID(request), ItemID(Int32(flight.item)), rendition: Int32(flight.rendition),
            segment: Int32(segment)))
      } else {
        makeRoom()
      }
    case .finished(let request, let bytes, let elapsed, let firstByte):
      guard let index = flights.firstIndex(where: { $0.request == request }) else { return }
      let flight = flights.remove(at: index)
      let end = now
      timeline?.closed(request, at: end, wasCancelled: false)
      if policy == nil {
        deliver(.fetchFinished(RequestID(request), Bytes(bytes), elapsed: elapsed, firstByte: firstByte))
      } else {
        finished.append(
          PolicyView.Finished(
            item: flight.item, rendition: flight.rendition, segments: flight.segments, tag: flight.tag,
            bytes: bytes, elapsed: elapsed, firstByte: firstByte))
      }
    }
  }

  private mutating func record() {
    guard timeline != nil else { return }
    let state: Timeline.State =
      if viewer.isInterrupted {
        .paused
      } else if !viewer.hasMoved {
        .waiting
      } else if currentPlayer?.isMoving == true {
        .playing
      } else {
        viewer.isStalled ? .stalled : .paused
      }
    let (time, page, position) = (now, viewer.current.page, currentPlayer?.position ?? .zero)
    let (players, store) = (players, store)
    timeline?.note(
      at: time, page: page, state: state, position: position, players: players, store: store)
  }
}

extension World.Flight {
  fileprivate init(_ download: Download, at now: Instant) {
    let first = Int(download.firstSegment)
    self.init(
      request: download.request.rawValue, item: Int(download.item.rawValue),
      rendition: Int(download.rendition), segments: first..<(first + Int(download.segmentCount)),
      withInitialization: download.includesInitialization, tag: nil, bytes: download.range.size.rawValue,
      started: now)
  }
}
