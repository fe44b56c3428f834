import Foundation
import UIKit

/// The process. Windows are their scenes' (`SceneDelegate`).
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
  /// Made once, whoever launched the app: a person, or the system for background work.
  let composition = Composition()

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    composition.launched()
    return true
  }

  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {
    composition.received([UInt8](deviceToken))
  }

  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {
    composition.receivedNone()
  }

  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    composition.woken(for: identifier) { completionHandler() }
  }
}
