import Activity
import CoreTypes
import Testing

@Suite struct WatchTests {
  @Test func aClipThatSomebodyLeavesAtOnceIsAnImpressionAndASkip() {
    var harness = ActivityHarness()
    harness.show(1)
    harness.now = Instant(80)
    harness.send(.playing)
    harness.now = Instant(600)
    harness.show(2)
    #expect(harness.records == ["0 impression", "80 firstFrame 80", "600 skip 0", "600 impression"])
    #expect(harness.kept.map(\.position) == [0, 0, 0, 1])
    #expect(harness.kept.map(\.item) == [ItemID(1), ItemID(1), ItemID(1), ItemID(2)])
  }

  @Test func whatMovedBeforeAnybodyLookedCounts() {
    var harness = ActivityHarness()
    harness.show(1, watched: 1_500)
    harness.play(from: 1_500, 500)
    #expect(harness.records == ["0 impression", "500 progress 2000"])
  }

  @Test func aViewIsRecordedAtOnceAndProgressNowAndThen() {
    var harness = ActivityHarness()
    harness.show(1, duration: 60_000, watched: 0)
    harness.play(from: 0, 1_750)
    #expect(harness.records == ["0 impression"])
    harness.play(from: 1_750, 20_250)
    #expect(
      harness.records.dropFirst() == [
        "2000 progress 2000", "12000 progress 12000", "22000 progress 22000",
      ])
  }

  @Test func theEndIsRecordedOnceAndEachNewBeginning() {
    var harness = ActivityHarness()
    harness.show(1, watched: 0)
    harness.play(from: 0, 10_250)
    harness.show(2)
    #expect(
      harness.records.dropFirst() == [
        "2000 progress 2000", "5000 completion 5000", "5000 loop 5000", "10000 loop 10000",
        "10250 impression",
      ])
  }

  @Test func whatWasJumpedOverWasNotWatched() {
    var harness = ActivityHarness()
    harness.show(1, watched: 0)
    for place: Int64 in [0, 4_000, 1_000] { harness.send(.advanced(to: Milliseconds(place))) }
    harness.show(2)
    #expect(harness.records.dropFirst().first == "0 skip 0")
  }

  @Test func aPictureThatStandsIsAStallUnlessItIsPausedOrHasNotBegun() {
    var harness = ActivityHarness()
    harness.show(1)
    for (time, event): (Int64, Activity.Event) in [
      (50, .waiting), (200, .playing), (900, .waiting), (1_100, .waiting), (1_500, .playing),
      (1_900, .waiting), (2_000, .paused), (9_000, .playing), (9_100, .waiting), (9_200, .pageHidden),
      (9_900, .playing),
    ] {
      harness.now = Instant(time)
      harness.send(event)
    }
    #expect(harness.records == ["0 impression", "200 firstFrame 200", "1500 stall 600"])
  }

  @Test func aDeviceThatSleptDidNotStall() {
    var harness = ActivityHarness()
    harness.show(1, watched: 0)
    harness.send(.waiting)
    harness.now = Instant(120_001)
    harness.send(.playing)
    #expect(harness.records == ["0 impression"])
  }

  @Test func theSameClipIsNotShownTwiceAndOneWithoutALengthNotAtAll() {
    var harness = ActivityHarness()
    harness.send(.playing, .advanced(to: Milliseconds(9)), .waiting, .paused)
    harness.show(1)
    harness.show(1)
    harness.show(2, duration: 0)
    #expect(harness.records == ["0 impression"])
  }
}
