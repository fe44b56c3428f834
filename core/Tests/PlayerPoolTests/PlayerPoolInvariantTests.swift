import CoreTesting
import CoreTypes
import PlayerPool
import Testing

@Suite struct PlayerPoolInvariantTests {
  @Test func holdForRandomSequencesOfEvents() {
    forEachSeed(2_000) { seed, generator in
      let players = Int32(generator.next(below: 8))
      var harness = PoolHarness(players: players)
      var watch = Watch(seed: seed)
      for _ in 0..<60 {
        harness.now = harness.now + Milliseconds(generator.next(below: 500))
        harness.send(randomEvent(&generator, &watch))
        watch.check(harness.take(), harness.pool)
      }
    }
  }

  private func randomEvent(_ generator: inout SeededGenerator, _ watch: inout Watch)
    -> PlayerPool.Event
  {
    let player = PlayerID(Int32(generator.next(below: 6)))
    // Mostly what the player really holds, or nothing would ever happen.
    var item = ItemID(Int32(generator.next(below: 8)))
    if generator.next(below: 5) > 0, let held = watch.held(by: player) { item = held }
    switch generator.next(below: 20) {
    case 0, 1, 2: return randomFocus(&generator, &watch)
    case 3, 4, 5, 6: return .firstFrameReady(player, item)
    case 7, 8: return .playbackAdvanced(player, item)
    case 9, 10: return .playbackStalled(player, item)
    case 11: return .playerFailed(player, item)
    case 12: return .autoplayRefused(player, item)
    case 13: return .tapped
    case 14: return .soundSet(isOn: generator.next(below: 2) == 0)
    case 15: return .scrubBegan
    case 16: return .scrubEnded(Milliseconds(generator.hostileInteger(around: 9_000)))
    case 17: return generator.next(below: 2) == 0 ? .backgrounded : .foregrounded
    case 18: return generator.next(below: 3) == 0 ? .memoryWarned : .settled
    default: return .woke
    }
  }

  private func randomFocus(_ generator: inout SeededGenerator, _ watch: inout Watch)
    -> PlayerPool.Event
  {
    let page = Int32(generator.next(below: 8))
    watch.current = ItemID(page)
    watch.wanted = [page, page + 1, page - 1, page + 2, page - 2].filter { $0 >= 0 }
      .map { ItemID($0) }
    return .focusMoved(current: watch.current, wanted: watch.wanted)
  }
}

/// Follows the commands as a host would and holds them against the pool's invariants.
private struct Watch {
  let seed: UInt64
  var current: ItemID?
  var wanted: [ItemID] = []
  private var slots: [(player: PlayerID, item: ItemID)] = []
  private var playing: PlayerID?
  private var buffering = false
  private var paused = false

  init(seed: UInt64) { self.seed = seed }

  func held(by player: PlayerID) -> ItemID? { slots.first { $0.player == player }?.item }

  mutating func check(_ commands: [PlayerPool.Command], _ pool: PlayerPool) {
    for command in commands { follow(command) }
    #expect(slots.count <= pool.capacity, "seed \(seed)")
    for (index, slot) in slots.enumerated() {
      #expect(!slots[..<index].contains { $0.item == slot.item }, "held twice, seed \(seed)")
      #expect(pool.item(in: slot.player) == slot.item, "seed \(seed)")
    }
    for item in wanted.prefix(pool.capacity) {
      #expect(slots.contains { $0.item == item }, "a wanted clip is not held, seed \(seed)")
    }
    if let playing { #expect(held(by: playing) == current, "seed \(seed)") }
  }

  private mutating func follow(_ command: PlayerPool.Command) {
    switch command {
    case .load(let player, let item):
      #expect(held(by: player) == nil, "loads into a player that is taken, seed \(seed)")
      slots.append((player, item))
    case .release(let player):
      #expect(held(by: player) != nil, "seed \(seed)")
      slots.removeAll { $0.player == player }
      if playing == player { playing = nil }
    case .play(let player):
      #expect(playing == nil || playing == player, "two players play, seed \(seed)")
      playing = player
    case .pause(let player): if playing == player { playing = nil }
    case .seek(let player, let position):
      #expect(held(by: player) != nil && position >= .zero, "seed \(seed)")
    case .showBuffering(let shows):
      #expect(shows != buffering, "seed \(seed)")
      buffering = shows
    case .showPaused(let shows):
      #expect(shows != paused, "seed \(seed)")
      paused = shows
    case .setMuted, .readinessChanged, .itemFailed: break
    }
  }
}
