import UIKit

/// One window. Named in Info.plist.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    guard let scene = scene as? UIWindowScene else { return }
    let window = UIWindow(windowScene: scene)
    let root = UIViewController(nibName: nil, bundle: nil)
    root.view.backgroundColor = .black
    window.rootViewController = root
    window.makeKeyAndVisible()
    self.window = window
  }
}
