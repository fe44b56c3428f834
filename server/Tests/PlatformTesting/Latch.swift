import Foundation

/// Lets one wait for another across threads; it is open for one passage each time that it is opened.
final class Latch: Sendable {
  private let bell = DispatchSemaphore(value: 0)

  func open() { bell.signal() }

  /// Blocks the thread: for what runs on a thread of its own.
  func wait() { bell.wait() }

  func opened() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        self.bell.wait()
        continuation.resume()
      }
    }
  }
}
