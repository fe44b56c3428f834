import CoreTypes
import Prefetch
import Session

/// Follows a session's commands as any host would and notes what no host could carry out, and what
/// the machines' invariants forbid.
struct SessionWatch {
  /// Of so many random sessions one has downloads: to decide on them takes most of the time.
  static let downloadsEvery: UInt64 = 25

  private(set) var broken: [String] = []
  private(set) var current: ItemID?
  private(set) var mounted: [ItemID] = []
  private var players: [(player: PlayerID, item: ItemID)] = []
  private var playing: [PlayerID] = []
  /// The player that the system shows in a window.
  private var pinned: PlayerID?
  private var running: [RequestID] = []
  private var latest: Int32 = 0
  private var signs: [String: Bool] = [:]

  private mutating func require(_ holds: Bool, _ what: String) { if !holds { broken.append(what) } }

  mutating func note(_ event: FeedSession.Event, _ commands: [FeedSession.Command], at now: Instant) {
    switch event {
    case .fetchFinished(let request, _, _, _), .fetchFailed(let request, _):
      running.removeAll { $0 == request }
    case .pictureInPictureBegan(let player, let item):
      if players.contains(where: { $0 == (player, item) }) { pinned = player }
    default: break
    }
    require(commands.count <= 120, "\(commands.count) commands at once")
    for command in commands { follow(command, at: now) }
    require(mounted.count <= 5, "\(mounted.count) pages")
    require(players.count <= 5, "\(players.count) players")
    require(running.count <= 16, "\(running.count) requests")
    if case .pictureInPictureEnded(let player, _, _) = event, player == pinned { pinned = nil }
    for player in playing where player != pinned {
      let item = players.first { $0.player == player }?.item
      require(item != nil && item == current, "what plays is not what is shown")
    }
    if let current { require(mounted.contains(current), "the current clip has no page") }
  }

  private mutating func follow(_ command: FeedSession.Command, at now: Instant) {
    switch command {
    case .mount(let item, let page):
      require(page >= 0, "page \(page)")
      if !mounted.contains(item) { mounted.append(item) }
    case .unmount(let item):
      require(mounted.contains(item), "unmounts what is not there")
      mounted.removeAll { $0 == item }
      if current == item { current = nil }
    case .setCurrent(let item, _): current = item
    case .load, .release, .play, .pause, .seek: followPlayer(command)
    case .fetch, .cancel: followRequest(command)
    case .showEnd(let shows): sign("end", shows)
    case .showBuffering(let shows): sign("buffering", shows)
    case .showPaused(let shows): sign("paused", shows)
    case .showNetworkTrouble(let shows): sign("trouble", shows)
    case .wake(let at): require(at > now || now.rawValue == .max, "a wake in the past")
    default: break
    }
  }

  private mutating func sign(_ name: String, _ shows: Bool) {
    require(signs[name, default: false] != shows, "\(name) is said twice")
    signs[name] = shows
  }

  private mutating func followPlayer(_ command: FeedSession.Command) {
    switch command {
    case .load(let player, let item):
      require(!players.contains { $0.player == player || $0.item == item }, "a load into a held player")
      players.append((player, item))
    case .release(let player):
      require(players.contains { $0.player == player }, "a release of nothing")
      players.removeAll { $0.player == player }
      playing.removeAll { $0 == player }
      if pinned == player { pinned = nil }
    case .play(let player):
      require(playing.allSatisfy { $0 == player || $0 == pinned } || player == pinned, "two players play")
      require(players.contains { $0.player == player }, "an empty player plays")
      if !playing.contains(player) { playing.append(player) }
    case .pause(let player): playing.removeAll { $0 == player }
    case .seek(let player, let position):
      require(players.contains { $0.player == player }, "a seek in an empty player")
      require((Milliseconds.zero...PlaybackDescriptor.maxDuration).contains(position), "a seek to nowhere")
    default: break
    }
  }

  private mutating func followRequest(_ command: FeedSession.Command) {
    switch command {
    case .fetch(let download):
      let request = download.request
      require(!running.contains(request) && request.rawValue > latest, "a request number again")
      require(download.range.offset >= .zero && download.range.size > .zero, "an empty request")
      running.append(request)
      latest = request.rawValue
    case .cancel(let request):
      require(running.contains(request), "cancels what does not run")
      running.removeAll { $0 == request }
    default: break
    }
  }
}
