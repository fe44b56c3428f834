internal import Synchronization

/// A piece of work that the system lends time for: it ends when it is done or when the time is over, and the
/// system is told so exactly once.
///
/// It refuses to know what is done.
public final class BackgroundJob: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isOver = false
  }

  private let state = Mutex(State())
  private let done: @Sendable (_ isWhole: Bool) -> Void

  /// Begins `work`, which answers whether all was done and ends soon once its task is cancelled.
  @discardableResult public init(
    _ work: @escaping @Sendable () async -> Bool, done: @escaping @Sendable (_ isWhole: Bool) -> Void
  ) {
    self.done = done
    let task = Task {
      let isWhole = await work()
      end(isWhole && !Task.isCancelled)
    }
    state.withLock { state in
      // It may have run out already.
      if state.isOver { task.cancel() } else { state.task = task }
    }
  }

  /// The time is over: the system is told at once, since it does not wait, and the work ends behind it.
  public func expire() {
    let task = state.withLock { $0.task }
    task?.cancel()
    end(false)
  }

  private func end(_ isWhole: Bool) {
    let isFirst = state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
    if isFirst { done(isWhole) }
  }
}
