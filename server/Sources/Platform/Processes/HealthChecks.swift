internal import Synchronization

/// Looks at things that may hang, each within a bounded time. What hangs is not asked again until it has
/// answered, so that however often somebody looks, one call waits.
public final class HealthChecks: Sendable {
  public enum Result: Sendable, Equatable {
    case good
    case failed(String)
    /// No answer in time.
    case slow
  }

  private let patience: Duration
  private let running = Mutex<[String: Task<Result, Never>]>([:])

  public init(patience: Duration) {
    self.patience = patience
  }

  /// Who asks while another does gets the same answer.
  public func result(of name: String, _ check: @escaping @Sendable () async throws -> Void) async -> Result {
    let task = running.withLock { running in
      if let task = running[name] { return task }
      let task = Task { [weak self] in
        let result: Result
        do {
          try await check()
          result = .good
        } catch {
          result = .failed("\(error)")
        }
        self?.running.withLock { $0[name] = nil }
        return result
      }
      running[name] = task
      return task
    }
    let first = FirstAnswer()
    return await withCheckedContinuation { continuation in
      first.wait(continuation)
      let alarm = Task { [patience] in
        try? await Task.sleep(for: patience)
        first.answer(.slow)
      }
      Task {
        first.answer(await task.value)
        alarm.cancel()
      }
    }
  }

  /// Resumes once, with what comes first.
  private final class FirstAnswer: Sendable {
    private let waiting = Mutex<CheckedContinuation<Result, Never>?>(nil)

    func wait(_ continuation: CheckedContinuation<Result, Never>) { waiting.withLock { $0 = continuation } }

    func answer(_ result: Result) {
      let continuation = waiting.withLock { waiting in
        defer { waiting = nil }
        return waiting
      }
      continuation?.resume(returning: result)
    }
  }
}
