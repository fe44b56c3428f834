import CoreTesting
import CoreTypes
import EnergyBudget
import Testing

@Suite struct EnergyBudgetInvariantTests {
  @Test func holdForRandomSequencesOfEvents() {
    forEachSeed(10_000) { seed, generator in
      var harness = BudgetHarness()
      var last = harness.budget.limits
      for _ in 0..<25 {
        harness.now = Instant(time(after: harness.now, &generator))
        harness.send(hostileEvent(&generator))
        if harness.changes.count > 1 { Issue.record("two changes at once, seed \(seed)") }
        if let change = harness.changes.first {
          if change == last { Issue.record("emits what is not new, seed \(seed)") }
          last = change
        }
        harness.changes = []
        let limits = harness.budget.limits
        if limits != last { Issue.record("changed in silence, seed \(seed)") }
        if !limits.isWithin(.unlimited) || limits.maxShortEdge < 360 || limits.clipsAhead < 0 {
          Issue.record("out of bounds, seed \(seed)")
        }
      }
    }
  }

  /// Two budgets go through the same times, one with conditions that are nowhere better.
  @Test func aWorseLifeNeverHasLooserLimits() {
    forEachSeed(10_000) { seed, generator in
      var better = BudgetHarness()
      var worse = BudgetHarness()
      for _ in 0..<25 {
        let now = better.now + Milliseconds(generator.next(below: 20_000))
        (better.now, worse.now) = (now, now)
        if generator.next(below: 6) == 0 {
          better.send(.foregrounded)
          worse.send(generator.next(below: 2) == 0 ? .foregrounded : .backgrounded)
        } else if generator.next(below: 3) == 0 {
          // By the same decoder; whoever is away has no frames to count.
          let (edge, dropped) = (Self.edges[Int(generator.next(below: 3))], generator.next(below: 120))
          worse.send(.foregrounded)
          let frames = EnergyBudget.Event.framesShown(
            shortEdge: edge, shown: Int32(120 - dropped), dropped: Int32(dropped))
          better.send(frames)
          worse.send(frames)
        } else {
          let pair = conditions(&generator)
          better.send(.conditionsChanged(pair.better))
          worse.send(.conditionsChanged(pair.worse))
        }
        if !worse.budget.limits.isWithin(better.budget.limits) {
          Issue.record("the worse life is allowed more, seed \(seed)")
        }
      }
    }
  }

  /// Whatever was measured within the shortest patience still holds, so that nothing can flap faster.
  @Test func measurementsHoldForTheirPatience() {
    forEachSeed(2_000) { seed, generator in
      var harness = BudgetHarness()
      var measured: [(until: Instant, limits: PlaybackLimits)] = []
      for _ in 0..<40 {
        harness.now = harness.now + Milliseconds(generator.next(below: 4_000))
        if !measured.isEmpty { measured[measured.count - 1].until = harness.now }
        var alone = BudgetHarness()
        let level = generator.next(below: 30)
        let isCharging = generator.next(below: 3) == 0
        let warmth = generator.next(below: 4)
        let network = Self.networks[Int(generator.next(below: 4))]
        alone.report(battery: level, charging: isCharging, warmth: warmth, network: network)
        harness.report(battery: level, charging: isCharging, warmth: warmth, network: network)
        measured.append((harness.now, alone.budget.limits))
        for past in measured.suffix(20) where harness.now - past.until < EnergyBudget.networkPatience {
          if !harness.budget.limits.isWithin(past.limits) { Issue.record("forgot too soon, seed \(seed)") }
        }
      }
    }
  }

  @Test func everyWakeThatIsAskedForComesToAnEnd() {
    forEachSeed(2_000) { seed, generator in
      var harness = BudgetHarness()
      for _ in 0..<10 {
        harness.now = harness.now + Milliseconds(generator.next(below: 5_000))
        harness.send(.conditionsChanged(conditions(&generator).worse))
        harness.send(.framesShown(shortEdge: 720, shown: 20, dropped: Int32(generator.next(below: 241))))
      }
      harness.report()
      var wakes = 0
      while let wake = harness.budget.nextWake, wakes < 20 {
        if wake <= harness.now { Issue.record("a wake in the past, seed \(seed)") }
        harness.now = wake
        harness.send(.woke)
        wakes += 1
      }
      if wakes > 10 || harness.budget.limits != .unlimited { Issue.record("never ends, seed \(seed)") }
    }
  }

  private func time(after now: Instant, _ generator: inout SeededGenerator) -> Int64 {
    generator.next(below: 40) == 0
      ? generator.hostileInteger(around: 1_000_000)
      : saturatingSum(now.rawValue, generator.next(below: 30_000))
  }

  private func hostileEvent(_ generator: inout SeededGenerator) -> EnergyBudget.Event {
    switch generator.next(below: 10) {
    case 0: return .backgrounded
    case 1: return .foregrounded
    case 2: return .woke
    case 3, 4:
      return .framesShown(
        shortEdge: Int32(clamping: generator.hostileInteger(around: 1_080)),
        shown: Int32(clamping: generator.hostileInteger(around: 100)),
        dropped: Int32(clamping: generator.hostileInteger(around: 200)))
    default:
      return .conditionsChanged(
        Conditions(
          batteryPercent: generator.hostileInteger(around: 120), isCharging: flip(&generator),
          lowPowerMode: flip(&generator), warmth: generator.hostileInteger(around: 5),
          network: generator.hostileInteger(around: 4), dataSaver: flip(&generator),
          reducedMotion: flip(&generator), autoplay: flip(&generator)))
    }
  }

  private func conditions(_ generator: inout SeededGenerator) -> (better: Conditions, worse: Conditions) {
    // A level that is not known counts as a full one, so it is no worse than any.
    let level = generator.next(below: 102)
    let charging = generator.next(below: 4) == 0
    let warmth = generator.next(below: 4)
    let network = Int(generator.next(below: 4))
    let switches = generator.next()
    let also = generator.next()
    func isOn(_ bit: UInt64, _ word: UInt64) -> Bool { word & (3 << (bit * 2)) == 0 }
    let better = Conditions(
      batteryPercent: level, isCharging: charging, lowPowerMode: isOn(0, switches), warmth: warmth,
      network: Self.networks[network], dataSaver: isOn(1, switches), reducedMotion: isOn(2, switches),
      autoplay: !isOn(3, switches))
    let worse = Conditions(
      batteryPercent: level == 101 && flip(&generator) ? 101 : generator.next(below: min(level, 100) + 1),
      isCharging: charging && flip(&generator), lowPowerMode: isOn(0, switches) || isOn(0, also),
      warmth: warmth + generator.next(below: 4 - warmth),
      network: Self.networks[network + Int(generator.next(below: Int64(4 - network)))],
      dataSaver: isOn(1, switches) || isOn(1, also), reducedMotion: isOn(2, switches) || isOn(2, also),
      autoplay: !(isOn(3, switches) || isOn(3, also)))
    return (better, worse)
  }

  private static let edges: [Int32] = [360, 720, 1_080]

  /// From the best to the worst.
  private static let networks: [Int64] = [0, 3, 1, 2]

  private func flip(_ generator: inout SeededGenerator) -> Bool { generator.next(below: 2) == 0 }
}
