internal import CoreTypes
internal import EnergyBudget
public import Session

/// Tells the core what the system knows of the device and what the person wants.
///
/// It refuses to know what follows from that.
@MainActor public final class DeviceWatch {
  private let port: any DevicePort
  private let report: (FeedSession.Event) -> Void
  public var preferences: PlaybackPreferences {
    didSet { tell() }
  }
  private var conditions: Conditions?
  private var isOnline = true
  private var waits = false

  public init(
    _ port: any DevicePort, preferences: PlaybackPreferences = PlaybackPreferences(),
    report: @escaping (FeedSession.Event) -> Void
  ) {
    self.port = port
    self.preferences = preferences
    self.report = report
  }

  /// Reports how things are now, and from now on each change of them.
  public func start() {
    port.onChange = { [weak self] in self?.tell() }
    port.onNotice = { [weak self] in self?.pass($0) }
    tell()
  }

  public func stop() {
    port.onChange = nil
    port.onNotice = nil
  }

  private func tell() {
    let state = port.state
    if state.path.isOnline != isOnline {
      isOnline = state.path.isOnline
      report(.networkChanged(isOnline: isOnline))
    }
    let now = Self.conditions(state, preferences)
    if now != conditions {
      conditions = now
      report(.conditionsChanged(now))
    }
    if preferences.waits != waits {
      waits = preferences.waits
      report(.firstFrameRequired(waits))
    }
  }

  private func pass(_ notice: DeviceNotice) {
    switch notice {
    case .memoryWarned: report(.memoryWarned)
    case .backgrounded: report(.backgrounded)
    case .foregrounded: report(.foregrounded)
    case .cameraOpened: report(.cameraOpened)
    case .cameraClosed: report(.cameraClosed)
    }
  }

  static func conditions(_ state: DeviceState, _ preferences: PlaybackPreferences) -> Conditions {
    let percent = state.battery.flatMap { (0...1).contains($0) ? Int64(($0 * 100).rounded()) : nil }
    return Conditions(
      batteryPercent: percent ?? -1, isCharging: state.isCharging, lowPowerMode: state.lowPowerMode,
      warmth: state.warmth.rawValue, network: network(state.path, preferences).rawValue,
      dataSaver: preferences.saves,
      reducedMotion: state.reducedMotion, autoplay: state.autoplay && !preferences.byHand)
  }

  private static func network(_ path: DeviceState.Path, _ preferences: PlaybackPreferences)
    -> Conditions.Network
  {
    if path.isConstrained { return .constrained }
    if path.isCellular { return path.isExpensive && !preferences.unlimited ? .metered : .fastMobile }
    return path.isExpensive ? .metered : .unmetered
  }
}
