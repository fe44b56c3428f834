import CoreTypes
import EnergyBudget
import Testing

@Suite struct EnergyBudgetTests {
  private var harness = BudgetHarness()

  @Test mutating func onMainsAndWifiNothingIsLimited() {
    harness.report(battery: 100, charging: true)
    #expect(harness.budget.limits == .unlimited && harness.changes.isEmpty)
  }

  @Test mutating func whatIsNotKnownSetsNoLimit() {
    for level: Int64 in [-1, 101, .min, .max] {
      harness.report(battery: level, warmth: level == -1 ? 7 : level, network: level)
    }
    #expect(harness.changes.isEmpty)
  }

  @Test mutating func eachWorseStateOfTheBatteryTightens() {
    harness.report(battery: 21)
    #expect(harness.budget.limits == .unlimited)
    harness.report(battery: 20)
    #expect(harness.budget.limits.maxShortEdge == 720 && !harness.budget.limits.storesAhead)
    harness.report(battery: 10)
    #expect(harness.budget.limits.maxShortEdge == 540)
    harness.report(battery: 0)
    #expect(harness.changes.count == 2)
  }

  @Test mutating func almostEmptyNothingPlaysThatWasNotAskedForUnlessItCharges() {
    harness.report(battery: 11)
    #expect(harness.budget.limits.playsByItself && harness.budget.limits.maxRefreshRate == 60)
    harness.report(battery: 10)
    #expect(!harness.budget.limits.playsByItself && harness.budget.limits.maxRefreshRate == 30)
    harness.report(battery: 10, charging: true)
    harness.wait(EnergyBudget.batteryPatience)
    #expect(harness.budget.limits == .unlimited)
  }

  @Test mutating func onAFastMobileLinkClipsAreAsSharpAsTheScreen() {
    harness.report(network: 3)
    #expect(harness.budget.limits.maxShortEdge == .max && !harness.budget.limits.upgradesLoops)
    harness.report(network: 1)
    #expect(harness.budget.limits.maxShortEdge == 720)
  }

  @Test mutating func aBatteryThatHoversAtABoundChangesTheLimitsOnce() {
    for step in 0..<200 {
      harness.report(battery: step % 2 == 0 ? 20 : 24)
      harness.wait(Milliseconds(60_000))
    }
    #expect(harness.changes.count == 1)
    harness.report(battery: 25)
    harness.wait(EnergyBudget.batteryPatience)
    #expect(harness.budget.limits == .unlimited)
  }

  @Test mutating func aChargerCountsOnlyWhenItStays() {
    harness.report(battery: 8)
    for _ in 0..<50 {
      harness.report(battery: 8, charging: true)
      harness.wait(Milliseconds(5_000))
      harness.report(battery: 8)
      harness.wait(Milliseconds(5_000))
    }
    #expect(harness.changes.count == 1)
    harness.report(battery: 8, charging: true)
    #expect(harness.budget.nextWake == harness.now + EnergyBudget.batteryPatience)
    harness.wait(EnergyBudget.batteryPatience)
    #expect(harness.budget.limits == .unlimited && harness.budget.nextWake == nil)
  }

  @Test mutating func warmthTakesFirstWhatNobodySees() {
    harness.report(warmth: 1)
    #expect(harness.budget.limits.maxShortEdge == .max && harness.budget.limits.maxRefreshRate == 120)
    #expect(!harness.budget.limits.upgradesLoops && harness.budget.limits.clipsAhead == 3)
    harness.report(warmth: 2)
    #expect(harness.budget.limits.maxRefreshRate == 30 && harness.budget.limits.maxShortEdge == 540)
    harness.report(warmth: 3)
    #expect(!harness.budget.limits.playsByItself && harness.budget.limits.clipsAhead == 1)
  }

  @Test mutating func coolingDownLoosensStepByStep() {
    harness.report(warmth: 3)
    harness.wait(Milliseconds(1_000))
    harness.report(warmth: 1)
    harness.wait(Milliseconds(20_000))
    harness.report(warmth: 0)
    #expect(!harness.budget.limits.playsByItself, "a minute has not passed")
    harness.wait(Milliseconds(40_000))
    #expect(harness.budget.limits.playsByItself && !harness.budget.limits.upgradesLoops)
    harness.wait(Milliseconds(20_000))
    #expect(harness.budget.limits == .unlimited)
  }

  @Test mutating func aBouncingNetworkKeepsItsWorst() {
    for _ in 0..<30 {
      harness.report(network: 1)
      harness.wait(Milliseconds(3_000))
      harness.report(network: 0)
      harness.wait(Milliseconds(3_000))
    }
    #expect(harness.changes.count == 1 && harness.budget.limits.bytePricePercent == 200)
    harness.wait(EnergyBudget.networkPatience)
    #expect(harness.budget.limits == .unlimited)
  }

  @Test mutating func whatThePersonSwitchesTakesEffectAtOnceBothWays() {
    harness.report(dataSaver: true)
    #expect(harness.budget.limits.maxShortEdge == 540 && harness.budget.limits.playsByItself)
    harness.report()
    #expect(harness.budget.limits == .unlimited)
    harness.report(lowPower: true)
    #expect(harness.budget.limits.maxRefreshRate == 30 && harness.budget.limits.playsByItself)
    harness.report(autoplay: false)
    #expect(!harness.budget.limits.playsByItself && harness.budget.limits.maxRefreshRate == 120)
  }

  @Test mutating func theTightestOfAllConditionsCounts() {
    harness.report(battery: 15, warmth: 2, network: 1)
    let limits = harness.budget.limits
    #expect(limits.maxShortEdge == 540 && limits.maxRefreshRate == 30 && limits.bytePricePercent == 200)
    harness.report(battery: 15, lowPower: true, warmth: 2, network: 2)
    #expect(harness.budget.limits.bytePricePercent == 400)
  }

  @Test mutating func theBackgroundFetchesNothingAndLeavesPlayingAndWritingAlone() {
    harness.send(.backgrounded)
    #expect(harness.budget.limits.clipsAhead == 0 && harness.budget.limits.playsByItself)
    #expect(harness.budget.limits.storesAhead)
    harness.send(.foregrounded)
    #expect(harness.budget.limits == .unlimited)
  }

  @Test mutating func reducedMotionNeedsNoFastScreen() {
    harness.report(reducedMotion: true)
    #expect(harness.budget.limits.maxRefreshRate == 60 && harness.budget.limits.playsByItself)
  }

  @Test mutating func timeThatRunsBackwardsLoosensNothing() {
    harness.now = Instant(100_000)
    harness.report(warmth: 2)
    harness.report(warmth: 0)
    harness.now = Instant(.min)
    harness.send(.woke)
    #expect(harness.budget.limits.maxShortEdge == 540)
    harness.now = Instant(100_000) + EnergyBudget.warmthPatience
    harness.send(.woke)
    #expect(harness.budget.limits == .unlimited)
  }

  private mutating func show(_ shortEdge: Int32, dropped: Int32, of frames: Int32 = 60, times: Int = 4) {
    for _ in 0..<times {
      harness.send(.framesShown(shortEdge: shortEdge, shown: frames - dropped, dropped: dropped))
    }
  }

  @Test mutating func whatTheDecoderDropsIsNotAskedForAgainForAWhile() {
    show(1_080, dropped: 9)
    #expect(harness.changes.isEmpty, "15 in a hundred are nobody's loss")
    show(1_080, dropped: 30)
    #expect(harness.changes.map(\.maxShortEdge) == [1_079])
    harness.wait(Milliseconds(590_000))
    show(1_080, dropped: 60)
    #expect(harness.changes.count == 1, "what was stored before goes on")
    // Better, and not good.
    show(720, dropped: 12)
    #expect(harness.budget.limits.maxShortEdge == 719)
    // Sharpness is all that it costs.
    var others = harness.budget.limits
    others.maxShortEdge = .max
    #expect(others == .unlimited)
    harness.wait(Milliseconds(599_999))
    #expect(harness.budget.limits.maxShortEdge == 719)
    #expect(harness.budget.nextWake == harness.now + Milliseconds(1))
    harness.wait(Milliseconds(1))
    #expect(harness.budget.limits == .unlimited && harness.budget.nextWake == nil)
  }

  @Test mutating func onlyAWholeSampleOfOneSizeCounts() {
    for _ in 0..<50 {
      show(1_080, dropped: 60, times: 3)
      show(720, dropped: 0, times: 1)
    }
    #expect(harness.changes.isEmpty)
    // A sample that was good is over; what follows is judged by itself.
    show(720, dropped: 0, times: 3)
    show(720, dropped: 10)
    #expect(harness.budget.limits.maxShortEdge == 719)
  }

  /// A screen that draws thirty frames of sixty, whatever their size.
  @Test mutating func whereSmallerSizesDropAsMuchSizeIsNotTheReason() {
    show(1_080, dropped: 30)
    harness.wait(Milliseconds(20_000))
    show(720, dropped: 29)
    #expect(harness.budget.limits == .unlimited)
    show(1_080, dropped: 30)
    show(720, dropped: 30)
    #expect(harness.changes.count == 2, "and that holds for a while")
    harness.wait(EnergyBudget.decoderPatience)
    show(1_080, dropped: 30)
    #expect(harness.budget.limits.maxShortEdge == 1_079)
    show(360, dropped: 30)
    #expect(harness.budget.limits == .unlimited)
  }

  @Test mutating func theSmallestSizeIsNeverTakenAway() {
    show(360, dropped: 60)
    show(0, dropped: 60)
    show(-7, dropped: 60)
    #expect(harness.changes.isEmpty)
    show(361, dropped: 60)
    #expect(harness.budget.limits.maxShortEdge == 360)
  }

  @Test mutating func countsThatAreNoneAndThoseOfAPageThatNobodySeesSayNothing() {
    for (shown, dropped): (Int32, Int32) in [(-1, 200), (0, 241), (241, 200), (.max, .max), (0, .min)] {
      harness.send(.framesShown(shortEdge: 720, shown: shown, dropped: dropped))
    }
    harness.send(.backgrounded)
    show(720, dropped: 60)
    harness.send(.foregrounded)
    #expect(harness.budget.limits == .unlimited)
    show(720, dropped: 60)
    #expect(harness.budget.limits.maxShortEdge == 719)
  }
}
