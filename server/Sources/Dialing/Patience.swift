/// Work that waits for others, with an end: also of an answer that comes a byte at a time.
public enum Patience {
  public struct Over: Error {}

  /// Throws `Over` if it takes longer, and what the work throws. The work is cancelled then, and has to end.
  public static func within<Value: Sendable>(
    _ patience: Duration, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await work() }
      group.addTask {
        try await Task.sleep(for: patience)
        throw Over()
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }
}
