public import Device
internal import Dispatch
internal import Foundation
internal import Network
internal import UIKit

/// The device itself: battery, warmth, network path, what people set for the whole system, and what happens
/// to the app.
///
/// There is one, as long as the process. It refuses to know what follows from what it says.
@MainActor public final class PhoneDevice: DevicePort {
  public private(set) var state = DeviceState()
  public var onChange: (() -> Void)?
  public var onNotice: ((DeviceNotice) -> Void)?
  private let monitor = NWPathMonitor()
  private var pathListeners: [(DeviceState.Path) -> Void] = []
  /// Who waits for the first word of the network; the system has it soon.
  private var waiting: [CheckedContinuation<DeviceState.Path, Never>]? = []
  private var observations: [any NSObjectProtocol] = []

  public init() {
    UIDevice.current.isBatteryMonitoringEnabled = true
    for name in [
      UIDevice.batteryLevelDidChangeNotification, UIDevice.batteryStateDidChangeNotification,
      ProcessInfo.thermalStateDidChangeNotification, .NSProcessInfoPowerStateDidChange,
      UIAccessibility.reduceMotionStatusDidChangeNotification,
      UIAccessibility.videoAutoplayStatusDidChangeNotification,
    ] {
      observe(name) { $0.read() }
    }
    observe(UIApplication.didReceiveMemoryWarningNotification) { $0.onNotice?(.memoryWarned) }
    observe(UIApplication.didEnterBackgroundNotification) { $0.onNotice?(.backgrounded) }
    observe(UIApplication.willEnterForegroundNotification) { $0.onNotice?(.foregrounded) }
    monitor.pathUpdateHandler = { [weak self] path in
      let path = DeviceState.Path(path)
      Task { @MainActor in self?.take(path) }
    }
    monitor.start(queue: .main)
    read()
  }

  /// `listener` hears how the network is now, and of each change.
  public func onPath(_ listener: @escaping (DeviceState.Path) -> Void) {
    pathListeners.append(listener)
    if waiting == nil { listener(state.path) }
  }

  /// The network as it is, once the system has said so: the first moments of the app know nothing of it.
  public func path() async -> DeviceState.Path {
    guard waiting != nil else { return state.path }
    return await withCheckedContinuation { waiting?.append($0) }
  }

  /// Notifications come on any thread.
  private func observe(_ name: Notification.Name, _ act: @escaping @MainActor @Sendable (PhoneDevice) -> Void)
  {
    observations.append(
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
        Task { @MainActor in
          if let self { act(self) }
        }
      })
  }

  private func read() {
    let device = UIDevice.current
    var now = state
    now.battery = device.batteryLevel < 0 ? nil : Double(device.batteryLevel)
    now.isCharging = device.batteryState == .charging || device.batteryState == .full
    now.lowPowerMode = ProcessInfo.processInfo.isLowPowerModeEnabled
    // A state that a later system adds is hotter than all.
    now.warmth =
      DeviceState.Warmth(rawValue: Int64(ProcessInfo.processInfo.thermalState.rawValue)) ?? .critical
    now.reducedMotion = UIAccessibility.isReduceMotionEnabled
    now.autoplay = UIAccessibility.isVideoAutoplayEnabled
    change(to: now)
  }

  private func take(_ path: DeviceState.Path) {
    var now = state
    now.path = path
    change(to: now)
    for continuation in waiting ?? [] { continuation.resume(returning: path) }
    waiting = nil
    for listener in pathListeners { listener(path) }
  }

  private func change(to now: DeviceState) {
    guard now != state else { return }
    state = now
    onChange?()
  }
}

extension DeviceState.Path {
  init(_ path: NWPath) {
    // NB: a path that needs a connection first (a VPN on demand) is one as soon as something is asked for.
    self.init(
      isOnline: path.status != .unsatisfied, isCellular: path.usesInterfaceType(.cellular),
      isExpensive: path.isExpensive, isConstrained: path.isConstrained)
  }
}
