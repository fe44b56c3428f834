public import AppModel
internal import UIKit

/// The time that the system lends an app that was left. It decides nothing: `HeldTime` says how long.
@MainActor public final class SystemBackgroundTime: BackgroundTime {
  public init() {}

  public func begin(_ name: String, expired: @escaping @MainActor @Sendable () -> Void) -> Int? {
    let lease = UIApplication.shared.beginBackgroundTask(withName: name, expirationHandler: expired)
    return lease == .invalid ? nil : lease.rawValue
  }

  public func end(_ lease: Int) {
    UIApplication.shared.endBackgroundTask(UIBackgroundTaskIdentifier(rawValue: lease))
  }
}
