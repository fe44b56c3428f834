import CoreTesting
import CoreTypes
import MediaCache
import Prefetch
import Session
import SessionWire

/// A small host: a server with a feed, a link with a rate and a round trip, players that need their
/// first segment. Deterministic. It executes the session's commands and reports what happens.
struct HostModel {
  var session: FeedSession
  /// Whether `trace` is kept; text costs more than the session.
  var records = true
  private(set) var now = Instant(0)
  /// Every event that was sent, with the commands that came back, as trace lines.
  private(set) var trace: [String] = []
  private var due: [(at: Instant, event: FeedSession.Event)] = []
  private var wakeAt: Instant?
  private var players: [ItemID?] = Array(repeating: nil, count: 5)
  private var stored: [ItemID] = []
  private(set) var current: ItemID?
  /// The one that was told last to play; with a picture in picture there may be two.
  var playing: PlayerID? { allPlaying.last }
  private(set) var allPlaying: [PlayerID] = []
  private(set) var window: (player: PlayerID, item: ItemID)?
  private(set) var fetched: [Download] = []
  private(set) var skipped: [ItemID] = []
  private(set) var troubled = false
  private(set) var wakes = 0
  private(set) var watch = SessionWatch()
  /// Where each player's clip stands.
  private(set) var positions: [Milliseconds] = Array(repeating: .zero, count: 5)
  private(set) var described: [ItemID] = []
  private var playersFetch = false
  private var linkFreeAt = Instant(0)
  private var nextItem: Int32 = 0

  var feedSize: Int32 = 20
  var pageSize: Int32 = 5
  var rate = BitsPerSecond(9_000_000)
  var roundTrip = Milliseconds(85)
  var online = true
  /// Whether a playing clip reports its position, its loops and its end of data.
  var reportsPositions = false
  /// Whether `describe` is answered.
  var describes = true
  /// Clips that the disk has and cannot read.
  var unreadable: [ItemID] = []
  /// Clips whose media the server does not have.
  var missing: [ItemID] = []

  init(leastEffort: Bool = false) { session = FeedSession(leastEffort: leastEffort) }

  mutating func start(_ configuration: FeedSession.Configuration = .init()) {
    playersFetch = !configuration.usesByteRanges
    send(.started(configuration))
    send(.viewportResized(height: 844, shortEdge: 1_170))
  }

  /// Lets time pass; everything that falls due happens in order.
  mutating func run(_ milliseconds: Int64) {
    let end = now + Milliseconds(milliseconds)
    while let next = nextDue(), next <= end {
      now = max(now, next)
      if let wake = wakeAt, wake <= now {
        wakeAt = nil
        wakes += 1
        send(.woke)
      } else if let index = due.firstIndex(where: { $0.at <= now }) {
        happen(due.remove(at: index).event)
      }
    }
    now = end
  }

  /// How often a position is reported.
  private static let tick = Milliseconds(250)

  private mutating func happen(_ event: FeedSession.Event) {
    guard case .positionChanged(let player, let item, _) = event else { return send(event) }
    let index = Int(player.rawValue)
    guard allPlaying.contains(player), players[index] == item else { return }
    positions[index] += Self.tick
    if positions[index] >= Self.clip(item.rawValue).duration {
      positions[index] = .zero
      send(.looped(player, item))
    } else {
      send(.positionChanged(player, item, positions[index]))
    }
    guard allPlaying.contains(player), players[index] == item else { return }
    if !due.contains(where: { $0.event.ticks(player) }) { later(Self.tick, event) }
  }

  private func nextDue() -> Instant? {
    var next = wakeAt
    for entry in due { next = earlier(next, entry.at) }
    return next
  }

  mutating func send(_ event: FeedSession.Event) {
    var words: [Int64] = []
    event.append(to: &words)
    if records { trace.append(Trace.line("event", now.rawValue, words)) }
    var commands: [FeedSession.Command] = []
    // NB: through the wire, so that a golden trace covers the codec too.
    let decoded = words.withUnsafeBufferPointer { FeedSession.Event(words: $0) }
    guard let decoded else { fatalError("an event does not survive the wire: \(event)") }
    session.handle(decoded, at: now) { commands.append($0) }
    for command in commands where records {
      var row: [Int64] = []
      command.append(to: &row)
      trace.append(Trace.line("command", nil, row))
    }
    watch.note(event, commands, at: now)
    for command in commands { execute(command) }
  }

  /// The person takes what plays into a window.
  mutating func beginPictureInPicture() {
    guard let player = playing, let item = players[Int(player.rawValue)] else { return }
    window = (player, item)
    send(.pictureInPictureBegan(player, item))
  }

  mutating func endPictureInPicture(returns: Bool) {
    guard let (player, item) = window else { return }
    window = nil
    send(.pictureInPictureEnded(player, item, returns: returns))
  }

  private mutating func later(_ delay: Milliseconds, _ event: FeedSession.Event) {
    let at = now + delay
    let place = due.firstIndex { $0.at > at } ?? due.count
    due.insert((at, event), at: place)
  }

  private mutating func execute(_ command: FeedSession.Command) {
    switch command {
    case .requestPage: answerPage()
    case .fetch(let download):
      fetched.append(download)
      answer(download)
    case .cancel(let request): due.removeAll { $0.event.request == request }
    case .discard(let item): stored.removeAll { $0 == item }
    case .load(let player, let item):
      players[Int(player.rawValue)] = item
      positions[Int(player.rawValue)] = .zero
      showFirstFrame(of: item)
    case .release(let player):
      players[Int(player.rawValue)] = nil
      if window?.player == player { window = nil }
    case .play(let player):
      allPlaying = allPlaying.filter { $0 != player } + [player]
      if let item = players[Int(player.rawValue)] {
        later(Milliseconds(20), .playbackAdvanced(player, item))
        if reportsPositions { later(Self.tick, .positionChanged(player, item, .zero)) }
      }
    case .pause(let player): allPlaying.removeAll { $0 == player }
    case .seek(let player, let position): positions[Int(player.rawValue)] = position
    case .describe(let item):
      described.append(item)
      if describes { later(.zero, .itemDescribed(item, Self.clip(item.rawValue))) }
    case .restore(let item, let first, let count): read(item, first: first, count: count)
    case .settle(let page, let duration): later(duration, .settleFinished(page: Int64(page)))
    case .setCurrent(let item, _): current = item
    case .noticeSkipped(let item): skipped.append(item)
    case .showNetworkTrouble(let shows): troubled = shows
    case .wake(let instant): wakeAt = instant
    default: break
    }
  }

  private mutating func answerPage() {
    guard online else { return later(Milliseconds(30), .pageFailed) }
    let last = min(nextItem + pageSize, feedSize)
    while nextItem < last {
      later(roundTrip, .itemAppended(ItemID(nextItem), Self.clip(nextItem)))
      nextItem += 1
    }
    later(roundTrip, .pageLoaded(hasMore: nextItem < feedSize))
  }

  /// A clip that is new comes before another one.
  mutating func insert(before place: ItemID) {
    nextItem += 1
    feedSize += 1
    send(.itemInserted(ItemID(nextItem - 1), before: place, Self.clip(nextItem - 1)))
  }

  static func clip(_ item: Int32) -> PlaybackDescriptor {
    .sample(
      seconds: 6 + Int64(item * 7 % 9),
      rates: [(360, 450_000), (540, 1_000_000), (720, 2_000_000), (1_080, 4_000_000)])
  }

  private mutating func answer(_ download: Download) {
    guard online else {
      return later(Milliseconds(30), .fetchFailed(download.request, .network))
    }
    guard !missing.contains(download.item) else {
      return later(roundTrip, .fetchFailed(download.request, .gone))
    }
    let begins = max(now + roundTrip, linkFreeAt)
    linkFreeAt = begins + download.range.size.transferTime(at: rate)
    let wait = linkFreeAt - now
    if download.includesInitialization { report(download, segment: -1, after: begins - now) }
    for segment in 0..<download.segmentCount {
      report(download, segment: download.firstSegment + segment, after: wait)
    }
    later(
      wait,
      .fetchFinished(
        download.request, download.range.size, elapsed: wait, firstByte: begins - now))
  }

  private mutating func report(_ download: Download, segment: Int32, after wait: Milliseconds) {
    later(
      wait,
      .segmentStored(
        download.request, download.item, rendition: download.rendition, segment: segment))
    if segment == 0 {
      stored.append(download.item)
      // A player that holds the clip decodes as soon as the bytes are there.
      if let player = players.firstIndex(of: download.item) {
        later(
          wait + Milliseconds(15), .firstFrameReady(PlayerID(Int32(player)), download.item))
      }
    }
  }

  /// From disk, where everything lies in its lowest rendition.
  private mutating func read(_ item: ItemID, first: Int32, count: Int32) {
    guard !unreadable.contains(item) else { return later(Milliseconds(5), .storage(.restoreFailed(item))) }
    for segment in [-1] + Array(first..<(first + count)) {
      later(Milliseconds(5), .segmentStored(RequestID(0), item, rendition: 0, segment: segment))
    }
  }

  private mutating func showFirstFrame(of item: ItemID) {
    if playersFetch, let player = players.firstIndex(of: item) {
      return later(Milliseconds(200), .firstFrameReady(PlayerID(Int32(player)), item))
    }
    guard stored.contains(item), let player = players.firstIndex(of: item) else { return }
    later(Milliseconds(15), .firstFrameReady(PlayerID(Int32(player)), item))
  }
}

extension FeedSession.Event {
  fileprivate func ticks(_ player: PlayerID) -> Bool {
    if case .positionChanged(player, _, _) = self { true } else { false }
  }

  fileprivate var request: RequestID? {
    switch self {
    case .segmentStored(let request, _, _, _): request
    case .fetchFinished(let request, _, _, _): request
    case .fetchFailed(let request, _): request
    default: nil
    }
  }
}
