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

  @Test(arguments: [false, true]) func aSecondStepOnDoesNotBreakTheGate(isRequired: Bool) {
    var harness = PagerHarness(items: 5)
    harness.send(.firstFrameRequired(isRequired), .stepped(pages: 1))
    let wake = harness.pager.nextWake
    harness.send(.stepped(pages: 1), .wheelMoved(delta: 100))
    #expect(harness.pager.current == 0)
    #expect(harness.pager.focus == 1)
    #expect(harness.pager.nextWake == wake)
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

  // MARK: Never before the first frame

  /// A pager that has gone back from the second clip, which could not be shown.
  private func waiting() -> PagerHarness {
    var harness = PagerHarness(items: 5)
    harness.send(.firstFrameRequired(true), .stepped(pages: 1))
    harness.wait(FeedPager.holdLimit.rawValue)
    return harness
  }

  @Test func goesBackWithASignAndOnAsSoonAsTheClipIsReady() {
    var harness = waiting()
    #expect(
      harness.take() == [
        .hold(FeedPager.holdOffset, duration: FeedPager.holdDuration), .showWaiting(true),
        .settle(page: 0, duration: FeedPager.longestSettle),
      ])
    harness.send(.settleFinished(page: 0))
    harness.wait(600_000)
    #expect(harness.pager.current == 0)
    #expect(harness.take().isEmpty)
    harness.send(.readinessChanged(ItemID(1), isReady: true))
    #expect(harness.pager.current == 1)
    #expect(harness.take().first == .showWaiting(false))
  }

  @Test func anotherStepOnBouncesAndWaitsOn() {
    var harness = waiting()
    harness.commands = []
    harness.send(.stepped(pages: 1))
    #expect(harness.pager.current == 0)
    harness.wait(FeedPager.holdLimit.rawValue)
    #expect(harness.pager.current == 0)
    #expect(
      harness.take().filter { $0 == .showWaiting(true) || $0 == .showWaiting(false) } == [
        .showWaiting(false), .showWaiting(true),
      ])
  }

  @Test(arguments: [
    FeedPager.Event.dragBegan, .stepped(pages: -1), .waitCancelled, .locked(true),
  ]) func whoeverDoesSomethingElseStays(event: FeedPager.Event) {
    var harness = waiting()
    harness.commands = []
    harness.send(event)
    #expect(harness.commands.contains(.showWaiting(false)))
    harness.send(.dragEnded(translation: 0, velocity: 0), .readinessChanged(ItemID(1), isReady: true))
    #expect(harness.pager.current == 0)
  }

  @Test func theNextOneIsWaitedForIfTheClipIsGone() {
    var harness = waiting()
    harness.send(.itemRemoved(ItemID(1)), .readinessChanged(ItemID(2), isReady: true))
    #expect(harness.pager.items[harness.pager.current] == ItemID(2))
  }

  @Test func switchedOffItGoesOnWithThePoster() {
    var harness = waiting()
    harness.send(.firstFrameRequired(false))
    #expect(harness.pager.current == 1)
  }

  @Test func theClipThatPlaysComesFirstMeanwhileButAFarOneIsAskedFor() {
    var harness = waiting()
    #expect(harness.pager.focus == 0)
    harness.send(.jumped(page: 4))
    harness.wait(FeedPager.holdLimit.rawValue)
    #expect(harness.pager.current == 0)
    #expect(harness.pager.focus == 4)
  }
}
