import CoreTesting
import CoreTypes
import Session
import Testing

@Suite struct GoldenTraceTests {
  /// The sessions whose commands are kept as goldens in fixtures/traces.
  static let recordings: [String: @Sendable () -> [String]] = [
    "swipes-on-4g": { Recordings.swipes(rate: 9_000_000, roundTrip: 85, seed: 1) },
    "swipes-on-3g": { Recordings.swipes(rate: 1_600_000, roundTrip: 300, seed: 2) },
    "network-gone-and-back": Recordings.networkGoneAndBack,
    "gestures": Recordings.gestures,
    "hostile": Recordings.hostile,
  ]

  @Test(arguments: recordings.keys.sorted())
  func givesTheSameCommands(name: String) throws {
    if Trace.records { try Trace.write("traces/" + name, Self.recordings[name]!()) }
    let golden = try Trace.read("traces/" + name)
    #expect(golden.count > 50)
    let replayed = Trace.replay(golden)
    let difference = zip(golden, replayed).enumerated().first { $1.0 != $1.1 }
    #expect(
      replayed == golden,
      "line \((difference?.offset ?? min(golden.count, replayed.count)) + 1) differs: \(String(describing: difference?.element))"
    )
  }
}

enum Recordings {
  static func swipes(rate: Int64, roundTrip: Int64, seed: UInt64) -> [String] {
    var host = HostModel()
    var generator = SeededGenerator(seed: seed)
    host.rate = BitsPerSecond(rate)
    host.roundTrip = Milliseconds(roundTrip)
    host.start()
    host.run(2_000)
    for _ in 0..<25 {
      host.send(.stepped(pages: generator.next(below: 5) == 0 ? -1 : 1))
      host.run(generator.next(below: 3) == 0 ? 4_000 : 500)
    }
    return host.trace
  }

  @Sendable static func networkGoneAndBack() -> [String] {
    var host = HostModel()
    host.missing = [ItemID(2)]
    host.start()
    host.run(3_000)
    host.online = false
    host.send(.networkChanged(isOnline: false))
    for _ in 0..<5 {
      host.send(.stepped(pages: 1))
      host.run(800)
    }
    host.send(.retryRequested)
    host.run(2_000)
    host.online = true
    host.send(.networkChanged(isOnline: true))
    host.run(3_000)
    return host.trace
  }

  @Sendable static func gestures() -> [String] {
    var host = HostModel()
    var generator = SeededGenerator(seed: 3)
    host.start(Session.Configuration(players: 5, reducedMotion: false, dataSaver: true))
    host.run(1_000)
    for _ in 0..<12 {
      host.send(.dragBegan)
      var translation: Int64 = 0
      for _ in 0..<4 {
        translation -= generator.next(below: 160) - 30
        host.send(.dragMoved(translation: translation))
        host.run(16)
      }
      host.send(.dragEnded(translation: translation, velocity: -generator.next(below: 2_000)))
      host.run(700)
      host.send(.wheelMoved(delta: generator.next(below: 200) - 100))
      host.run(300)
    }
    for event: Session.Event in [
      .tapped, .soundSet(isOn: true), .scrubBegan, .scrubMoved(Milliseconds(700)),
      .scrubEnded(Milliseconds(900)), .tapped, .backgrounded, .foregrounded, .memoryWarned,
      .jumped(page: 0), .itemRemoved(ItemID(0)),
    ] {
      host.send(event)
      host.run(400)
    }
    return host.trace
  }

  /// Rows that no sane host sends: every kind with numbers from nowhere.
  @Sendable static func hostile() -> [String] {
    var generator = SeededGenerator(seed: 4)
    var lines = ["event 0 1 3 0 1 0 0 0"]
    var time: Int64 = 0
    for _ in 0..<400 {
      time = saturatingSum(time, generator.next(below: 2_000) - 200)
      var words = [generator.next(below: 52)]
      for _ in 0..<generator.next(below: 6) {
        words.append(
          generator.next(below: 2) == 0
            ? generator.next(below: 4) : generator.hostileInteger(around: 2_000))
      }
      if words[0] == 2 { words = clipRow(&generator) }
      lines.append(Trace.line("event", time, words))
    }
    return Trace.replay(lines)
  }

  private static func clipRow(_ generator: inout SeededGenerator) -> [Int64] {
    var row: [Int64] = [2, generator.next(below: 12), 3_000, 1, 360, 600_000, 500_000, 0, 800, 2]
    row += [800, 50_000, 1_000, 50_800, 90_000, 2_000]
    if generator.next(below: 3) == 0 {
      row[Int(generator.next(below: Int64(row.count)))] = generator.hostileInteger(around: 100)
    }
    return row
  }
}
