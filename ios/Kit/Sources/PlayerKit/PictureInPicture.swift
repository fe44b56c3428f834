internal import AVFoundation
internal import AVKit
internal import Foundation
internal import PlayerReports

/// The window of one player. It starts by itself when the app is left while the player plays, if that is
/// wished.
///
/// The core pins the player whose window is open, so it is not taken for another clip.
@MainActor final class PictureInPicture: NSObject {
  private let controller: AVPictureInPictureController
  private let report: (PlaybackReports.Event) -> Void
  private let refused: () -> Void
  /// Somebody waits for the window; one that comes by itself is missed by nobody.
  private var isAsked = false
  /// The person came back by the window, and did not just close it.
  private var returns = false

  /// `nil` where the device has no such windows. `refused`: one that was asked for did not come.
  init?(
    _ layer: AVPlayerLayer, report: @escaping (PlaybackReports.Event) -> Void,
    refused: @escaping () -> Void
  ) {
    guard AVPictureInPictureController.isPictureInPictureSupported(),
      let controller = AVPictureInPictureController(playerLayer: layer)
    else { return nil }
    self.controller = controller
    self.report = report
    self.refused = refused
    super.init()
    controller.delegate = self
  }

  var startsByItself: Bool {
    get { controller.canStartPictureInPictureAutomaticallyFromInline }
    set { controller.canStartPictureInPictureAutomaticallyFromInline = newValue }
  }

  var isOpen: Bool { controller.isPictureInPictureActive }

  static var isSupported: Bool { AVPictureInPictureController.isPictureInPictureSupported() }

  /// `false`: there is no picture yet that a window could show.
  func toggle() -> Bool {
    if controller.isPictureInPictureActive {
      controller.stopPictureInPicture()
      return true
    }
    guard controller.isPictureInPicturePossible else { return false }
    isAsked = true
    controller.startPictureInPicture()
    return true
  }

  private func opened() {
    isAsked = false
    returns = false
    report(.windowOpened)
  }

  private func failed() {
    if isAsked { refused() }
    isAsked = false
  }

  private func closed() { report(.windowClosed(returns: returns)) }

  /// The feed's view never went away: there is nothing to build up again.
  private func comesBack(_ done: @Sendable (Bool) -> Void) {
    returns = true
    done(true)
  }
}

extension PictureInPicture: AVPictureInPictureControllerDelegate {
  nonisolated func pictureInPictureControllerDidStartPictureInPicture(
    _ pictureInPictureController: AVPictureInPictureController
  ) {
    Task { @MainActor in opened() }
  }

  nonisolated func pictureInPictureController(
    _ pictureInPictureController: AVPictureInPictureController,
    failedToStartPictureInPictureWithError error: any Error
  ) {
    Task { @MainActor in failed() }
  }

  nonisolated func pictureInPictureControllerDidStopPictureInPicture(
    _ pictureInPictureController: AVPictureInPictureController
  ) {
    Task { @MainActor in closed() }
  }

  nonisolated func pictureInPictureController(
    _ pictureInPictureController: AVPictureInPictureController,
    restoreUserInterfaceForPictureInPictureStopWithCompletionHandler completionHandler:
      @escaping @Sendable (Bool) -> Void
  ) {
    Task { @MainActor in comesBack(completionHandler) }
  }
}
