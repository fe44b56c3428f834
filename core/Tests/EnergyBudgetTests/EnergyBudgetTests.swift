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
}
