internal import AppModel
internal import Foundation
internal import UIKit

/// What becomes of one's own clip once it is here as a file: the system's sheet has places for it.
extension FeedViewController {
  /// Who does something else meanwhile is not interrupted.
  func downloaded(_ file: URL) {
    guard model.isBare, presentedViewController == nil else {
      return model.announcements.post(
        "Your clip is downloaded.", action: (title: "Save", run: { [weak self] in self?.handOn(file) }))
    }
    handOn(file)
  }

  private func handOn(_ file: URL) {
    // Another clip may have taken its place.
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    // Over whichever screen lies over the feed: one that an ancestor presents is this one's too.
    var top: UIViewController = self
    while let next = top.presentedViewController { top = next }
    model.setLocked(true, by: .question)
    ShareSheet.show(file, over: top) { [model] _ in
      model.download?.discard()
      model.setLocked(false, by: .question)
    }
  }
}
