internal import Synchronization

/// One piece of work at a time for each key: whoever asks meanwhile gets what the first one gets. It goes on
/// when nobody waits any more, so that work that takes longer than a client's patience is done when the
/// client asks again.
final class SingleFlight<Value: Sendable>: Sendable {
  private let running = Mutex<[String: Task<Value, any Error>]>([:])

  func run(_ key: String, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = running.withLock { running in
      if let task = running[key] { return task }
      let task = Task {
        defer { self.running.withLock { $0[key] = nil } }
        return try await work()
      }
      running[key] = task
      return task
    }
    // Whoever is cancelled leaves, also where the work hangs: a process that stops does not wait for it.
    let (ended, end) = AsyncStream<Void>.makeStream()
    Task {
      _ = await task.result
      end.finish()
    }
    for await _ in ended {}
    try Task.checkCancellation()
    return try await task.value
  }
}
