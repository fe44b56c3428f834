internal import Synchronization

/// One request at a time works on an upload. A newer one ends the older: a client that asks again has lost its old
/// connection, and the server is only the last to notice.
final class Turns: Sendable {
  private struct Turn: Sendable {
    let number: UInt64
    let end: @Sendable () async -> Void
  }

  private let state = Mutex<(next: UInt64, turns: [String: Turn])>((0, [:]))

  /// Throws `CancellationError` if a newer request came in between.
  func take<Value: Sendable>(
    _ id: String, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let (number, task) = state.withLock { state in
      let before = state.turns[id]
      let task = Task<Value, any Error> {
        await before?.end()
        try Task.checkCancellation()
        return try await work()
      }
      let number = state.next
      state.next += 1
      state.turns[id] = Turn(number: number) {
        task.cancel()
        _ = await task.result
      }
      return (number, task)
    }
    defer {
      state.withLock { if $0.turns[id]?.number == number { $0.turns[id] = nil } }
    }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
