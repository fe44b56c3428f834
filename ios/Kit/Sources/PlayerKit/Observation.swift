package import AVFoundation
package import CoreMedia
internal import Dispatch
package import Foundation

/// Holds what a player calls from time to time. AVPlayer leaves undefined what happens if the token goes
/// first.
package final class TimeObservation: @unchecked Sendable {
  private let player: AVPlayer
  private let token: Any

  package init(_ player: AVPlayer, every interval: CMTime, _ block: @escaping @Sendable (CMTime) -> Void) {
    self.player = player
    token = player.addPeriodicTimeObserver(forInterval: interval, queue: .main, using: block)
  }

  deinit { player.removeTimeObserver(token) }
}

/// Holds what is called when a notification of one object is posted, on whichever thread that is.
package final class NotificationObservation: @unchecked Sendable {
  private let token: any NSObjectProtocol

  package init(
    _ name: Notification.Name, of object: AnyObject, _ block: @escaping @Sendable (Notification) -> Void
  ) {
    token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil, using: block)
  }

  deinit { NotificationCenter.default.removeObserver(token) }
}
