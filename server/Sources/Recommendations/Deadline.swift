internal import Synchronization

/// Work that is not waited for longer than it is worth.
enum Deadline {
  /// Nil: it was not done in time. It goes on all the same, and what comes of it is dropped.
  static func within<Value: Sendable>(
    _ patience: Duration, _ work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
      let once = Once(continuation)
      let alarm = Task {
        try? await Task.sleep(for: patience)
        once.resume(nil)
      }
      Task {
        once.resume(await work())
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
