internal import Foundation
internal import UIKit

/// The system's sheet that hands something on to other apps.
@MainActor enum ShareSheet {
  /// `item`: an address or a file. `done` hears whether it was handed on.
  static func show(
    _ item: URL, over controller: UIViewController, done: @escaping (_ isDone: Bool) -> Void
  ) {
    let sheet = UIActivityViewController(activityItems: [item], applicationActivities: nil)
    sheet.completionWithItemsHandler = { _, isDone, _, _ in done(isDone) }
    // On an iPad it comes from somewhere: the middle of what is shown.
    if let popover = sheet.popoverPresentationController {
      let bounds = controller.view.bounds
      popover.sourceView = controller.view
      popover.sourceRect = CGRect(x: bounds.width / 2, y: bounds.height / 2, width: 1, height: 1)
    }
    controller.present(sheet, animated: true)
  }
}
