import Foundation
import Platform
import Synchronization

/// A program that a test runs; not by Foundation's `Process`, for the reason that `Spawn` gives.
final class ChildProgram: Sendable {
  private struct State {
    var child: pid_t = 0
    var status: Int32?
  }

  private let state = Mutex(State())
  private let over = DispatchSemaphore(value: 0)

  var processIdentifier: pid_t { state.withLock { $0.child } }
  /// Of one that has ended; negative: the signal.
  var terminationStatus: Int32 { state.withLock { $0.status ?? 0 } }

  init(
    _ path: String, _ arguments: [String],
    environment: [String: String] = ProcessInfo.processInfo.environment,
    input: Pipe? = nil, output: Pipe? = nil, error: Pipe? = nil
  ) throws {
    let child = try Spawn(
      [path] + arguments, environment: environment, input: input?.fileHandleForReading.fileDescriptor,
      output: output?.fileHandleForWriting.fileDescriptor, error: error?.fileHandleForWriting.fileDescriptor
    ).start()
    try input?.fileHandleForReading.close()
    // One pipe may be both.
    for writing in Set([output, error].compactMap { $0 }.map(\.fileHandleForWriting)) { try writing.close() }
    state.withLock { $0.child = child }
    Thread.detachNewThread { [self] in
      let status = Spawn.status(of: child)
      state.withLock { $0.status = status }
      over.signal()
    }
  }

  /// As `kill -9` does, if it has not ended yet.
  func end() {
    let child = state.withLock { $0.status == nil ? $0.child : 0 }
    if child > 0 { kill(child, SIGKILL) }
  }

  func waitUntilExit() {
    over.wait()
    over.signal()
  }
}
