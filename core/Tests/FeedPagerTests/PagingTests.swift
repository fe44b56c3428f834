import CoreTypes
import FeedPager
import Testing

@Suite struct PagingTests {
  @Test func asksForTheFeedAtOnce() {
    var pager = FeedPager()
    var commands: [FeedPager.Command] = []
    pager.handle(.started(reducedMotion: false), at: Instant(0)) { commands.append($0) }
    #expect(commands == [.requestPage])
  }

  @Test func asksForMoreWhenThreeAreLeftAndOnlyOnce() {
    var harness = PagerHarness(items: 6, ready: [1, 2, 3])
    harness.send(.stepped(pages: 1))
    #expect(!harness.take().contains(.requestPage))
    harness.send(.stepped(pages: 1))
    #expect(harness.take().filter { $0 == .requestPage }.count == 1)
    harness.send(.stepped(pages: 1))
    #expect(!harness.take().contains(.requestPage))
  }

  @Test func asksAgainAfterAFailureWithGrowingPauses() {
    var harness = PagerHarness()
    harness.send(.pageFailed)
    let first = harness.pager.nextWake!
    #expect(first - harness.now <= Milliseconds(500))
    harness.now = first
    harness.send(.woke)
    #expect(harness.take() == [.requestPage])
    harness.send(.pageFailed)
    #expect(harness.pager.nextWake! - harness.now > Milliseconds(400))
    #expect(harness.pager.isCutOff)
    harness.send(.retryRequested)
    #expect(harness.take() == [.requestPage])
  }

  @Test func saysThatTheFeedHasEndedAndTakesItBack() {
    var harness = PagerHarness(items: 2, ready: [1])
    harness.send(.pageLoaded(hasMore: false), .stepped(pages: 1))
    #expect(harness.commands.contains(.showEnd(true)))
    harness.wait(5_000)
    harness.send(.stepped(pages: 1))
    #expect(harness.take().contains(.requestPage))
    harness.send(.itemAppended(ItemID(9)), .pageLoaded(hasMore: false))
    #expect(harness.take().contains(.showEnd(false)))
  }

  @Test func asksAnEmptyFeedAgainFromTimeToTime() {
    var harness = PagerHarness()
    harness.send(.pageLoaded(hasMore: false))
    #expect(harness.pager.nextWake == harness.now + FeedPager.refreshInterval)
    harness.wait(FeedPager.refreshInterval.rawValue)
    #expect(harness.take() == [.requestPage])
  }

  @Test func removingTheCurrentClipShowsTheNextInItsPlace() {
    var harness = PagerHarness(items: 5, ready: [1])
    harness.send(.stepped(pages: 1))
    harness.commands = []
    harness.send(.itemRemoved(ItemID(1)))
    #expect(harness.commands.contains(.unmount(ItemID(1))))
    #expect(harness.commands.contains(.setCurrent(ItemID(2), page: 1)))
    #expect(harness.commands.contains(.mount(ItemID(2), page: 1)))
  }

  @Test func removingAClipAboveKeepsTheCurrentOne() {
    var harness = PagerHarness(items: 5, ready: [1, 2])
    harness.swipe()
    harness.swipe()
    harness.send(.itemRemoved(ItemID(0)))
    #expect(harness.pager.items[harness.pager.current] == ItemID(2))
    #expect(harness.pager.current == 1)
    #expect(harness.commands.contains(.settle(page: 1, duration: .zero)))
  }
}
