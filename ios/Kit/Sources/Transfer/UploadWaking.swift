internal import CoreTypes
internal import Foundation

/// What is to be done when the system wakes the app for its uploads: it wants to hear, within half a minute,
/// that the app may sleep again.
@MainActor public final class UploadWaking {
  /// Whoever takes longer is not woken any more soon.
  private let patience: Duration
  private let queue: UploadQueue
  private let finishEvents: (@escaping @Sendable () -> Void) -> Void

  /// `finishEvents` is the transport's: it calls back once all that happened has been told.
  public init(
    queue: UploadQueue, patience: Duration = .seconds(20),
    finishEvents: @escaping (@escaping @Sendable () -> Void) -> Void
  ) {
    self.queue = queue
    self.patience = patience
    self.finishEvents = finishEvents
  }

  /// `done` is called once: when what happened has been told, and what follows from it is on its way. Begins
  /// the queue: where the system has started the app, nobody else does.
  public func wake(_ done: @escaping @MainActor () -> Void) {
    var isDone = false
    let sleepAgain: @MainActor @Sendable () -> Void = {
      guard !isDone else { return }
      isDone = true
      done()
    }
    let late = Task { [patience] in
      try? await Task.sleep(for: patience)
      if !Task.isCancelled { sleepAgain() }
    }
    // NB: heard of first, and not once the queue has begun: the session does not wait for that.
    finishEvents { [weak queue] in
      Task { @MainActor in
        guard let queue else { return }
        await queue.start()
        queue.onceAtRest {
          late.cancel()
          sleepAgain()
        }
      }
    }
  }
}
