import CoreTesting
import CoreTypes
import Lookahead
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

  @Test func fetchesTheFirstFramesAheadSoonerThanDepth() {
    var harness = PrefetchHarness()
    harness.focus(on: 2)
    let order = harness.deliverAll().map { [$0.item.rawValue, $0.firstSegment] }
    let next = order.firstIndex(of: [3, 0])
    #expect(order.first == [2, 0])
    #expect(next != nil && next! <= 3, "the next clip's first segment comes early: \(order)")
    let (end, far) = (order.firstIndex(of: [3, 4]), order.firstIndex(of: [6, 0]))
    #expect(far != nil && far! < end ?? .max, "and its end after every clip's first: \(order)")
  }

  @Test func theLeadGrowsWithWhatWasWatched() {
    var withoutReserve = Objective.clipfeed
    withoutReserve.reserveWorth = 0
    var harness = PrefetchHarness(clips: 1, seconds: 60, objective: withoutReserve)
    harness.focus(on: 0, of: 1)
    let first = harness.deliverAll(limit: 60).count
    for second in 1...8 {
      harness.now = harness.now + Milliseconds(1_000)
      harness.send(.positionChanged(ItemID(0), Milliseconds(Int64(second) * 1_000)))
      _ = harness.deliverAll(limit: 60)
    }
    #expect(first < 6, "who has just come may leave at once")
    let ends = harness.fetched.map(\.firstSegment).max()!
    #expect(ends >= 5, "who has stayed 8 s has more than 2 s in hand: \(ends)")
  }

  @Test func keepsAReserveOfTheCurrentClipWhileNothingElseIsWorthFetching() {
    var harness = PrefetchHarness(clips: 1, seconds: 60)
    harness.focus(on: 0, of: 1)
    let first = harness.deliverAll(limit: 60).map(\.firstSegment).max() ?? 0
    #expect(8..<30 ~= first, "more than rollouts ask for, and not all: \(first)")
  }

  @Test func theReserveIsSmallerTheDearerBytesAre() {
    let reserves = [100, 200, 400].map { (percent: Int32) in
      var limits = PlaybackLimits.unlimited
      limits.bytePricePercent = percent
      var harness = PrefetchHarness(clips: 1, seconds: 60)
      harness.send(.limitsChanged(limits))
      harness.focus(on: 0, of: 1)
      return harness.deliverAll(limit: 60).map(\.firstSegment).max() ?? 0
    }
    #expect(reserves[1] < reserves[0] && reserves[2] * 2 < reserves[0], "\(reserves)")
  }

  @Test func aFastLinkBringsTheBestRenditionAndASlowOneTheLowest() {
    for (rate, wanted) in [(40_000_000, 1), (400_000, 0)] as [(Int64, Int32)] {
      var harness = PrefetchHarness(clips: 4, seconds: 20)
      harness.focus(on: 0, of: 4)
      for second in 1...6 {
        _ = harness.deliverAll(at: BitsPerSecond(rate), limit: 4)
        harness.send(.positionChanged(ItemID(0), Milliseconds(Int64(second) * 1_000)))
      }
      #expect(harness.fetched.last?.rendition == wanted, "at \(rate) bit/s")
    }
  }

  @Test func nothingSharperThanTheScreenOrTheLimitsIsFetched() {
    var harness = PrefetchHarness(hint: BitsPerSecond(10_000_000))
    harness.send(.viewportResized(shortEdge: 360))
    harness.focus(on: 0)
    #expect(harness.deliverAll().allSatisfy { $0.rendition == 0 })
    var limits = PlaybackLimits.unlimited
    limits.maxShortEdge = 480
    var frugal = PrefetchHarness(hint: BitsPerSecond(10_000_000))
    frugal.send(.limitsChanged(limits))
    frugal.focus(on: 0)
    #expect(frugal.deliverAll().allSatisfy { $0.rendition == 0 })
  }

  @Test func limitsSayHowManyClipsAheadCount() {
    var limits = PlaybackLimits.unlimited
    limits.clipsAhead = 1
    var harness = PrefetchHarness()
    harness.send(.limitsChanged(limits))
    harness.focus(on: 2)
    #expect(harness.deliverAll().allSatisfy { $0.item.rawValue <= 3 })
  }

  @Test func aSecondRequestGoesOutOnlyWhenTheFirstIsAboutToEnd() {
    var harness = PrefetchHarness()
    harness.focus(on: 0)
    harness.send(.positionChanged(ItemID(0), .zero))
    #expect(harness.running.count == 1)
    harness.now = harness.prefetch.nextWake!
    harness.send(.woke)
    #expect(harness.running.count == 2)
    #expect(Set(harness.running.map { [$0.item.rawValue, $0.firstSegment] }).count == 2)
  }

  @Test func fetchesTheStartAgainBeforeALoop() {
    var harness = PrefetchHarness(clips: 1, seconds: 9)
    harness.focus(on: 0, of: 1)
    harness.send(.positionChanged(ItemID(0), Milliseconds(7_000)))
    let order = harness.deliverAll().map(\.firstSegment)
    #expect(order.contains(4) && order.contains(1), "the end, then from the start: \(order)")
    #expect(order.firstIndex(of: 4)! < order.firstIndex(of: 1)!)
  }

  @Test func fetchesTheStartInBetterQualityBeforeTheLoop() {
    var harness = PrefetchHarness(clips: 1, seconds: 9, hint: BitsPerSecond(8_000_000))
    harness.storeAll(of: 0, segments: 5, rendition: 0)
    harness.focus(on: 0, of: 1)
    harness.send(.positionChanged(ItemID(0), Milliseconds(4_000)))
    let order = harness.deliverAll(limit: 12)
    #expect(order.contains { $0.firstSegment == 0 && $0.rendition == 1 }, "\(order)")
    var limits = PlaybackLimits.unlimited
    limits.upgradesLoops = false
    var frugal = PrefetchHarness(clips: 1, seconds: 9, hint: BitsPerSecond(8_000_000))
    frugal.send(.limitsChanged(limits))
    frugal.storeAll(of: 0, segments: 5, rendition: 0)
    frugal.focus(on: 0, of: 1)
    frugal.send(.positionChanged(ItemID(0), Milliseconds(4_000)))
    #expect(frugal.deliverAll(limit: 12).isEmpty)
  }

  @Test func aSwipeToWhereNothingIsStoredStopsADownloadElsewhere() {
    var harness = PrefetchHarness(clips: 8, seconds: 9, hint: BitsPerSecond(800_000))
    harness.focus(on: 0)
    harness.deliver(taking: 600)
    while !harness.running.contains(where: { $0.item == ItemID(1) }) { harness.deliver(taking: 500) }
    harness.commands = []
    harness.focus(on: 4)
    #expect(harness.commands.contains { if case .cancel = $0 { true } else { false } })
    #expect(harness.running.first?.item == ItemID(4))
  }

  @Test func switchesRenditionWithItsInitialisationFirst() {
    var harness = PrefetchHarness(clips: 1, hint: BitsPerSecond(10_000_000))
    harness.storeAll(of: 0, segments: 1, rendition: 0)
    harness.focus(on: 0, of: 1)
    let first = harness.running.first
    #expect(first?.rendition == 1 && first?.segmentCount == 0 && first?.includesInitialization == true)
  }

  @Test func skipsARenditionThatIsGoneAndReportsAClipWithoutAny() {
    var harness = PrefetchHarness(clips: 1)
    harness.focus(on: 0, of: 1)
    harness.send(.fetchFailed(harness.running.removeFirst().request, .gone))
    #expect(harness.running.map(\.rendition) == [1])
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
    harness.now = harness.now + Prefetch.requestTimeout
    harness.send(.woke)
    #expect(harness.commands.contains(.cancel(stuck)))
  }

  @Test func requestsForOtherClipsThatHangDoNotStarveTheCurrentOne() {
    var harness = PrefetchHarness(seconds: 30, hint: BitsPerSecond(8_000_000))
    harness.storeAll(of: 0, segments: 5, rendition: 0)
    harness.focus(on: 0)
    func play(to milliseconds: Int64) {
      harness.now = Instant(milliseconds)
      harness.send(.positionChanged(ItemID(0), Milliseconds(milliseconds)), .woke)
    }
    for time in stride(from: 250, through: 7_750, by: 250) { play(to: Int64(time)) }
    let hung = harness.running
    #expect(hung.count == Prefetch.maxInFlight && !hung.contains { $0.item == ItemID(0) })
    #expect(!harness.commands.contains { if case .cancel = $0 { true } else { false } })
    play(to: 8_250)
    #expect(harness.running.first.map { $0.item == ItemID(0) && $0.firstSegment == 5 } ?? false)
    for download in hung { #expect(harness.commands.contains(.cancel(download.request))) }
  }

  /// The page is held for the next clip and comes back while the current one has run dry, so that no place is
  /// reported any more.
  @Test func aClipThatIsComeBackToFromAHoldStillHasItsPlace() {
    var harness = PrefetchHarness(seconds: 30, hint: BitsPerSecond(8_000_000))
    harness.storeAll(of: 0, segments: 5, rendition: 0)
    harness.focus(on: 0)
    for time in stride(from: Int64(250), through: 7_750, by: 250) {
      harness.now = Instant(time)
      harness.send(.positionChanged(ItemID(0), Milliseconds(time)), .woke)
    }
    harness.focus(on: 1)
    harness.now = Instant(8_200)
    harness.send(.positionChanged(ItemID(0), Milliseconds(8_200)))
    harness.now = Instant(8_300)
    harness.focus(on: 0)
    #expect(harness.running.contains { $0.item == ItemID(0) && $0.firstSegment == 5 })
  }

  @Test func aRequestThatHangsIsLeftAloneWhereTheCurrentClipHasAll() {
    var harness = PrefetchHarness(seconds: 1, hint: BitsPerSecond(8_000_000))
    harness.storeAll(of: 0, segments: 1, rendition: 1)
    harness.focus(on: 0)
    let hung = harness.running[0].request
    harness.now = Instant(9_000)
    harness.send(.positionChanged(ItemID(0), Milliseconds(900)), .woke)
    #expect(harness.running.contains { $0.request == hung })
    #expect(harness.prefetch.nextWake.map { $0 > harness.now } ?? true)
  }

  @Test func beginsWithTheHintUpToTenMegabitsOrWithAPoorLink() {
    #expect(PrefetchHarness(hint: BitsPerSecond(4_000_000)).prefetch.estimate == BitsPerSecond(4_000_000))
    #expect(
      PrefetchHarness(hint: BitsPerSecond(90_000_000)).prefetch.estimate == BitsPerSecond(10_000_000))
    #expect(PrefetchHarness(hint: .zero).prefetch.estimate == BitsPerSecond(1_600_000))
  }

  @Test func countsTheBusyTimeOfParallelTransfersOnce() {
    var harness = PrefetchHarness()
    harness.focus(on: 0)
    harness.now = harness.prefetch.nextWake!
    harness.send(.woke)
    let pair = harness.running
    #expect(pair.count == 2)
    harness.now = harness.now + Milliseconds(500)
    for download in pair {
      for segment in download.storedSegments {
        harness.send(
          .segmentStored(download.item, rendition: download.rendition, segment: segment))
      }
      harness.send(
        .fetchFinished(
          download.request, download.range.size, elapsed: Milliseconds(500),
          firstByte: Milliseconds(100)))
    }
    let bits = (pair[0].range.size + pair[1].range.size).rawValue * 8
    // The prior weighs 300 ms; both transfers together took 400 ms, not 800.
    #expect(harness.prefetch.estimate.rawValue > (bits + 480_000) * 1_000 / 750)
  }

  @Test func doesNotFetchFarClipsWithoutRoom() {
    var harness = PrefetchHarness(hint: BitsPerSecond(10_000_000))
    harness.send(.roomChanged(.zero))
    harness.focus(on: 0)
    #expect(harness.deliverAll().allSatisfy { $0.item.rawValue <= 1 })
  }

  @Test func whatWasDroppedIsFetchedAgainWhenItIsNeeded() {
    var harness = PrefetchHarness()
    harness.focus(on: 0)
    _ = harness.deliverAll()
    harness.send(.discarded(ItemID(1), keeping: 0))
    harness.focus(on: 1)
    #expect(harness.deliverAll().contains { $0.item == ItemID(1) && $0.firstSegment == 0 })
  }

  @Test func nothingOfAClipIsFetchedWhileItIsReadFromDisk() {
    var harness = PrefetchHarness()
    harness.send(.restoring(ItemID(0), true))
    harness.focus(on: 0)
    #expect(!harness.running.contains { $0.item == ItemID(0) })
    harness.send(.restoring(ItemID(0), false))
    #expect(harness.deliverAll().contains { $0.item == ItemID(0) })
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
