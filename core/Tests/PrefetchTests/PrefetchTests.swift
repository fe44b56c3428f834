import CoreTesting
import CoreTypes
import Prefetch
import Testing

@Suite struct PrefetchTests {
  @Test func fetchesTheFirstSegmentOfTheCurrentClipAloneInOneRequest() {
    var harness = PrefetchHarness()
    harness.focus(on: 0)
    #expect(harness.running.count == 1)
    let first = harness.running[0]
    #expect(first.item == ItemID(0) && first.includesInitialization && first.segmentCount == 1)
    #expect(first.range == ByteRange(offset: .zero, size: Bytes(1_000 + 62_500)))
  }

  @Test func fetchesInTheOrderOfTheStages() {
    var harness = PrefetchHarness()
    harness.focus(on: 2)
    let order = harness.deliverAll().map { [$0.item.rawValue, $0.firstSegment] }
    #expect(
      order == [[2, 0], [2, 1], [3, 0], [3, 1], [4, 0], [1, 0], [5, 0]],
      "current, next, next deeper, the one after, the one before, the one after that")
  }

  @Test func theLeadGrowsWithWhatWasWatched() {
    var harness = PrefetchHarness(clips: 1, seconds: 60)
    harness.focus(on: 0, of: 1)
    #expect(harness.deliverAll().count == 2, "1 + 2 s cover the first lead of 2.5 s")
    harness.send(.positionChanged(ItemID(0), Milliseconds(4_000)))
    #expect(harness.deliverAll().count == 4, "from 3 s to 11 s: a lead of 5.5 s")
    harness.send(.positionChanged(ItemID(0), Milliseconds(10_000)))
    #expect(harness.deliverAll().count == 4, "to 19 s: never more than 8 s, rounded up to a segment")
  }

  @Test func whatCanWaitIsNotFetched() {
    var harness = PrefetchHarness()
    harness.rendition = nil
    harness.focus(on: 0)
    #expect(harness.running.isEmpty)
    harness.rendition = 0
    harness.send(.woke)
    #expect(harness.running.count == 1)
  }

  @Test func aShortLeadHasTheLinkForItself() {
    var harness = PrefetchHarness()
    harness.focus(on: 0)
    harness.deliver()
    #expect(harness.running.map(\.firstSegment) == [1], "1 s is stored, the next 2 s come alone")
    harness.deliver()
    #expect(harness.running.count == 2)
  }

  @Test func fetchesTheStartAgainBeforeALoop() {
    var harness = PrefetchHarness(clips: 1, seconds: 9)
    harness.focus(on: 0, of: 1)
    harness.send(.positionChanged(ItemID(0), Milliseconds(8_000)))
    let order = harness.deliverAll().map(\.firstSegment)
    #expect(order == [0, 4, 1, 2, 3], "what was on its way, the end, then from the start")
  }

  @Test func aSwipeCancelsWhatStandsInTheWayOfTheFirstFrame() {
    var harness = PrefetchHarness()
    harness.focus(on: 0)
    harness.deliver()
    harness.deliver()
    let running = harness.running.map(\.request)
    #expect(running.count == 2)
    harness.focus(on: 4)
    for request in running { #expect(harness.commands.contains(.cancel(request))) }
    #expect(harness.running.map(\.item) == [ItemID(4)])
  }

  @Test func aSwipeToAPrefetchedClipKeepsDownloadsNearby() {
    var harness = PrefetchHarness()
    harness.focus(on: 0)
    while !harness.running.contains(where: { $0.item == ItemID(2) }) { harness.deliver() }
    harness.commands = []
    harness.focus(on: 1)
    #expect(!harness.commands.contains { if case .cancel = $0 { true } else { false } })
  }

  @Test func switchesRenditionWithItsInitialisationFirst() {
    var harness = PrefetchHarness(clips: 1)
    harness.focus(on: 0, of: 1)
    _ = harness.deliverAll()
    harness.rendition = 1
    harness.send(.positionChanged(ItemID(0), Milliseconds(2_000)))
    let switched = harness.running
    #expect(switched.first?.segmentCount == 0 && switched.first?.includesInitialization == true)
  }

  @Test func skipsARenditionThatIsGoneAndReportsAClipWithoutAny() {
    var harness = PrefetchHarness(clips: 1)
    harness.focus(on: 0, of: 1)
    harness.send(.fetchFailed(harness.running.removeFirst().request, .gone))
    #expect(harness.running.isEmpty, "the choice insists on what is gone")
    harness.rendition = 1
    harness.send(.woke)
    harness.send(.fetchFailed(harness.running.removeFirst().request, .gone))
    #expect(harness.commands.contains(.itemGone(ItemID(0))))
  }

  @Test func waitsAfterANetworkFailureAndGoesOnWhenAsked() {
    var harness = PrefetchHarness()
    harness.focus(on: 0)
    harness.send(.fetchFailed(harness.running.removeFirst().request, .network))
    #expect(harness.running.isEmpty && !harness.prefetch.isTroubled)
    harness.now = harness.prefetch.nextWake!
    harness.send(.woke)
    harness.send(.fetchFailed(harness.running.removeFirst().request, .network))
    #expect(harness.prefetch.isTroubled)
    harness.send(.retryRequested)
    #expect(harness.running.count == 1)
    harness.deliver()
    #expect(!harness.prefetch.isTroubled)
  }

  @Test func givesUpARequestThatNeverEnds() {
    var harness = PrefetchHarness()
    harness.focus(on: 0)
    let stuck = harness.running[0].request
    harness.now = harness.prefetch.nextWake!
    harness.send(.woke)
    #expect(harness.commands.contains(.cancel(stuck)))
  }

  @Test func countsTheBusyTimeOfParallelTransfersOnce() {
    var harness = PrefetchHarness()
    harness.focus(on: 0)
    harness.deliver(taking: 100)
    harness.deliver(taking: 100)
    let pair = harness.running
    #expect(pair.count == 2)
    harness.commands = []
    harness.now = harness.now + Milliseconds(300)
    for download in pair {
      harness.send(
        .fetchFinished(
          download.request, download.range.size, elapsed: Milliseconds(300),
          firstByte: Milliseconds(100)))
    }
    let busy = harness.commands.compactMap { command -> Int64? in
      if case .measured(_, let busy, _) = command { busy.rawValue } else { nil }
    }
    #expect(busy == [200, 1])
  }

  @Test func dropsTheFarthestClipsWhenMemoryIsFull() {
    var harness = PrefetchHarness(budget: Bytes(400_000))
    for clip: Int32 in 0..<6 {
      harness.focus(on: clip)
      _ = harness.deliverAll()
    }
    let dropped = harness.commands.compactMap { command -> Int32? in
      if case .discard(let item) = command { item.rawValue } else { nil }
    }
    #expect(dropped == [0, 1, 2, 3])
  }

  @Test func doesNotFetchFarClipsThatDoNotFit() {
    var harness = PrefetchHarness(budget: Bytes(700_000))
    harness.focus(on: 0)
    #expect(harness.deliverAll().count < 20)
    let drops = harness.commands.filter { if case .discard = $0 { true } else { false } }
    #expect(drops.count <= 1, "a clip is dropped for room and fetched again, for ever")
  }

  @Test func aMemoryWarningKeepsTheCurrentAndTheNextClip() {
    var harness = PrefetchHarness()
    harness.focus(on: 2)
    _ = harness.deliverAll()
    harness.commands = []
    harness.send(.backgrounded, .memoryWarned)
    let dropped = harness.commands.compactMap { command -> Int32? in
      if case .discard(let item) = command { item.rawValue } else { nil }
    }
    #expect(dropped.sorted() == [1, 4, 5])
  }

  @Test func dataSaverFetchesLessAhead() {
    var harness = PrefetchHarness(dataSaver: true)
    harness.focus(on: 0)
    #expect(harness.deliverAll().allSatisfy { $0.item.rawValue <= 2 })
  }

  @Test func anEmptyAnswerThatClaimsSuccessIsAFailure() {
    var harness = PrefetchHarness()
    harness.focus(on: 0)
    let download = harness.running.removeFirst()
    harness.send(
      .fetchFinished(download.request, .zero, elapsed: Milliseconds(10), firstByte: .zero))
    #expect(harness.prefetch.nextWake != nil && harness.running.isEmpty)
  }
}
