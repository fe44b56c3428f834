import CoreTypes
import FeedPager
import Testing

@Suite struct SwipeTests {
  @Test func aFlickUpwardGoesToTheNextReadyClip() {
    var harness = PagerHarness(items: 5, ready: [1])
    harness.send(
      .dragBegan, .dragMoved(translation: -120), .dragEnded(translation: -120, velocity: -900))
    #expect(harness.pager.current == 1)
    #expect(harness.commands.contains(.setCurrent(ItemID(1), page: 1)))
  }

  @Test func aShortSlowDragComesBack() {
    var harness = PagerHarness(items: 5, ready: [1])
    harness.send(
      .dragBegan, .dragMoved(translation: -300), .dragEnded(translation: -300, velocity: -100))
    #expect(harness.pager.current == 0)
    #expect(harness.currents.isEmpty)
  }

  @Test func aSlowDragBeyondTheMiddleGoesOn() {
    var harness = PagerHarness(items: 5, ready: [1])
    harness.send(
      .dragBegan, .dragMoved(translation: -600), .dragEnded(translation: -600, velocity: 0))
    #expect(harness.pager.current == 1)
  }

  @Test func aFlickBackTakesALongDragBack() {
    var harness = PagerHarness(items: 5, ready: [1])
    harness.send(
      .dragBegan, .dragMoved(translation: -700), .dragEnded(translation: -700, velocity: 800))
    #expect(harness.pager.current == 0)
  }

  @Test func aDragAtTheFirstClipPullsARubberBand() {
    var harness = PagerHarness(items: 5)
    harness.send(.dragBegan, .dragMoved(translation: 1_000))
    guard case .scroll(let position) = harness.commands.last else {
      Issue.record("no scroll: \(harness.commands)")
      return
    }
    #expect(position < 0 && position > -FeedPager.page / 2)
  }

  @Test func theFasterTheFlickTheShorterTheAnimation() {
    func duration(velocity: Int64) -> Milliseconds? {
      var harness = PagerHarness(items: 5, ready: [1])
      harness.send(.dragBegan, .dragEnded(translation: -100, velocity: velocity))
      for case .settle(_, let duration) in harness.commands { return duration }
      return nil
    }
    #expect(duration(velocity: -400)! > duration(velocity: -5_000)!)
    #expect(duration(velocity: -400)! <= FeedPager.longestSettle)
    #expect(duration(velocity: -50_000)! >= FeedPager.shortestSettle)
  }

  @Test func reducedMotionSettlesAtOnce() {
    var harness = PagerHarness(items: 3, ready: [1])
    harness.send(.started(reducedMotion: true), .stepped(pages: 1))
    #expect(harness.commands.contains(.settle(page: 1, duration: .zero)))
  }

  @Test func oneGestureOfAWheelTurnsOnePage() {
    var harness = PagerHarness(items: 6, ready: [1, 2, 3])
    for _ in 0..<20 {
      harness.send(.wheelMoved(delta: 30))
      harness.wait(16)
    }
    #expect(harness.pager.current == 1)
    harness.wait(400)
    harness.send(.wheelMoved(delta: 120))
    #expect(harness.pager.current == 2)
  }

  @Test func aDragDuringTheAnimationStartsWhereThePageIs() {
    var harness = PagerHarness(items: 5, ready: [1])
    harness.send(.stepped(pages: 1))
    harness.wait(70)
    harness.send(.dragBegan, .dragMoved(translation: 0))
    guard case .scroll(let position) = harness.commands.last else {
      Issue.record("no scroll")
      return
    }
    #expect(position > 0 && position < FeedPager.page)
  }
}
