import CoreTesting
import CoreTypes
import FeedPager
import Testing

@Suite struct FeedPagerInvariantTests {
  @Test func holdForRandomSequencesOfEvents() {
    forEachSeed(2_000) { seed, generator in
      var harness = PagerHarness()
      var watch = Watch(seed: seed)
      var nextItem: Int32 = 0
      for _ in 0..<60 {
        harness.now = harness.now + Milliseconds(generator.next(below: 300))
        let event = randomEvent(&generator, &nextItem)
        harness.send(event)
        watch.check(harness.take(), after: event, harness.pager, at: harness.now)
      }
    }
  }

  private func randomEvent(_ generator: inout SeededGenerator, _ nextItem: inout Int32)
    -> FeedPager.Event
  {
    let item = ItemID(Int32(generator.next(below: Int64(nextItem) + 2)))
    switch generator.next(below: 18) {
    case 0, 1, 2:
      nextItem += 1
      return .itemAppended(ItemID(nextItem))
    case 3: return .pageLoaded(hasMore: generator.next(below: 3) > 0)
    case 4: return .pageFailed
    case 5: return .itemRemoved(item)
    case 6: return .viewportResized(height: generator.hostileInteger(around: 1_000))
    case 7: return .dragBegan
    case 8: return .dragMoved(translation: generator.hostileInteger(around: 1_200))
    case 9:
      return .dragEnded(
        translation: generator.hostileInteger(around: 1_200),
        velocity: generator.hostileInteger(around: 3_000))
    case 10: return .dragCancelled
    case 11: return .stepped(pages: generator.hostileInteger(around: 2))
    case 12: return .jumped(page: generator.hostileInteger(around: 10))
    case 13: return .wheelMoved(delta: generator.hostileInteger(around: 150))
    case 14: return .settleFinished(page: generator.next(below: 8))
    case 15, 16: return .readinessChanged(item, isReady: generator.next(below: 3) > 0)
    default: return .woke
    }
  }
}

/// Follows the commands as a host would and holds them against the pager's invariants.
private struct Watch {
  let seed: UInt64
  var mounted: [ItemID] = []
  var requests = 0
  var ready: [ItemID] = []
  var heldSince: Instant?
  var endIsShown = false

  init(seed: UInt64) { self.seed = seed }

  mutating func check(
    _ commands: [FeedPager.Command], after event: FeedPager.Event, _ pager: FeedPager,
    at now: Instant
  ) {
    note(event)
    for command in commands { follow(command, event, pager, at: now) }
    #expect(mounted.count <= FeedPager.mountedReach * 2 + 1, "seed \(seed)")
    guard !pager.items.isEmpty else { return }
    #expect(pager.items.indices.contains(pager.current), "seed \(seed)")
    #expect(pager.items.indices.contains(pager.focus), "seed \(seed)")
    #expect(mounted.contains(pager.items[pager.current]), "seed \(seed)")
    let limit = FeedPager.Position(pager.items.count) * FeedPager.page
    if pager.isResting || pager.focus != pager.current {
      #expect((-FeedPager.page...limit).contains(pager.position(at: now)), "seed \(seed)")
    }
  }

  private mutating func note(_ event: FeedPager.Event) {
    switch event {
    case .pageLoaded, .pageFailed: requests = 0
    case .readinessChanged(let item, let isReady):
      ready.removeAll { $0 == item }
      if isReady { ready.append(item) }
    default: break
    }
  }

  private mutating func follow(
    _ command: FeedPager.Command, _ event: FeedPager.Event, _ pager: FeedPager, at now: Instant
  ) {
    switch command {
    case .mount(let item, _): if !mounted.contains(item) { mounted.append(item) }
    case .unmount(let item):
      #expect(mounted.contains(item), "unmounts what is not there, seed \(seed)")
      mounted.removeAll { $0 == item }
    case .requestPage:
      requests += 1
      #expect(requests == 1, "two requests for pages at once, seed \(seed)")
    case .hold: if heldSince == nil { heldSince = now }
    case .setCurrent(let item, _):
      var isFree = ready.contains(item) || mounted.count == 1
      if case .itemRemoved = event { isFree = true }
      if case .itemAppended = event { isFree = true }
      // The person asked a second time: not a wait any more.
      if case .stepped = event { isFree = true }
      if case .wheelMoved = event { isFree = true }
      if !isFree {
        #expect(heldSince.map { now - $0 >= FeedPager.holdLimit } ?? false, "seed \(seed)")
      }
      heldSince = nil
    case .settle: heldSince = nil
    case .scroll(let position):
      heldSince = nil
      #expect(position > -FeedPager.page, "a rubber band never gives a page, seed \(seed)")
    case .showEnd(let shows):
      #expect(shows != endIsShown, "seed \(seed)")
      endIsShown = shows
    }
  }
}
