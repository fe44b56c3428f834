import CoreTypes
import PlayerPool

/// A pool of three players with a clock that a test moves by hand.
struct PoolHarness {
  var pool = PlayerPool()
  var now = Instant(0)
  var commands: [PlayerPool.Command] = []

  init(players: Int32 = 3) {
    send(.started(players: players))
    commands = []
  }

  mutating func send(_ events: PlayerPool.Event...) {
    for event in events {
      var emitted: [PlayerPool.Command] = []
      pool.handle(event, at: now) { emitted.append($0) }
      commands += emitted
    }
  }

  mutating func focus(on current: Int32, wanted: [Int32]) {
    send(.focusMoved(current: ItemID(current), wanted: wanted.map { ItemID($0) }))
  }

  /// Clips 0, 1 and 2 are held, 0 plays.
  mutating func playFirst() {
    focus(on: 0, wanted: [0, 1, 2])
    send(.firstFrameReady(PlayerID(0), ItemID(0)), .playbackAdvanced(PlayerID(0), ItemID(0)))
    commands = []
  }

  mutating func wait(_ time: Milliseconds) {
    now = now + time
    send(.woke)
  }

  mutating func take() -> [PlayerPool.Command] {
    defer { commands = [] }
    return commands
  }
}
