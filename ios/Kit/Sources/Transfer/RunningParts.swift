internal import Contract
internal import Foundation
internal import Synchronization

/// Requests under way by the number of their task, each with who waits for it. What is told of others, or
/// once more, is of no consequence.
final class RunningParts: Sendable {
  private struct Running {
    let continuation: CheckedContinuation<WireResponse, any Error>
    let sent: @Sendable (Int) -> Void
    var body = Data()
  }

  /// An answer about an upload is short; what is longer comes from something else.
  static let longestBody = 65_536

  private let running = Mutex<[Int: Running]>([:])

  func has(_ task: Int) -> Bool { running.withLock { $0[task] != nil } }

  func begin(
    _ task: Int, sent: @escaping @Sendable (Int) -> Void,
    _ continuation: CheckedContinuation<WireResponse, any Error>
  ) {
    running.withLock { $0[task] = Running(continuation: continuation, sent: sent) }
  }

  func moved(_ task: Int, _ bytes: Int) { running.withLock { $0[task]?.sent }?(bytes) }

  func received(_ task: Int, _ data: Data) {
    running.withLock { running in
      let room = Self.longestBody - (running[task]?.body.count ?? 0)
      running[task]?.body.append(data.prefix(max(0, room)))
    }
  }

  func end(_ task: Int, status: Int, headers: [String: String]) {
    guard let ended = take(task) else { return }
    ended.continuation.resume(
      returning: WireResponse(status: status, headers: headers, body: ended.body))
  }

  func end(_ task: Int, _ error: any Error) { take(task)?.continuation.resume(throwing: error) }

  private func take(_ task: Int) -> Running? { running.withLock { $0.removeValue(forKey: task) } }
}
