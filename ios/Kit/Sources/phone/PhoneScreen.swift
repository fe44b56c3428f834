import CoreTypes
import Playback
import Session

/// A screen of no glass: animations take as long as the core says, then they have ended.
@MainActor final class PhoneScreen: FeedScreen {
  private var animation: Task<Void, Never>?
  private(set) var notices = 0

  func show(_ command: FeedSession.Command, in host: SessionHost) {
    switch command {
    case .settle(let page, let duration):
      animation?.cancel()
      animation = Task { [weak host] in
        try? await Task.sleep(for: .milliseconds(duration.rawValue))
        if !Task.isCancelled { host?.report(.settleFinished(page: Int64(page))) }
      }
    case .scroll, .hold: animation?.cancel()
    case .noticeSkipped: notices += 1
    default: break
    }
  }
}
