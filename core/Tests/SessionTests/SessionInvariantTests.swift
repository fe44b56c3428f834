import Composer
import CoreTesting
import CoreTypes
import EnergyBudget
import Session
import SessionWire
import Testing

@Suite struct SessionInvariantTests {
  /// Everything a host can do, by a host that does what it is told.
  @Test(arguments: [UInt64(0), 1, 2, 3])
  func holdForRandomSessions(quarter: UInt64) {
    forEachSeed(2_500) { seed, generator in
      let seed = seed + quarter * 2_500
      generator = SeededGenerator(seed: seed)
      var host = HostModel(leastEffort: true)
      host.records = false
      host.reportsPositions = true
      host.online = generator.next(below: 8) > 0
      host.describes = generator.next(below: 8) > 0
      host.rate = BitsPerSecond([0, 400_000, 3_000_000, 20_000_000][Int(generator.next(below: 4))])
      host.start(
        FeedSession.Configuration(
          players: Int32(3 + generator.next(below: 3)),
          usesByteRanges: seed.isMultiple(of: SessionWatch.downloadsEvery)))
      host.run(generator.next(below: 1_500))
      for _ in 0..<6 {
        act(&host, &generator)
        host.run(generator.next(below: 500))
      }
      #expect(host.watch.broken.isEmpty, "seed \(seed): \(host.watch.broken)")
      #expect(host.wakes < 100, "a deadline that stays in the past wakes again and again, seed \(seed)")
    }
  }

  private func act(_ host: inout HostModel, _ generator: inout SeededGenerator) {
    let item = ItemID(Int32(generator.next(below: 8)))
    let coin = generator.next(below: 2) == 0
    switch generator.next(below: 26) {
    case 0, 1, 2, 3: host.send(.stepped(pages: coin ? 1 : generator.next(below: 4) - 1))
    case 4:
      host.send(.dragBegan)
      host.send(.dragMoved(translation: -generator.next(below: 500)))
      host.send(.dragEnded(translation: -300, velocity: generator.next(below: 4_000) - 3_000))
    case 5: host.send(.jumpedToItem(item))
    case 6: host.send(.itemRemoved(item))
    case 7: host.insert(before: item)
    case 8: host.send(coin ? .cameraOpened : .cameraClosed)
    case 9: host.send(coin ? .backgrounded : .foregrounded)
    case 10: host.send(.memoryWarned)
    case 11: host.online.toggle()
    case 12: host.send(.feedLocked(coin))
    case 13: host.send(.tapped)
    case 14: host.send(coin ? .scrubBegan : .scrubEnded(Milliseconds(generator.next(below: 9_000))))
    case 20: host.beginPictureInPicture()
    case 21: host.endPictureInPicture(returns: coin)
    case 22: host.send(.pictureInPicturePlayed(PlayerID(Int32(generator.next(below: 3))), item, isOn: coin))
    case 16: host.send(.composer(.fieldFocused))
    case 17: host.send(.composer(coin ? .fieldDismissed : .fieldBlurred))
    case 18: host.send(.composer(.textChanged(item, characters: 5, isBlank: coin)))
    case 19: host.send(.composer(coin ? .sendTapped : .signedInChanged(true)))
    case 23:
      host.send(
        .framesShown(
          shortEdge: 360 * Int32(1 + generator.next(below: 3)), shown: Int32(generator.next(below: 200)),
          dropped: Int32(generator.next(below: 100))))
    case 15:
      host.send(
        .conditionsChanged(
          Conditions(
            batteryPercent: generator.next(below: 120) - 10, lowPowerMode: coin,
            warmth: generator.next(below: 4), network: generator.next(below: 3),
            reducedMotion: generator.next(below: 4) == 0, autoplay: generator.next(below: 3) > 0)))
    default: host.send(.playerFailed(PlayerID(Int32(generator.next(below: 3))), item))
    }
  }

  @Test func refusesRowsThatAreCutShortOrTooLong() {
    let rows: [[Int64]] = [
      [], [99], [12], [12, 1, 2], [3, 2], [25, 1], [2, 0, 1_000, 900], [6, 1], [7], [19], [49, 2],
      [51, 0], [28, 0], [29, 0, 1], [29, 0, 1, 2], [82, 0, 1], [83, 720, 60],
      [83, 720, 60, 1 << 40], [2, 0, 1_000, 1, 360, 1, 1, 0, 10, 2_048],
    ]
    for words in rows {
      #expect(words.withUnsafeBufferPointer { FeedSession.Event(words: $0) } == nil, "\(words)")
    }
    let absurd: [Int64] = [2, 7, 1_000, 1, 360, 1, 1, 0, 10, 1, 10, -5, 1_000]
    let event = absurd.withUnsafeBufferPointer { FeedSession.Event(words: $0) }
    guard case .itemRefused(ItemID(7)) = event else {
      Issue.record("a clip of negative size is taken: \(String(describing: event))")
      return
    }
  }
}
