internal import CoreTypes

/// What happened when in one session, for the plot.
public struct Timeline: Sendable {
  public enum State: Sendable {
    case playing
    case waiting
    case stalled
    case paused
  }

  struct Download: Sendable {
    let request: Int32
    let item: Int
    let rendition: Int
    let segments: Range<Int>
    let isMedia: Bool
    let bytes: Int64
    let started: Instant
    var ended: Instant?
    var wasCancelled = false
  }

  struct Span<Value: Sendable & Equatable>: Sendable {
    let value: Value
    let from: Instant
    var to: Instant
  }

  struct Shown: Equatable, Sendable {
    let item: Int
    let rendition: Int
  }

  enum PlayerState: Sendable {
    case loading
    case ready
    case starting
    case playing
    case starved
  }

  struct Hold: Equatable, Sendable {
    let item: Int
    let state: PlayerState
  }

  struct Level: Sendable {
    let at: Instant
    /// What is stored from the place where the clip would play on; `nil` once nobody looks any more.
    let lead: Milliseconds?
  }

  struct Visit: Sendable {
    let page: Int
    let released: Instant
    var moved: Instant?
  }

  private(set) var downloads: [Download] = []
  private(set) var states: [Span<State>] = []
  private(set) var shown: [Span<Shown>] = []
  private(set) var players: [[Span<Hold>]] = []
  /// By clip.
  private(set) var levels: [Int: [Level]] = [:]
  private(set) var durations: [Int: Milliseconds] = [:]
  private(set) var visits: [Visit] = [Visit(page: 0, released: Instant(0))]
  private(set) var end = Instant(0)
  private(set) var trace: Trace?

  /// Finer steps than this are not to be seen.
  private static let resolution = Milliseconds(50)
  /// Clips whose buffers are followed, around the current one.
  private static let reach = -2...4

  mutating func opened(_ flight: World.Flight) {
    downloads.append(
      Download(
        request: flight.request, item: flight.item, rendition: flight.rendition,
        segments: flight.segments, isMedia: flight.tag == nil, bytes: flight.bytes,
        started: flight.started))
  }

  mutating func closed(_ request: Int32, at now: Instant, wasCancelled: Bool) {
    guard let index = downloads.lastIndex(where: { $0.request == request }) else { return }
    downloads[index].ended = now
    downloads[index].wasCancelled = wasCancelled
  }

  mutating func swiped(to page: Int, at now: Instant) {
    visits.append(Visit(page: page, released: now))
    let window = (page + Self.reach.lowerBound)...(page + Self.reach.upperBound)
    for item in levels.keys where !window.contains(item) && levels[item]?.last?.lead != nil {
      levels[item]?.append(Level(at: now, lead: nil))
    }
  }

  mutating func began(at now: Instant) {
    visits[visits.count - 1].moved = now
  }

  mutating func shown(item: Int, rendition: Int, until end: Instant, for time: Milliseconds) {
    let start = Instant(end.rawValue - time.rawValue)
    Self.extend(&shown, with: Shown(item: item, rendition: rendition), from: start, to: end)
  }

  mutating func note(
    at now: Instant, page: Int, state: State, position: Milliseconds, players: [ModelPlayer],
    store: MediaStore
  ) {
    Self.follow(&states, state, at: now)
    if self.players.isEmpty { self.players = Array(repeating: [], count: players.count) }
    for (index, player) in players.enumerated() {
      let hold = player.item.map { Hold(item: $0, state: PlayerState(player.stage)) }
      Self.follow(&self.players[index], hold, at: now)
    }
    for item in (page + Self.reach.lowerBound)...(page + Self.reach.upperBound)
    where (0..<store.count).contains(item) {
      let lead = item == page ? store.loopingLead(item, from: position) : store.lead(item)
      durations[item] = store.clip(item).duration
      let last = levels[item]?.last
      // A level is noted when it jumps, and else now and then.
      if let last, let before = last.lead, abs(before.rawValue - lead.rawValue) < 500,
        now - last.at < Self.resolution * 4
      {
        continue
      }
      levels[item, default: []].append(Level(at: now, lead: lead))
    }
    end = now
  }

  mutating func finish(at now: Instant, trace: Trace) {
    end = now
    self.trace = trace
    Self.close(&states, at: now)
    for index in players.indices { Self.close(&players[index], at: now) }
  }

  private static func extend<Value>(
    _ spans: inout [Span<Value>], with value: Value, from: Instant, to: Instant
  ) {
    if let last = spans.last, last.value == value, from < last.to + Milliseconds(2) {
      spans[spans.count - 1].to = to
    } else {
      spans.append(Span(value: value, from: from, to: to))
    }
  }

  /// The value holds from now on; the span before it ends here.
  private static func follow<Value>(_ spans: inout [Span<Value>], _ value: Value?, at now: Instant) {
    let isOpen = spans.last.map { $0.to == open } ?? false
    if isOpen {
      if spans[spans.count - 1].value == value { return }
      spans[spans.count - 1].to = now
    }
    if let value { spans.append(Span(value: value, from: now, to: open)) }
  }

  private static func close<Value>(_ spans: inout [Span<Value>], at now: Instant) {
    if let last = spans.last, last.to == open { spans[spans.count - 1].to = now }
  }

  private static var open: Instant { Instant(.max) }
}

extension Timeline.PlayerState {
  init(_ stage: ModelPlayer.Stage) {
    self =
      switch stage {
      case .empty, .attaching, .bare, .decoding: .loading
      case .still: .ready
      case .starting: .starting
      case .moving: .playing
      case .starved: .starved
      }
  }
}
