public import Foundation
public import SwiftUI
public import UIKit

/// Screens of SwiftUI as the root presents them.
@MainActor public enum Hosted {
  /// `faces`: the instance, whose addresses pictures of people have.
  public static func screen(facesFrom faces: URL? = nil, _ view: some View) -> UIViewController {
    UIHostingController(rootView: view.environment(\.faceBase, faces))
  }

  /// A control over the feed, as large as it has to be.
  public static func control(_ view: some View) -> UIViewController {
    let controller = UIHostingController(rootView: view)
    controller.view.backgroundColor = .clear
    controller.safeAreaRegions = []
    return controller
  }
}
