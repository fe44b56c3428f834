internal import Composition
internal import FFmpeg
internal import Platform
internal import UnixSignals

/// Runs the work until it is done, or cancels it on SIGTERM or SIGINT and waits until it has cleaned up.
func untilSignal<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value
{
  let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
  return try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await work() }
    group.addTask {
      for await _ in signals { throw CancellationError() }
      return nil
    }
    defer { group.cancelAll() }
    guard let value = try await group.next(), let value else { throw CancellationError() }
    return value
  }
}

/// Runs the work with so many workers of this process beside it, which end with it.
func withWorkers<Value: Sendable>(
  _ count: Int, _ instance: Instance, _ tools: FFmpegTools,
  ended: @escaping @Sendable (JobEnd) -> Void = { $0.count() },
  _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    for _ in 0..<count {
      group.addTask {
        await instance.worker(tools: tools, ended: ended).run()
        return nil
      }
    }
    group.addTask {
      await instance.exportWorker(ended: ended).run()
      return nil
    }
    group.addTask {
      await instance.fanOutWorker(ended: ended).run()
      return nil
    }
    if let worker = instance.captionWorker(ended: ended) {
      group.addTask {
        await worker.run()
        return nil
      }
    }
    if let worker = instance.soundWorker(tools: tools, ended: ended) {
      group.addTask {
        await worker.run()
        return nil
      }
    }
    group.addTask { try await work() }
    defer { group.cancelAll() }
    while let value = try await group.next() {
      if let value { return value }
      try Task.checkCancellation()
    }
    throw CancellationError()
  }
}
