import CoreTesting
import CoreTypes
import PlayerPool
import Testing

@Suite struct PlayerPoolInvariantTests {
  @Test func holdForRandomSequencesOfEvents() {
    forEachSeed(10_000) { seed, generator in
      let players = Int32(generator.next(below: 8))
      var harness = PoolHarness(players: players)
      var watch = Watch()
      for _ in 0..<30 {
        harness.now = harness.now + Milliseconds(generator.next(below: 900))
        let event = randomEvent(&generator, &watch)
        harness.send(event)
        watch.check(harness.take(), after: event, harness.pool)
      }
      #expect(watch.broken.isEmpty, "seed \(seed): \(watch.broken)")
    }
  }

  private func randomEvent(_ generator: inout SeededGenerator, _ watch: inout Watch)
    -> PlayerPool.Event
  {
    let player = PlayerID(Int32(generator.next(below: 6)))
    // Mostly what the player really holds, or nothing would ever happen.
    var item = ItemID(Int32(generator.next(below: 8)))
    if generator.next(below: 5) > 0, let held = watch.held(by: player) { item = held }
    let coin = generator.next(below: 2) == 0
    switch generator.next(below: 29) {
    case 0, 1, 2: return randomFocus(&generator, &watch)
    case 3, 4, 5, 6: return .firstFrameReady(player, item)
    case 7, 8: return .playbackAdvanced(player, item)
    case 9, 10: return .playbackStalled(player, item)
    case 11: return .playerFailed(player, item)
    case 12: return .autoplayRefused(player, item)
    case 13: return .tapped
    case 14: return .soundSet(isOn: coin)
    case 15: return .scrubBegan
    case 16: return .scrubEnded(Milliseconds(generator.hostileInteger(around: 9_000)))
    case 17: return coin ? .backgrounded : .foregrounded
    case 18: return generator.next(below: 3) == 0 ? .memoryWarned : .settled
    case 19: return coin ? .cameraOpened : .cameraClosed
    case 20: return .composerHeld(coin)
    case 21: return .playbackEnded(player, item)
    case 22:
      return .positionChanged(player, item, Milliseconds(generator.hostileInteger(around: 9_000)))
    case 23: return .looped(player, item)
    case 24:
      var limits = PlaybackLimits.unlimited
      limits.playsByItself = coin
      return .limitsChanged(limits)
    case 25: return .pictureInPictureBegan(player, item)
    case 26: return .pictureInPictureEnded(item)
    case 27: return .pictureInPicturePlayed(player, item, isOn: coin)
    default: return .woke
    }
  }

  private func randomFocus(_ generator: inout SeededGenerator, _ watch: inout Watch)
    -> PlayerPool.Event
  {
    let page = Int32(generator.next(below: 8))
    // Sometimes another one than the current one is waited for, and named first.
    let awaited = generator.next(below: 4) == 0 ? page + 1 : page
    watch.current = generator.next(below: 20) == 0 ? nil : ItemID(page)
    watch.wanted = [awaited, page, page + 1, page - 1, page + 2, page - 2].filter { $0 >= 0 }
      .map { ItemID($0) }
    return .focusMoved(current: watch.current, wanted: watch.wanted)
  }
}

/// Follows the commands as a host would and holds them against the pool's invariants.
private struct Watch {
  private(set) var broken: [String] = []
  var current: ItemID?
  var wanted: [ItemID] = []
  private var slots: [(player: PlayerID, item: ItemID)] = []
  private var playing: [PlayerID] = []
  private var pinned: ItemID?
  private var onlyHeard: PlayerID?
  private var buffering = false
  private var paused = false
  private var isAway = (camera: false, hidden: false)

  func held(by player: PlayerID) -> ItemID? { slots.first { $0.player == player }?.item }

  private mutating func require(_ holds: Bool, _ what: String) { if !holds { broken.append(what) } }

  mutating func check(
    _ commands: [PlayerPool.Command], after event: PlayerPool.Event, _ pool: PlayerPool
  ) {
    switch event {
    case .cameraOpened: isAway.camera = true
    case .cameraClosed: isAway.camera = false
    case .backgrounded: isAway.hidden = true
    case .foregrounded: isAway.hidden = false
    default: break
    }
    let heldCurrent = slots.contains { $0.item == current }
    notePin(event, pool)
    for command in commands { follow(command) }
    require(pool.pinnedItem == pinned, "pins another clip than was said")
    require(pinned.map { item in slots.contains { $0.item == item } } ?? true, "a pinned clip is not held")
    require(slots.count <= pool.capacity, "more clips than players")
    for (index, slot) in slots.enumerated() {
      require(!slots[..<index].contains { $0.item == slot.item }, "held twice")
      require(pool.item(in: slot.player) == slot.item, "another clip is held than was said")
    }
    // The current clip first, whoever else is waited for.
    let order = (pinned.map { [$0] } ?? []) + (current.map { [$0] } ?? []) + wanted.filter { $0 != current }
    var unique: [ItemID] = []
    for item in order where !unique.contains(item) { unique.append(item) }
    for item in unique.prefix(pool.capacity) {
      require(slots.contains { $0.item == item }, "a wanted clip is not held")
    }
    if heldCurrent, pool.capacity > (pinned == current ? 0 : pinned.map { _ in 1 } ?? 0) {
      require(slots.contains { $0.item == current }, "the current clip was released")
    }
    for player in playing where held(by: player) != pinned {
      require(held(by: player) == current, "plays what is not current")
      require(!isAway.camera && !isAway.hidden, "plays while nobody can see it")
    }
    require(onlyHeard.map { held(by: $0) == pinned && pinned != current } ?? true, "silences what is seen")
    if isAway.camera { require(slots.isEmpty, "keeps a decoder from the camera") }
  }

  /// A window that closes, the camera, and a failure end it.
  private mutating func notePin(_ event: PlayerPool.Event, _ pool: PlayerPool) {
    switch event {
    case .pictureInPictureBegan(let player, let item):
      if held(by: player) == item, pool.pinnedItem == item { pinned = item }
    case .playerFailed(let player, let item): if held(by: player) == item, item == pinned { pinned = nil }
    case .pictureInPictureEnded(let item): if item == pinned { pinned = nil }
    case .cameraOpened: pinned = nil
    default: break
    }
  }

  private mutating func follow(_ command: PlayerPool.Command) {
    switch command {
    case .load(let player, let item):
      require(held(by: player) == nil, "loads into a player that is taken")
      slots.append((player, item))
    case .release(let player):
      require(held(by: player) != nil, "releases nothing")
      slots.removeAll { $0.player == player }
      playing.removeAll { $0 == player }
    case .play(let player):
      let others = playing.filter { $0 != player && held(by: $0) != pinned }
      require(others.isEmpty || held(by: player) == pinned, "two players play")
      if !playing.contains(player) { playing.append(player) }
    case .pause(let player): playing.removeAll { $0 == player }
    case .seek(let player, let position):
      require(held(by: player) != nil, "seeks in an empty player")
      require(
        position >= .zero && position <= PlaybackDescriptor.maxDuration, "seeks to nowhere")
    case .showBuffering(let shows):
      require(shows != buffering, "says buffering twice")
      buffering = shows
    case .showPaused(let shows):
      require(shows != paused, "says paused twice")
      paused = shows
    case .hearOnly(let player):
      require(player != onlyHeard, "says twice who is heard")
      onlyHeard = player
    case .setMuted, .readinessChanged, .itemFailed: break
    }
  }
}
