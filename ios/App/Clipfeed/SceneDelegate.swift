import Foundation
import Screens
import UIKit

/// One window. Named in Info.plist.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?
  private var announcements: AnnouncementWindow?
  private var composition: Composition? { (UIApplication.shared.delegate as? AppDelegate)?.composition }

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    guard let scene = scene as? UIWindowScene, let composition else { return }
    let window = UIWindow(windowScene: scene)
    composition.window = window
    window.rootViewController = composition.makeRoot()
    window.makeKeyAndVisible()
    self.window = window
    announcements = AnnouncementWindow(composition.announcements, over: window, scene: scene)
    for context in connectionOptions.urlContexts { composition.open(context.url) }
    for activity in connectionOptions.userActivities { open(activity) }
  }

  func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
    for context in URLContexts { composition?.open(context.url) }
  }

  func scene(_ scene: UIScene, continue userActivity: NSUserActivity) { open(userActivity) }

  func sceneDidEnterBackground(_ scene: UIScene) { composition?.left() }

  func sceneWillEnterForeground(_ scene: UIScene) { composition?.returned() }

  private func open(_ activity: NSUserActivity) {
    if let url = activity.webpageURL { composition?.open(url) }
  }
}
