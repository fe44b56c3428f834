internal import Foundation

/// Work that computes for long.
///
/// Requests are answered on the event loop of their connection, which has hundreds of others: what takes more
/// than some milliseconds goes to threads of its own, which come behind those that answer. Whoever asks for
/// much of it makes others wait who ask for it as well, and nobody else.
public enum Offload {
  private static let threads = PatientThreads(count: max(1, ProcessInfo.processInfo.activeProcessorCount / 2))

  public static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws
    -> Value
  {
    try await withCheckedThrowingContinuation { continuation in
      threads.add { continuation.resume(with: Result { try work() }) }
    }
  }
}

/// What the kernel thinks of the thread that asks.
public enum ThreadPriority {
  /// Between those that answer (0) and conversions (13 and more); low enough for Linux to interrupt it at
  /// once for an answer.
  public static let patient: Int32 = 10

  /// From now on whoever has work of a higher one goes before. NB: of Linux's calls this one means a thread,
  /// and nothing leads back.
  public static func lower() { _ = setpriority(Int32(bitPattern: PRIO_PROCESS.rawValue), 0, patient) }
}

/// Threads that do one thing after the other, in the order in which they were asked for.
final class PatientThreads: @unchecked Sendable {
  private let condition = NSCondition()
  // Under `condition`.
  private var works: [@Sendable () -> Void] = []

  init(count: Int) {
    for _ in 0..<count {
      Thread.detachNewThread { [self] in
        // As `top -H` shows it; else it would bear the name of whoever asked first.
        Thread.current.name = "offload"
        ThreadPriority.lower()
        while true { next()() }
      }
    }
  }

  func add(_ work: @escaping @Sendable () -> Void) {
    condition.withLock {
      works.append(work)
      condition.signal()
    }
  }

  private func next() -> @Sendable () -> Void {
    condition.withLock {
      while works.isEmpty { condition.wait() }
      return works.removeFirst()
    }
  }
}
