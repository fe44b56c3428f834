import CoreTesting
import CoreTypes
import Session
import SessionWire
import Testing

@Suite struct SessionInvariantTests {
  /// Any row of words, at any time: no trap, bounded answers, a deadline that is asked for.
  @Test func survivesRowsOfRandomWords() {
    forEachSeed(300) { seed, generator in
      var session = Session()
      var time: Int64 = 0
      var latest = Int64.min
      for _ in 0..<200 {
        time = saturatingSum(time, generator.hostileInteger(around: 5_000))
        let words = randomRow(&generator)
        let event = words.withUnsafeBufferPointer { Session.Event(words: $0) }
        guard let event else { continue }
        latest = max(latest, time)
        var commands = 0
        session.handle(event, at: Instant(time)) { command in
          commands += 1
          if case .wake(let at) = command { #expect(at > Instant(latest) || latest == .max) }
        }
        #expect(commands < 100, "seed \(seed)")
      }
    }
  }

  private func randomRow(_ generator: inout SeededGenerator) -> [Int64] {
    switch generator.next(below: 4) {
    case 0:
      var words: [Int64] = []
      Session.Event.itemAppended(
        ItemID(Int32(generator.next(below: 30))), HostModel.clip(Int32(generator.next(below: 9)))
      ).append(to: &words)
      return words
    case 1: return [[1, 3, 0, 1, 0, 0, 0], [15, 1], [15, -1], [50]][Int(generator.next(below: 4))]
    default:
      var words = [generator.next(below: 52)]
      for _ in 0..<generator.next(below: 6) {
        words.append(generator.hostileInteger(around: 10))
      }
      return words
    }
  }

  /// A deadline that stays in the past would wake the host again and again.
  @Test func aWakeIsNeverFollowedByAnotherAtOnce() {
    forEachSeed(40) { seed, generator in
      var host = HostModel()
      host.online = generator.next(below: 2) == 0
      host.start()
      for _ in 0..<20 {
        host.send(.stepped(pages: generator.next(below: 3) - 1))
        host.run(generator.next(below: 3_000))
        if generator.next(below: 4) == 0 { host.online.toggle() }
      }
      #expect(host.wakes < 300, "seed \(seed)")
    }
  }

  @Test func refusesRowsThatAreCutShortOrTooLong() {
    for words: [Int64] in [[], [99], [12], [12, 1, 2], [3, 2], [25, 1], [2, 0, 1_000, 900]] {
      #expect(words.withUnsafeBufferPointer { Session.Event(words: $0) } == nil, "\(words)")
    }
    let absurd: [Int64] = [2, 7, 1_000, 1, 360, 1, 1, 0, 10, 1, 10, -5, 1_000]
    let event = absurd.withUnsafeBufferPointer { Session.Event(words: $0) }
    guard case .itemRefused(ItemID(7)) = event else {
      Issue.record("a clip of negative size is taken: \(String(describing: event))")
      return
    }
  }
}
