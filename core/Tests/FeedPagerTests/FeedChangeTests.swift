import CoreTypes
import FeedPager
import Testing

@Suite struct FeedChangeTests {
  @Test func newClipsOnTopLeaveTheCurrentOneWhereItIs() {
    var harness = PagerHarness(items: 5, ready: [1])
    harness.swipe()
    harness.send(.itemInserted(ItemID(100), before: ItemID(0)))
    #expect(harness.pager.items.first == ItemID(100))
    #expect(harness.pager.items[harness.pager.current] == ItemID(1))
    #expect(harness.commands.last == .settle(page: 2, duration: .zero))
    #expect(harness.commands.contains(.mount(ItemID(1), page: 2)))
    #expect(harness.currents.isEmpty)
  }

  @Test func aClipIsPutRightAboveAndRightBelowTheCurrentOne() {
    var harness = PagerHarness(items: 5, ready: [1])
    harness.swipe()
    harness.send(.itemInserted(ItemID(100), before: ItemID(1)))
    harness.send(.itemInserted(ItemID(101), before: ItemID(2)))
    #expect(harness.pager.items.prefix(5).map(\.rawValue) == [0, 100, 1, 101, 2])
    #expect(harness.pager.current == 2)
    #expect(harness.currents.isEmpty)
  }

  @Test func aFingerKeepsItsHoldWhileClipsComeAbove() {
    var harness = PagerHarness(items: 5, ready: [1])
    harness.swipe()
    harness.send(.dragBegan, .dragMoved(translation: -200))
    #expect(harness.take().last == .scroll(1_200_000))
    harness.send(.itemInserted(ItemID(100), before: ItemID(0)))
    #expect(harness.take().last == .scroll(2_200_000))
    harness.send(.dragMoved(translation: -300))
    #expect(harness.take().last == .scroll(2_300_000))
  }

  @Test func anAnimationGoesOnFromWhereItIsWhileClipsComeAbove() {
    var harness = PagerHarness(items: 5, ready: [1])
    harness.send(.stepped(pages: 1))
    harness.wait(100)
    let before = harness.pager.position(at: harness.now)
    harness.commands = []
    harness.send(.itemInserted(ItemID(100), before: ItemID(0)))
    #expect(harness.pager.position(at: harness.now) == before + FeedPager.page)
    #expect(
      harness.take().suffix(2) == [
        .scroll(before + FeedPager.page),
        .settle(page: 2, duration: FeedPager.longestSettle - Milliseconds(100)),
      ])
    harness.send(.settleFinished(page: 1))
    #expect(!harness.pager.isResting, "the end of an animation that was replaced")
    harness.send(.settleFinished(page: 2))
    #expect(harness.pager.isResting)
  }

  @Test func whatIsWaitedForIsStillWaitedForAfterAnInsertion() {
    var harness = PagerHarness(items: 5)
    harness.send(.stepped(pages: 1), .itemInserted(ItemID(100), before: ItemID(0)))
    #expect(harness.pager.focus == 2)
    harness.send(.readinessChanged(ItemID(1), isReady: true))
    #expect(harness.pager.items[harness.pager.current] == ItemID(1))
  }

  @Test func theNextClipIsWaitedForWhenTheAwaitedOneGoes() {
    var harness = PagerHarness(items: 5)
    harness.send(.stepped(pages: 1), .itemRemoved(ItemID(1)))
    #expect(harness.pager.items[harness.pager.focus] == ItemID(2))
    harness.wait(FeedPager.holdLimit.rawValue)
    #expect(harness.pager.items[harness.pager.current] == ItemID(2))
  }

  @Test func aClipOfTheFeedChangesItsPlace() {
    var harness = PagerHarness(items: 5, ready: [1])
    harness.swipe()
    harness.send(.itemInserted(ItemID(1), before: ItemID(4)))
    #expect(harness.pager.items.map(\.rawValue) == [0, 2, 3, 1, 4])
    #expect(harness.pager.current == 3, "the current clip is followed")
    harness.send(.itemInserted(ItemID(4), before: ItemID(0)))
    #expect(harness.pager.items.map(\.rawValue) == [4, 0, 2, 3, 1])
    #expect(harness.pager.current == 4)
    #expect(harness.currents.isEmpty)
  }

  @Test func aClipBeforeOneThatIsGoneComesLast() {
    var harness = PagerHarness(items: 2)
    harness.send(.itemInserted(ItemID(7), before: ItemID(99)), .itemInserted(ItemID(7), before: ItemID(7)))
    #expect(harness.pager.items.map(\.rawValue) == [0, 1, 7])
  }

  @Test func theFirstClipOfAnEmptyFeedMayBeInserted() {
    var harness = PagerHarness()
    harness.send(.itemInserted(ItemID(3), before: ItemID(0)))
    #expect(harness.currents == [0])
  }

  @Test func aVeryLongFeedLosesItsTopWithoutMoving() {
    var harness = PagerHarness(items: Int32(FeedPager.maxItems))
    harness.send(.jumpedToItem(ItemID(4_000)), .readinessChanged(ItemID(4_000), isReady: true))
    harness.send(.settleFinished(page: 4_000))
    harness.commands = []
    harness.send(.itemAppended(ItemID(9_000)))
    #expect(harness.pager.items.count <= FeedPager.maxItems)
    #expect(harness.pager.items[harness.pager.current] == ItemID(4_000))
    #expect(harness.commands.contains(.forget(ItemID(0))))
    #expect(harness.pager.items.last == ItemID(9_000))
  }

  @Test func whoIsAtTheTopOfAFullFeedKeepsIt() {
    var harness = PagerHarness(items: Int32(FeedPager.maxItems))
    harness.send(.itemAppended(ItemID(9_000)), .itemInserted(ItemID(9_001), before: ItemID(0)))
    #expect(harness.pager.items.count == FeedPager.maxItems)
    #expect(harness.pager.items.first == ItemID(0))
  }
}

@Suite struct JumpTests {
  @Test func aNearJumpIsAnimated() {
    var harness = PagerHarness(items: 9, ready: [2])
    harness.send(.jumped(page: 2))
    #expect(harness.commands.last == .settle(page: 2, duration: FeedPager.longestSettle))
    #expect(!harness.commands.contains(.fade(FeedPager.fadeDuration)))
  }

  @Test func aFarJumpFadesBeforeThePagesGo() {
    var harness = PagerHarness(items: 30, ready: [20])
    harness.send(.jumpedToItem(ItemID(20)))
    #expect(harness.commands.first == .fade(FeedPager.fadeDuration))
    #expect(harness.commands.contains(.setCurrent(ItemID(20), page: 20)))
    #expect(harness.commands.last == .settle(page: 20, duration: .zero))
  }

  @Test func aFarJumpWaitsInPlaceForItsFirstFrame() {
    var harness = PagerHarness(items: 30)
    harness.send(.jumped(page: 20))
    #expect(harness.take() == [.hold(0, duration: FeedPager.holdDuration)])
    #expect(harness.pager.focus == 20, "its player loads meanwhile")
    harness.wait(FeedPager.holdLimit.rawValue)
    #expect(harness.pager.current == 20)
  }

  @Test func reducedMotionDoesNotFade() {
    var harness = PagerHarness(items: 30, ready: [20])
    harness.send(.started(reducedMotion: true), .jumped(page: 20))
    #expect(!harness.commands.contains(.fade(FeedPager.fadeDuration)))
    #expect(harness.commands.last == .settle(page: 20, duration: .zero))
  }

  @Test func aJumpToAClipThatIsGoneGoesNowhere() {
    var harness = PagerHarness(items: 3)
    harness.send(.jumpedToItem(ItemID(9)))
    #expect(harness.commands.isEmpty)
  }

  @Test func aFingerThatCatchesTheRubberBandDoesNotTearIt() {
    var harness = PagerHarness(items: 3)
    harness.send(.dragBegan, .dragMoved(translation: 400))
    guard case .scroll(let stretched) = harness.commands.last else {
      Issue.record("no scroll: \(harness.commands)")
      return
    }
    harness.send(.dragEnded(translation: 400, velocity: 0), .dragBegan, .dragMoved(translation: 0))
    guard case .scroll(let caught) = harness.commands.last else { return }
    #expect(abs(caught - stretched) < 10)
  }
}

@Suite struct LockTests {
  @Test func noGestureMovesALockedFeed() {
    var harness = PagerHarness(items: 5, ready: [1])
    harness.send(.locked(true))
    harness.send(.stepped(pages: 1), .wheelMoved(delta: 200), .dragBegan, .dragMoved(translation: -400))
    harness.send(.dragEnded(translation: -400, velocity: -2_000))
    #expect(harness.commands.isEmpty)
    #expect(harness.pager.current == 0)
    harness.wait(1_000)
    harness.send(.locked(false), .stepped(pages: 1))
    #expect(harness.pager.current == 1)
  }

  @Test func aLockTakesAHeldPageAndADragBack() {
    var harness = PagerHarness(items: 5)
    harness.send(.stepped(pages: 1), .locked(true))
    #expect(harness.pager.focus == 0)
    guard case .settle(0, _) = harness.take().last else {
      Issue.record("the held page does not come back")
      return
    }
    harness.send(.locked(false), .dragBegan, .dragMoved(translation: -400), .locked(true))
    guard case .settle(0, _) = harness.take().last else {
      Issue.record("the drag does not come back")
      return
    }
    harness.send(.locked(false), .dragEnded(translation: -900, velocity: -2_000))
    #expect(harness.pager.current == 0, "a finger from before the lock means nothing")
  }

  @Test func jumpsMoveALockedFeed() {
    var harness = PagerHarness(items: 5)
    harness.send(.jumped(page: 1), .locked(true))
    harness.wait(FeedPager.holdLimit.rawValue)
    #expect(harness.pager.current == 1)
  }
}
