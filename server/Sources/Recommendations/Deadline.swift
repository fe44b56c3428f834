internal import Synchronization

/// Work that is not waited for longer than it is worth.
enum Deadline {
  /// Nil: it was not done in time. Then it is cancelled, not waited for, and what comes of it is dropped.
  static func within<Value: Sendable>(
    _ patience: Duration, _ work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
      let once = Once(continuation)
      let task = Task { await work() }
      let alarm = Task {
        try? await Task.sleep(for: patience)
        once.resume(nil)
        // Of no effect on work that is done, whose end has put out this alarm.
        task.cancel()
      }
      Task {
        once.resume(await task.value)
        alarm.cancel()
      }
    }
  }

  private final class Once<Value: Sendable>: Sendable {
    private let waiting: Mutex<CheckedContinuation<Value?, Never>?>

    init(_ continuation: CheckedContinuation<Value?, Never>) { waiting = Mutex(continuation) }

    func resume(_ value: Value?) {
      let continuation = waiting.withLock { waiting in
        defer { waiting = nil }
        return waiting
      }
      continuation?.resume(returning: value)
    }
  }
}
