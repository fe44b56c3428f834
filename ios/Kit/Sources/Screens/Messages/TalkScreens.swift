public import AppModel
public import Contract
internal import SwiftUI
public import UIKit

/// Screens of talk as controllers that the root presents.
public enum TalkScreens {
  /// A sheet over the lower half, or the whole; the clip goes on above it.
  @MainActor public static func comments(
    _ model: CommentsModel, openProfile: @escaping @MainActor (Author) -> Void,
    report: @escaping @MainActor (ClipComment) -> Void, close: @escaping @MainActor () -> Void
  ) -> UIViewController {
    let controller = UIHostingController(
      rootView: CommentsScreen(model, openProfile: openProfile, report: report, close: close))
    controller.modalPresentationStyle = .pageSheet
    if let sheet = controller.sheetPresentationController {
      sheet.detents = [.medium(), .large()]
      sheet.prefersGrabberVisible = true
      // What plays stays bright above it.
      sheet.largestUndimmedDetentIdentifier = .medium
      sheet.prefersScrollingExpandsWhenScrolledToEdge = false
    }
    return controller
  }
}
