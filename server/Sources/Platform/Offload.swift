/// Work that computes for long.
///
/// Requests are answered on the event loop of their connection, which has hundreds of others: what takes more than some
/// milliseconds goes to the threads that wait for nobody.
public enum Offload {
  public static func run<Value: Sendable>(_ work: @Sendable () throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(globalConcurrentExecutor) { try work() }
  }
}
