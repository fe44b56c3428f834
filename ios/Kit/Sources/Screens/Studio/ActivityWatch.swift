internal import Foundation
internal import UIKit

/// Tells when the app is left, and when it is back. A question of the system over it is neither.
@MainActor final class ActivityWatch {
  private var tokens: [any NSObjectProtocol] = []

  func begin(_ changed: @escaping @MainActor @Sendable (_ isActive: Bool) -> Void) {
    end()
    tokens = [
      (UIApplication.didEnterBackgroundNotification, false),
      (UIApplication.willEnterForegroundNotification, true),
    ].map { name, isActive in
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in
        MainActor.assumeIsolated { changed(isActive) }
      }
    }
  }

  func end() {
    for token in tokens { NotificationCenter.default.removeObserver(token) }
    tokens = []
  }
}
