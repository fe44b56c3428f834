import CoreTesting
import CoreTypes
import Prefetch
import Testing

@Suite struct PrefetchInvariantTests {
  @Test(arguments: 0..<4)
  func holdForRandomSequencesOfEvents(quarter: UInt64) {
    forEachSeed(2_500) { seed, _ in
      let seed = seed + quarter * 2_500
      var generator = SeededGenerator(seed: seed)
      var harness = PrefetchHarness(clips: 12, seconds: 6, leastEffort: true)
      var watch = Watch(seed: seed)
      for _ in 0..<80 {
        harness.now = harness.now + Milliseconds(generator.next(below: 400))
        act(&harness, &watch, &generator)
        watch.check(harness.commands, harness.prefetch)
        harness.commands = []
      }
    }
  }

  private func act(
    _ harness: inout PrefetchHarness, _ watch: inout Watch, _ generator: inout SeededGenerator
  ) {
    let item = ItemID(Int32(generator.next(below: 13)))
    switch generator.next(below: 17) {
    case 0, 1, 2:
      let page = Int32(generator.next(below: 12))
      watch.window = (max(0, page - 2)...min(11, page + 4)).map { ItemID($0) }
      harness.focus(on: page, of: 12)
    case 3, 4, 5, 6, 7: harness.deliver(taking: generator.next(below: 500))
    case 8, 9:
      guard !harness.running.isEmpty else { return }
      let reasons: [Prefetch.FailureReason] = [.network, .gone, .server]
      harness.send(
        .fetchFailed(
          harness.running.removeFirst().request, reasons[Int(generator.next(below: 3))]))
    case 10:
      harness.send(
        .segmentStored(
          item, rendition: Int32(truncatingIfNeeded: generator.hostileInteger(around: 3)),
          segment: Int32(truncatingIfNeeded: generator.hostileInteger(around: 6))))
    case 11:
      harness.send(
        .positionChanged(item, Milliseconds(generator.hostileInteger(around: 9_000))))
    case 12: if generator.next(below: 6) == 0 { harness.send(.itemRemoved(item)) }
    case 13: harness.send(generator.next(below: 2) == 0 ? .backgrounded : .foregrounded)
    case 14: harness.send(.networkChanged(isOnline: generator.next(below: 2) == 0))
    case 15: harness.send(.discarded(item, keeping: Int32(generator.next(below: 3))))
    default: harness.send(.woke)
    }
  }
}

/// Follows the commands as a host would and holds them against the invariants.
private struct Watch {
  let seed: UInt64
  var window: [ItemID] = []
  private var running: [Download] = []
  private var used: [Int32] = []

  init(seed: UInt64) { self.seed = seed }

  mutating func check(_ commands: [Prefetch.Command], _ prefetch: Prefetch) {
    for command in commands {
      switch command {
      case .fetch(let download):
        #expect(!used.contains(download.request.rawValue), "number used twice, seed \(seed)")
        used.append(download.request.rawValue)
        #expect(window.contains(download.item), "fetches outside the window, seed \(seed)")
        #expect(download.range.size > .zero && download.range.offset >= .zero, "seed \(seed)")
        #expect(
          download.segmentCount > 0 || download.includesInitialization, "asks for nothing")
      case .cancel(let request):
        #expect(used.contains(request.rawValue), "cancels what never was, seed \(seed)")
      case .itemGone: break
      }
    }
    #expect(prefetch.runningDownloads <= Prefetch.maxInFlight, "seed \(seed)")
  }
}
