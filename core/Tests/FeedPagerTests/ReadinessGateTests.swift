import CoreTypes
import FeedPager
import Testing

@Suite struct ReadinessGateTests {
  @Test func holdsThePageUntilTheNextClipIsReady() {
    var harness = PagerHarness(items: 5)
    harness.send(.stepped(pages: 1))
    #expect(harness.pager.current == 0)
    #expect(harness.pager.focus == 1)
    #expect(
      harness.take() == [.hold(FeedPager.holdOffset, duration: FeedPager.holdDuration)])
    harness.wait(200)
    #expect(harness.take().isEmpty)
    harness.send(.readinessChanged(ItemID(1), isReady: true))
    #expect(harness.pager.current == 1)
  }

  @Test func goesOnWithThePosterAfterTheLimit() {
    var harness = PagerHarness(items: 5)
    harness.send(.stepped(pages: 1))
    #expect(harness.pager.nextWake == Instant(0) + FeedPager.holdLimit)
    harness.wait(FeedPager.holdLimit.rawValue - 1)
    #expect(harness.pager.current == 0)
    harness.wait(1)
    #expect(harness.pager.current == 1)
  }

  @Test func aSecondStepOnDoesNotWait() {
    var harness = PagerHarness(items: 5)
    harness.send(.stepped(pages: 1), .stepped(pages: 1))
    #expect(harness.pager.current == 1)
  }

  @Test func aStepBackWhileHeldStays() {
    var harness = PagerHarness(items: 5)
    harness.send(.stepped(pages: 1), .stepped(pages: -1))
    #expect(harness.pager.current == 0)
    #expect(harness.pager.focus == 0)
    harness.wait(10_000)
    #expect(harness.pager.current == 0)
  }

  @Test func aDragTakesAHeldPage() {
    var harness = PagerHarness(items: 5)
    harness.send(.stepped(pages: 1), .dragBegan)
    harness.wait(10_000)
    #expect(harness.pager.current == 0)
    harness.send(.dragEnded(translation: 0, velocity: 0))
    #expect(harness.pager.current == 0)
  }
}
