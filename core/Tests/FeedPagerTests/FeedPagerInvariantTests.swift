import CoreTesting
import CoreTypes
import FeedPager
import Testing

@Suite struct FeedPagerInvariantTests {
  @Test func holdForRandomSequencesOfEvents() {
    forEachSeed(10_000) { seed, generator in
      var harness = PagerHarness()
      var watch = Watch(harness.pager)
      var nextItem: Int32 = 0
      for _ in 0..<30 {
        harness.now = harness.now + Milliseconds(generator.next(below: 300))
        let event = randomEvent(&generator, &nextItem)
        harness.send(event)
        watch.check(harness.take(), after: event, harness.pager, at: harness.now)
      }
      #expect(watch.broken.isEmpty, "seed \(seed): \(watch.broken)")
    }
  }

  private func randomEvent(_ generator: inout SeededGenerator, _ nextItem: inout Int32)
    -> FeedPager.Event
  {
    let item = ItemID(Int32(generator.next(below: Int64(nextItem) + 2)))
    switch generator.next(below: 24) {
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
    case 17, 18:
      if generator.next(below: 2) == 0 { nextItem += 1 }
      return .itemInserted(
        ItemID(Int32(generator.next(below: Int64(nextItem) + 1))), before: item)
    case 19: return .jumpedToItem(item)
    case 20: return .locked(generator.next(below: 4) == 0)
    case 21: return .firstFrameRequired(generator.next(below: 3) > 0)
    case 22: return .waitCancelled
    default: return .woke
    }
  }
}

/// Follows the commands as a host would and holds them against the pager's invariants.
private struct Watch {
  private(set) var broken: [String] = []
  private var mounted: [(item: ItemID, page: Int32)] = []
  private var requests = 0
  private var ready: [ItemID] = []
  private var heldSince: Instant?
  private var endIsShown = false
  private var waitIsShown = false
  private var isStrict = false
  private var shown: ItemID?
  private var before: FeedPager

  init(_ pager: FeedPager) { before = pager }

  private mutating func require(_ holds: Bool, _ what: String) { if !holds { broken.append(what) } }

  mutating func check(
    _ commands: [FeedPager.Command], after event: FeedPager.Event, _ pager: FeedPager,
    at now: Instant
  ) {
    note(event)
    for command in commands { follow(command, event, at: now) }
    checkMounts(pager)
    checkFeedChange(event, pager, at: now)
    before = pager
    guard !pager.items.isEmpty else { return }
    require(pager.items[pager.current] == shown, "another clip is current than was said")
    require(pager.items.indices.contains(pager.focus), "the focus is no page")
    let limit = FeedPager.Position(pager.items.count) * FeedPager.page
    // An animation may come from a page that is gone.
    guard pager.isResting || pager.focus != pager.current else { return }
    require((-FeedPager.page...limit).contains(pager.position(at: now)), "out of the feed")
  }

  private mutating func checkMounts(_ pager: FeedPager) {
    require(mounted.count <= FeedPager.mountedReach * 2 + 1, "too many pages")
    for (item, page) in mounted {
      let isThere = pager.items.indices.contains(Int(page)) && pager.items[Int(page)] == item
      require(isThere, "a mounted clip has another page")
    }
    for (index, item) in pager.items.enumerated() {
      require(pager.items.lastIndex(of: item) == index, "a clip has two pages")
    }
    guard !pager.items.isEmpty else { return }
    require(mounted.contains { $0.item == pager.items[pager.current] }, "current is not mounted")
  }

  /// Nothing that comes, goes or changes its place moves what the person sees.
  private mutating func checkFeedChange(
    _ event: FeedPager.Event, _ pager: FeedPager, at now: Instant
  ) {
    switch event {
    case .itemInserted, .itemAppended, .itemRemoved: break
    default: return
    }
    guard !before.items.isEmpty else { return }
    let current = before.items[before.current]
    guard pager.items.contains(current) else { return }
    // With the awaited clip gone the next one is gone to, at once if it is ready.
    if case .itemRemoved = event, before.focus != before.current { return }
    require(pager.items[pager.current] == current, "a change of the feed changed the current clip")
    guard case .itemInserted = event, before.focus == before.current else { return }
    let was = before.position(at: now) - Int64(before.current) * FeedPager.page
    let isNow = pager.position(at: now) - Int64(pager.current) * FeedPager.page
    // At its ends the feed is a rubber band, which another end stretches in another way.
    let inside = [before, pager].allSatisfy { $0.current > 0 && $0.current < $0.items.count - 1 }
    require(!inside || abs(was) >= FeedPager.page || was == isNow, "an insertion moved the page")
  }

  private mutating func note(_ event: FeedPager.Event) {
    switch event {
    case .pageLoaded, .pageFailed: requests = 0
    case .itemRemoved(let item): ready.removeAll { $0 == item }
    case .readinessChanged(let item, let isReady):
      ready.removeAll { $0 == item }
      if isReady { ready.append(item) }
    case .firstFrameRequired(let isRequired): isStrict = isRequired
    default: break
    }
  }

  private mutating func follow(
    _ command: FeedPager.Command, _ event: FeedPager.Event, at now: Instant
  ) {
    switch command {
    case .mount(let item, let page):
      mounted.removeAll { $0.item == item }
      mounted.append((item, page))
    case .unmount(let item):
      require(mounted.contains { $0.item == item }, "unmounts what is not there")
      mounted.removeAll { $0.item == item }
    case .requestPage:
      requests += 1
      require(requests == 1, "two requests for pages at once")
    case .hold: if heldSince == nil { heldSince = now }
    case .setCurrent(let item, _): become(item, event, at: now)
    case .settle: heldSince = nil
    case .scroll(let position):
      guard case .dragMoved = event else { return }
      heldSince = nil
      require(position > -FeedPager.page, "a rubber band never gives a page")
    case .showEnd(let shows):
      require(shows != endIsShown, "says the end twice")
      endIsShown = shows
    case .showWaiting(let shows):
      require(shows != waitIsShown, "says the wait twice")
      waitIsShown = shows
    case .fade(let duration): require(duration > .zero, "an empty fade")
    case .forget: require(false, "forgets a clip of a short feed")
    }
  }

  private mutating func become(_ item: ItemID, _ event: FeedPager.Event, at now: Instant) {
    shown = item
    switch event {
    // Whoever takes the place of a clip that goes was not gone to.
    case .itemRemoved, .itemAppended, .itemInserted: return
    // What was waited for so far is not waited for any more.
    case .firstFrameRequired: break
    case .stepped, .wheelMoved, .dragEnded:
      require(!before.isLocked, "a gesture moved a locked feed")
      require(ready.contains(item), "left at once for a clip that is not ready")
    default:
      let waited = heldSince.map { now - $0 >= FeedPager.holdLimit } ?? false
      require(ready.contains(item) || waited && !isStrict, "left too early for a clip that is not ready")
    }
    heldSince = nil
  }
}
