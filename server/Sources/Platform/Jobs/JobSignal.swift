internal import Synchronization

/// Wakes the idle workers of this process when it has queued a job: otherwise each job would wait until they
/// look again. Workers of other processes do not hear it, unless somebody listens and tells them.
final class JobSignal: Sendable {
  private struct State {
    var rings = 0
    var sleepers: [Int: Task<Void, Never>] = [:]
    var nextSleeper = 0
    var listeners: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  /// How often it has rung. Asked before looking for a job: what is queued behind the look is then not slept
  /// through.
  var rings: Int { state.withLock { $0.rings } }

  func ring() {
    let (sleepers, listeners) = state.withLock { state in
      state.rings += 1
      return (Array(state.sleepers.values), state.listeners)
    }
    for sleeper in sleepers { sleeper.cancel() }
    for listener in listeners { listener() }
  }

  func listen(_ hear: @escaping @Sendable () -> Void) { state.withLock { $0.listeners.append(hear) } }

  /// Until it has rung more often than `heard`, at most as long as that. Throws if the task is cancelled.
  func wait(after heard: Int, atMost longest: Duration) async throws {
    let sleep = Task { _ = try? await Task.sleep(for: longest) }
    let sleeper = state.withLock { state in
      if state.rings != heard { sleep.cancel() }
      state.nextSleeper += 1
      state.sleepers[state.nextSleeper] = sleep
      return state.nextSleeper
    }
    await withTaskCancellationHandler {
      await sleep.value
    } onCancel: {
      sleep.cancel()
    }
    state.withLock { $0.sleepers[sleeper] = nil }
    try Task.checkCancellation()
  }
}
