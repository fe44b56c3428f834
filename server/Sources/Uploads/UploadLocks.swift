internal import Synchronization

/// One request at a time works on an upload. A newer one ends the older: a client that asks again has lost
/// its old connection, and the server is only the last to notice. A commit is no such request, and goes on.
final class UploadLocks: Sendable {
  private let turns = Mutex<[String: Turn]>([:])

  /// Throws `CancellationError` if a newer request came in between.
  func take<Value: Sendable>(
    _ id: String, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let turn = Turn()
    let before = turns.withLock { $0.updateValue(turn, forKey: id) }
    defer {
      turns.withLock { if $0[id] === turn { $0[id] = nil } }
      turn.isOver()
    }
    await before?.end()
    // NB: child tasks, not tasks of their own: those would leave the thread of the connection for each piece
    // of its body.
    return try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask {
        if turn.wasEnded { throw CancellationError() }
        return try await work()
      }
      group.addTask {
        await turn.untilEnded()
        throw CancellationError()
      }
      defer { group.cancelAll() }
      return try await group.next()!
    }
  }
}

/// Between one who works and at most one who comes after.
private final class Turn: Sendable {
  private let ending = AsyncStream.makeStream(of: Never.self)
  private let state = Mutex<(wasEnded: Bool, isOver: Bool, next: CheckedContinuation<Void, Never>?)>(
    (false, false, nil))

  var wasEnded: Bool { state.withLock { $0.wasEnded } }

  /// Or until the task is cancelled.
  func untilEnded() async { for await _ in ending.stream {} }

  func isOver() {
    let next = state.withLock { state in
      state.isOver = true
      return state.next
    }
    next?.resume()
  }

  /// Returns when nobody works any more, even if the caller itself is not wanted any longer.
  func end() async {
    state.withLock { $0.wasEnded = true }
    ending.continuation.finish()
    await withCheckedContinuation { next in
      let isOver = state.withLock { state in
        state.next = next
        return state.isOver
      }
      // NB: resumed once: whoever sees both the end and the continuation last does it.
      if isOver { next.resume() }
    }
  }
}
