import CoreTypes
import Device
import EnergyBudget
import Session
import Testing

@MainActor private final class FakeDevice: DevicePort {
  var state = DeviceState() {
    didSet { onChange?() }
  }
  var onChange: (() -> Void)?
  var onNotice: ((DeviceNotice) -> Void)?
}

@MainActor @Suite struct DeviceWatchTests {
  private let device = FakeDevice()

  private func events(_ act: (DeviceWatch) -> Void) -> [FeedSession.Event] {
    var events: [FeedSession.Event] = []
    let watch = DeviceWatch(device) { events.append($0) }
    watch.start()
    events = []
    act(watch)
    return events
  }

  private func network(_ path: DeviceState.Path, _ preferences: PlaybackPreferences = PlaybackPreferences())
    -> Int64?
  {
    var last: Conditions?
    let watch = DeviceWatch(device, preferences: preferences) { event in
      if case .conditionsChanged(let conditions) = event { last = conditions }
    }
    device.state.path = path
    watch.start()
    return last?.network.rawValue
  }

  @Test func saysAtTheStartHowThingsAre() {
    device.state = DeviceState(battery: 0.194, isCharging: true, warmth: .serious)
    var conditions: [Conditions] = []
    let watch = DeviceWatch(device) { event in
      if case .conditionsChanged(let now) = event { conditions.append(now) }
    }
    watch.start()
    #expect(conditions == [Conditions(batteryPercent: 19, isCharging: true, warmth: 2)])
  }

  @Test func tellsEachChangeOnce() {
    let events = events { _ in
      device.state.lowPowerMode = true
      device.onChange?()
      device.state.path.isOnline = false
      device.state.path.isOnline = true
      device.state.battery = -1
    }
    #expect(events.count == 3)
  }

  @Test func knowsWhichNetworkItIs() {
    #expect(network(.init()) == 0)
    #expect(network(.init(isExpensive: true)) == 1)
    #expect(network(.init(isCellular: true, isExpensive: true)) == 1)
    #expect(network(.init(isCellular: true)) == 3)
    #expect(network(.init(isCellular: true, isExpensive: true), PlaybackPreferences(unlimited: true)) == 3)
    #expect(network(.init(isConstrained: true), PlaybackPreferences(unlimited: true)) == 2)
  }

  @Test func passesOnPreferencesAndWhatHappens() {
    let events = events { watch in
      watch.preferences.waits = true
      watch.preferences.waits = true
      for notice: DeviceNotice in [
        .memoryWarned, .backgrounded, .foregrounded, .cameraOpened, .cameraClosed,
      ] { device.onNotice?(notice) }
      watch.stop()
      device.state.lowPowerMode = true
    }
    #expect(
      events.map { "\($0)" } == [
        "firstFrameRequired(true)", "memoryWarned", "backgrounded", "foregrounded", "cameraOpened",
        "cameraClosed",
      ])
  }
}
