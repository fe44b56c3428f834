import CoreTypes
import EnergyBudget

/// A budget with a clock that a test moves by hand.
struct BudgetHarness {
  var budget = EnergyBudget()
  var now = Instant(0)
  var changes: [PlaybackLimits] = []

  mutating func send(_ event: EnergyBudget.Event) {
    var emitted: [PlaybackLimits] = []
    budget.handle(event, at: now) { command in
      if case .limitsChanged(let limits) = command { emitted.append(limits) }
    }
    changes += emitted
  }

  mutating func report(
    battery: Int64 = -1, charging: Bool = false, lowPower: Bool = false, warmth: Int64 = 0,
    network: Int64 = 0, dataSaver: Bool = false, reducedMotion: Bool = false, autoplay: Bool = true
  ) {
    send(
      .conditionsChanged(
        Conditions(
          batteryPercent: battery, isCharging: charging, lowPowerMode: lowPower, warmth: warmth,
          network: network, dataSaver: dataSaver, reducedMotion: reducedMotion, autoplay: autoplay)))
  }

  mutating func wait(_ time: Milliseconds) {
    now = now + time
    send(.woke)
  }
}

extension PlaybackLimits {
  /// Nowhere looser than the other.
  func isWithin(_ other: PlaybackLimits) -> Bool { tightened(by: other) == self }
}
