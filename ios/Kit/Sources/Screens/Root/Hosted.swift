public import SwiftUI
public import UIKit

/// Screens of SwiftUI as the root presents them.
@MainActor public enum Hosted {
  public static func screen(_ view: some View) -> UIViewController { UIHostingController(rootView: view) }

  /// A control over the feed, as large as it has to be.
  public static func control(_ view: some View) -> UIViewController {
    let controller = UIHostingController(rootView: view)
    controller.view.backgroundColor = .clear
    controller.safeAreaRegions = []
    return controller
  }
}
